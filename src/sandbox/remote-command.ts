import { Buffer } from "node:buffer";
import { sandboxError } from "./errors.ts";
import { assertNoNul } from "./shell-quote.ts";

/** csh refuses words of about a thousand bytes and more (design 8). */
const wordBytes = 900;

/**
 * Decodes its arguments and evaluates them. It stands between single quotes in a line that any login shell may parse first,
 * csh included: no quote, no newline, no `!`. Its own tools are named by absolute path; its variables by names nobody exports.
 */
const decoder = [
  "_sp_x=;for _sp_t in /usr/bin/base64 /bin/base64 /usr/bin/openssl /bin/openssl /bin/busybox /usr/bin/busybox;",
  "do [ -x $_sp_t ]||continue;",
  'case $_sp_t in *ssl)_sp_a="base64 -d -A";;*box)_sp_a="base64 -d";;*)_sp_a=-d;;esac;',
  '_sp_x=$(printf %s "$@"|$_sp_t $_sp_a 2>/dev/null)&&[ -n "$_sp_x" ]&&break;_sp_x=;done;set --;',
  '[ -n "$_sp_x" ]||{ echo "$0 no-decoder" >&2;exit 126; };eval "$_sp_x"',
].join("");

/** What the command's shell is called in its own `$0`: it names the call in the process table. */
export function toCallName(nonce: string): string {
  return `sealpack-${nonce}`;
}

/**
 * The one-line form in which every script travels (design 8): safe for sh, bash and csh as the first reader, each word at most
 * 900 bytes. `nonce` is 32 hex characters.
 * @throws SealpackError `sandbox.bad-command` (NUL), `sandbox.command-too-long`
 */
export function toRemoteCommand(script: string, nonce: string, maxBytes: number): string {
  assertNoNul(script);
  const encoded = Buffer.from(script, "utf8").toString("base64");
  const words = encoded.match(new RegExp(`.{1,${wordBytes}}`, "g")) ?? [];
  const line = `exec /bin/sh -c '${decoder}' ${toCallName(nonce)} ${words.map((word) => `'${word}'`).join(" ")}`;
  if (line.length <= maxBytes) return line;
  throw sandboxError("sandbox.command-too-long", {
    subject: "command",
    expected: `at most ${maxBytes} bytes in its sent form`,
    got: `${line.length}`,
  });
}
