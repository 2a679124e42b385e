import type { PromptResponse, SessionUpdate, StopReason } from "@agentclientprotocol/sdk";
import { bridgesError } from "../errors.ts";
import { createTranslator } from "./create-translator.ts";
import { asRecord, type OpencodeEvent } from "./event-parser.ts";

export interface TurnLimits {
  /** Milliseconds that the model may be silent while no tool runs and no permission is awaited. */
  readonly stall: number;
  /** How often OpenCode may ask the provider again. */
  readonly retries: number;
}

export interface Turn {
  readonly done: Promise<PromptResponse>;
  accept(event: OpencodeEvent): void;
  /** The client asked for it: from now on the turn ends as cancelled, with or without an answer from OpenCode. */
  cancel(): void;
  /** Brackets the wait for a person, in which no silence counts. */
  wait<T>(work: Promise<T>): Promise<T>;
  /** Ends the turn's timers; `done` stays as it is. */
  dispose(): void;
}

/** After an error or a cancellation OpenCode reports that it is idle; longer than this is not waited for. */
const settleTime = 3000;

/**
 * One prompt from its first event to its last: shows what happens through `show` and comes to a stop reason, or to a
 * named error. Every way of OpenCode or its provider to stop making progress ends it.
 */
export function createTurn(limits: TurnLimits, show: (update: SessionUpdate) => void): Turn {
  const { promise: done, resolve, reject } = Promise.withResolvers<PromptResponse>();
  done.catch(() => {});
  const translator = createTranslator(false);
  const timers: { stall?: NodeJS.Timeout; settle?: NodeJS.Timeout } = {};
  let started = false;
  let cancelled = false;
  let waiting = 0;
  let failure: Error | undefined;

  const dispose = (): void => {
    clearTimeout(timers.stall);
    clearTimeout(timers.settle);
  };
  const finish = (): void => {
    dispose();
    if (cancelled) resolve({ stopReason: "cancelled" });
    else if (failure !== undefined) reject(failure);
    else settleWith(translator.finish());
  };
  const settleWith = (reason: string): void => {
    const stopReason = toStopReason(reason);
    const usage = translator.usage();
    if (stopReason === undefined) reject(toBroken(reason));
    else resolve({ stopReason, ...(usage === undefined ? {} : { usage }) });
  };
  const settleSoon = (): void => {
    timers.settle ??= setTimeout(finish, settleTime);
  };
  const watch = (): void => {
    clearTimeout(timers.stall);
    if (waiting > 0 || translator.busy()) return;
    timers.stall = setTimeout(() => {
      failure ??= toStalled(limits.stall);
      finish();
    }, limits.stall);
  };
  const followStatus = (status: Readonly<Record<string, unknown>>): void => {
    if (status.type === "busy" || status.type === "retry") started = true;
    if (status.type === "retry" && Number(status.attempt) > limits.retries) {
      failure = toRetries(limits.retries, status.message);
      finish();
    }
    if (status.type === "idle" && started) finish();
  };
  watch();
  return {
    done,
    dispose,
    accept: (event) => {
      for (const update of translator.translate(event)) show(update);
      watch();
      if (event.type === "session.status") followStatus(asRecord(event.properties.status) ?? {});
      if (event.type === "session.idle" && started) finish();
      if (event.type !== "session.error") return;
      failure = toProviderFailure(event.properties.error);
      settleSoon();
    },
    cancel: () => {
      cancelled = true;
      settleSoon();
    },
    wait: async (work) => {
      waiting += 1;
      watch();
      try {
        return await work;
      } finally {
        waiting -= 1;
        watch();
      }
    },
  };
}

/** Undefined where the model's answer broke off: nobody said that it was complete. */
function toStopReason(finish: string): StopReason | undefined {
  if (finish === "length") return "max_tokens";
  if (finish === "content-filter") return "refusal";
  return finish === "stop" || finish === "tool-calls" ? "end_turn" : undefined;
}

function toBroken(finish: string): Error {
  const got = finish === "" ? "an answer without an end" : `the end ${JSON.stringify(finish)}`;
  return bridgesError("bridges.provider-failed", { subject: "provider", expected: "a complete answer", got });
}

function toProviderFailure(value: unknown): Error {
  const error = asRecord(value) ?? {};
  const data = asRecord(error.data) ?? {};
  const status = typeof data.statusCode === "number" ? `, status ${data.statusCode}` : "";
  const got = `${String(error.name ?? "error")}${status}: ${String(data.message ?? "no message").slice(0, 500)}`;
  return bridgesError("bridges.provider-failed", { subject: "provider", expected: "an answer", got });
}

function toRetries(retries: number, message: unknown): Error {
  const got = String(message ?? "no message").slice(0, 500);
  const expected = `an answer within ${retries} further attempts`;
  return bridgesError("bridges.provider-retries", { subject: "provider", expected, got });
}

function toStalled(stall: number): Error {
  const expected = `something every ${stall / 1000} s`;
  return bridgesError("bridges.provider-stalled", { subject: "provider", expected, got: "silence" });
}
