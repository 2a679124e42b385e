import { type AcpAnswer, type AcpExchange, openAcpExchange } from "./acp-exchange.ts";
import { type Aftermath, type EncloseOptions, startEnclosed } from "./enclosed.ts";
import { exerciseError } from "./errors.ts";
import { assertAftermath } from "./run-enclosed.ts";
import { toLastLines } from "./tail.ts";

/** How far `session/new` comes without credentials: both mean that the bridge has started its CLI. */
export type AcpOutcome = "session" | "authentication-required";

/** ACP's code for "authentication required"; any other is a failure (-32603 is what a missing CLI gives, measured). */
const authenticationRequired = -32_000;

const answerTime = 60_000;

/**
 * Asks an ACP command for `initialize` and `session/new` over stdio, then ends all that it started.
 * @throws exercise.acp-initialize, exercise.acp-session, what `AcpExchange.ask` throws, exercise.process-left,
 * exercise.package-manager-called
 */
export async function verifyAcp(
  name: string,
  options: EncloseOptions,
  time = answerTime,
): Promise<AcpOutcome> {
  const enclosed = await startEnclosed(options);
  const lastWords = (): string => toLastLines(enclosed.stderr());
  let aftermath: Aftermath;
  let outcome: AcpOutcome;
  try {
    const exchange = openAcpExchange(name, { ...enclosed, lastWords }, time);
    outcome = await converse(name, exchange, enclosed.folder);
  } finally {
    aftermath = await enclosed.finish();
  }
  assertAftermath(name, aftermath);
  return outcome;
}

async function converse(name: string, exchange: AcpExchange, cwd: string): Promise<AcpOutcome> {
  const hello = await exchange.ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const version = (hello.result as { protocolVersion?: unknown } | null | undefined)?.protocolVersion;
  if (version !== 1) {
    const facts = { subject: `${name}: initialize`, expected: "protocolVersion 1", got: toShown(hello) };
    throw exerciseError("exercise.acp-initialize", facts);
  }
  const session = await exchange.ask("session/new", { cwd, mcpServers: [] });
  const id = (session.result as { sessionId?: unknown } | null | undefined)?.sessionId;
  if (typeof id === "string" && id !== "") return "session";
  if (session.error?.code === authenticationRequired) return "authentication-required";
  const expected = "a sessionId or error -32000 (authentication required)";
  throw exerciseError("exercise.acp-session", {
    subject: `${name}: session/new`,
    expected,
    got: toShown(session),
  });
}

function toShown(answer: AcpAnswer): string {
  const { error } = answer;
  if (error !== undefined) return `error ${error.code} ${error.message.slice(0, 200)}`;
  return (JSON.stringify(answer.result) ?? "nothing").slice(0, 200);
}
