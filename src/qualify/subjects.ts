import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram, type Pack } from "../bridges/pack-commands.ts";
import { qualifyError } from "./errors.ts";
import { anthropicMessages } from "./mocks/anthropic-messages.ts";
import { openAiChat } from "./mocks/openai-chat.ts";
import { openAiResponses } from "./mocks/openai-responses.ts";
import { opencodeModel, opencodeModelName, printOpencodeConfig } from "./opencode-config.ts";
import { furtherProxyChecks } from "./proxy-checks.ts";
import type { AcpSubject } from "./qualify-acp.ts";
import type { Scratch } from "./scratch.ts";

const key = "mock-key-of-nobody";
const model = "mock-model";

type Common = Pick<AcpSubject, "time" | "onCheck">;

/** Claude Code through `claude-agent-acp`. */
export function claudeSubject(pack: Pack, common: Common): AcpSubject {
  return {
    ...common,
    ...describe(pack, "claude-agent-acp", "claude"),
    model,
    protocol: anthropicMessages(model, key),
    environment: (scratch, mock) => ({
      ...toHome(scratch),
      ANTHROPIC_BASE_URL: mock.url,
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_SMALL_FAST_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
  };
}

/** Codex through `codex-acp`, with a provider of its configuration. */
export function codexSubject(pack: Pack, common: Common): AcpSubject {
  return {
    ...common,
    ...describe(pack, "codex-acp", "codex"),
    model,
    protocol: openAiResponses(model, key),
    environment: (scratch, mock) => {
      const home = join(scratch.state, "codex");
      mkdirSync(home, { recursive: true });
      writeFileSync(join(home, "config.toml"), printCodexConfig(mock.url));
      return { ...toHome(scratch), CODEX_HOME: home, SEALPACK_MOCK_KEY: key };
    },
  };
}

/** OpenCode through the compiled proxy. */
export function proxySubject(pack: Pack, common: Common): AcpSubject {
  const described = describe(pack, "opencode-proxy", "opencode");
  return {
    ...common,
    ...described,
    model: opencodeModelName,
    protocol: openAiChat(opencodeModel.modelID, key),
    argv: [...described.argv, "--model", opencodeModelName, "--retries", "1", "--stall-timeout", "10"],
    environment: (_, mock) => ({ OPENCODE_CONFIG_CONTENT: printOpencodeConfig(mock.url, key) }),
    further: furtherProxyChecks,
  };
}

/** What a manifest says of a bridge and of the CLI that it must run. @throws `qualify.subject-missing` */
function describe(
  pack: Pack,
  bridge: string,
  cli: string,
): Pick<AcpSubject, "name" | "version" | "digests" | "argv" | "root" | "runs"> {
  const { commands } = pack.manifest.payload;
  const command = commands[cli];
  if (command === undefined || (commands[bridge] ?? pack.manifest.payload.bridges[bridge]) === undefined) {
    throw qualifyError("qualify.subject-missing", {
      subject: pack.root,
      expected: `${bridge} and ${cli}`,
      got: "not both",
    });
  }
  const { version, files, start } = findProgram(pack.manifest.payload, bridge);
  const digests = [...files, command.executable].map(({ path, sha256 }) => [path, sha256]);
  return {
    name: bridge,
    version,
    digests: Object.fromEntries(digests),
    argv: start.map((path) => join(pack.root, path)),
    root: pack.root,
    runs: [command.executable.path],
  };
}

function toHome({ state }: Scratch): Record<string, string> {
  const temporary = join(state, "tmp");
  mkdirSync(temporary, { recursive: true });
  return { HOME: state, TMPDIR: temporary };
}

function printCodexConfig(url: string): string {
  return [
    `model = "${model}"`,
    'model_provider = "mock"',
    "[model_providers.mock]",
    'name = "mock"',
    `base_url = "${url}/v1"`,
    'env_key = "SEALPACK_MOCK_KEY"',
    'wire_api = "responses"',
    "request_max_retries = 0",
    "stream_max_retries = 0",
    "[features]",
    "plugins = false",
    "",
  ].join("\n");
}
