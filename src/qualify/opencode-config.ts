/** What OpenCode calls the mock provider and its one model. */
export const opencodeModel = { providerID: "mock", modelID: "mock-model" } as const;
export const opencodeModelName = "mock/mock-model";

/** OpenCode's whole configuration, for its variable OPENCODE_CONFIG_CONTENT: one provider, one explicit model, on loopback. */
export function printOpencodeConfig(url: string, key: string): string {
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "Mock",
    options: { baseURL: `${url}/v1`, apiKey: key },
    models: { [opencodeModel.modelID]: { name: "Mock" } },
  };
  return JSON.stringify({
    provider: { [opencodeModel.providerID]: provider },
    enabled_providers: [opencodeModel.providerID],
    model: opencodeModelName,
    small_model: opencodeModelName,
    autoupdate: false,
    share: "disabled",
    permission: { bash: "ask" },
  });
}
