import type { ContentBlock } from "@agentclientprotocol/sdk";
import { RequestError } from "@agentclientprotocol/sdk";

/** A part of a prompt as OpenCode takes it. */
export type PromptPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly mime: string; readonly filename?: string; readonly url: string };

/**
 * A prompt of ACP to OpenCode's parts, in order.
 * @throws RequestError (invalid params) for audio, which the bridge does not advertise
 */
export function toPromptParts(prompt: readonly ContentBlock[]): readonly PromptPart[] {
  return prompt.map(toPart);
}

function toPart(block: ContentBlock): PromptPart {
  if (block.type === "text") return { type: "text", text: block.text };
  if (block.type === "image") return toFile(block.mimeType, `data:${block.mimeType};base64,${block.data}`);
  if (block.type === "resource_link") return toFile(block.mimeType ?? "text/plain", block.uri, block.name);
  if (block.type === "resource") {
    const { resource } = block;
    const name = resource.uri.split("/").at(-1) ?? resource.uri;
    if ("text" in resource) return { type: "text", text: `${resource.uri}:\n${resource.text}` };
    const mime = resource.mimeType ?? "application/octet-stream";
    return toFile(mime, `data:${mime};base64,${resource.blob}`, name);
  }
  throw RequestError.invalidParams({ type: block.type }, "this agent takes text, images and resources");
}

function toFile(mime: string, url: string, filename?: string): PromptPart {
  return { type: "file", mime, url, ...(filename === undefined ? {} : { filename }) };
}
