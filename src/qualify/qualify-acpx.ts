import { spawn } from "node:child_process";
import { join } from "node:path";
import { type Profile, toProfile } from "../bridges/acpx-sidecar/profile.ts";
import { findProgram, type Pack } from "../bridges/pack-commands.ts";
import { readLines } from "../bridges/read-lines.ts";
import { tailOf } from "../bridges/tail.ts";
import { assertExpected } from "./assert-expected.ts";
import { qualifyError } from "./errors.ts";
import { type MockServer, startMockServer } from "./mocks/mock-server.ts";
import type { AcpSubject } from "./qualify-acp.ts";
import { createChecklist, type SubjectReport, toSubjectReport } from "./report.ts";
import { openScratch, type Scratch } from "./scratch.ts";
import { assertAnswer, settle, within } from "./within.ts";

/** The sidecar's side of its frames: one request, its answer; events as they come. */
interface Sidecar {
  ask(request: object): Promise<unknown>;
  takeText(): string;
  end(): Promise<void>;
  kill(): Promise<void>;
}

/**
 * The compiled ACPX sidecar with one agent of the pack: the same mock and environment as the agent's own subject, one
 * layer further out.
 */
export async function qualifyAcpx(pack: Pack, agent: string, inner: AcpSubject): Promise<SubjectReport> {
  const { payload } = pack.manifest;
  const program = findProgram(payload, "acpx-sidecar");
  const list = createChecklist(inner.onCheck);
  const scratch = await openScratch();
  const mock = await startMockServer(inner.protocol);
  const profile = toProfile(payload, agent, inner.name);
  const start = (): Sidecar => startSidecar(pack, program.start, inner, scratch, mock);
  const sidecar = start();
  try {
    await list.check("says hello with the pack's digest", async () => {
      const hello = (await within("hello", inner.time, sidecar.ask({ op: "hello" }))) as { pack?: unknown };
      assertAnswer("pack", pack.manifest.digest, hello.pack);
    });
    await list.check("refuses a profile that the pack does not hold", () =>
      checkProfile(sidecar, profile, scratch),
    );
    await list.check("opens the agent of the profile", () =>
      within("open", 2 * inner.time, open(sidecar, profile, scratch)),
    );
    await list.check("answers a prompt in the provider's words", async () => {
      await within("prompt", 2 * inner.time, sidecar.ask({ op: "prompt", text: "one two three" }));
      assertAnswer("answer", "one two three", sidecar.takeText().split("\n").at(-1));
    });
    await list.check("runs the pack's own CLI", () => {
      const found = scratch.executables();
      const missing = inner.runs.filter((path) => !found.includes(join(pack.root, path)));
      const foreign = found.filter((path) => !path.startsWith(`${pack.root}/`));
      assertAnswer("executables", [[], []], [missing, foreign]);
    });
    await list.check("ends with everything that it started", async () => {
      await within("end", inner.time, sidecar.end());
      await scratch.assertRetired();
    });
    await list.check("takes the agent with it when it is killed", () =>
      checkKill(start(), profile, scratch, mock, inner.time),
    );
  } finally {
    await list.always("asks the provider only for what is expected", () => assertExpected(mock));
    await list.always("asks for no other host", scratch.assertContained);
    await scratch.end();
    await mock.close();
  }
  const digests = Object.fromEntries([
    ...program.files.map(({ path, sha256 }) => [path, sha256]),
    ["profile", profile.digest],
  ]);
  return toSubjectReport(
    { name: `acpx ${agent}`, version: program.version, digests, model: inner.model },
    list,
  );
}

function open(sidecar: Sidecar, profile: Profile, scratch: Scratch): Promise<unknown> {
  return sidecar.ask({ op: "open", profile, cwd: scratch.work, session: "qualify", mode: "persistent" });
}

async function checkProfile(sidecar: Sidecar, profile: Profile, scratch: Scratch): Promise<void> {
  const wrong = { ...profile, digest: `sha256:${"0".repeat(64)}` };
  const outcome = await open(sidecar, wrong, scratch).catch((error: { code?: unknown }) => error.code);
  assertAnswer("outcome", "bridges.profile-mismatch", outcome);
}

async function checkKill(
  sidecar: Sidecar,
  profile: Profile,
  scratch: Scratch,
  mock: MockServer,
  time: number,
): Promise<void> {
  await within("open", 2 * time, open(sidecar, { ...profile }, scratch));
  mock.use([{ kind: "stall", pieces: ["Half "] }]);
  const before = mock.served();
  const asked = sidecar.ask({ op: "prompt", text: "to be killed" }).catch(() => {});
  await settle(time, mock.served, (served) => served > before);
  await sidecar.kill();
  await asked;
  await scratch.assertRetired();
}

function startSidecar(
  pack: Pack,
  start: readonly string[],
  inner: AcpSubject,
  scratch: Scratch,
  mock: MockServer,
): Sidecar {
  const [command = "", ...args] = start.map((path) => join(pack.root, path));
  const env = { ...scratch.env, ...inner.environment(scratch, mock) };
  const state = ["--state-dir", join(scratch.state, "acpx")];
  const child = spawn(command, [...args, ...state], {
    cwd: scratch.work,
    detached: true,
    env,
    stdio: "pipe",
  });
  if (child.pid !== undefined) scratch.guardian.watch(child.pid);
  const stderr = tailOf(child.stderr, 2000);
  child.stdin.on("error", () => {});
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const gone = new Promise<void>((resolve) => {
    child.on("error", () => resolve());
    child.on("close", () => resolve());
  });
  let said = "";
  let next = 0;
  const accept = (line: string): void => {
    const frame = JSON.parse(line);
    if (frame.event === "update" && frame.update.type === "text_delta" && frame.update.stream !== "thought")
      said += frame.update.text;
    if (frame.ok === true) waiting.get(frame.id)?.resolve(frame.result);
    else if (frame.ok === false)
      waiting.get(frame.id)?.reject(Object.assign(new Error(frame.error.message), frame.error));
  };
  const read = async (): Promise<void> => {
    for await (const line of readLines(child.stdout, 64 * 1024 * 1024)) accept(line);
  };
  read().catch(() => {});
  gone.then(() => {
    const facts = { subject: "sidecar", expected: "an answer", got: `its end: ${stderr()}` };
    for (const one of waiting.values()) one.reject(qualifyError("qualify.answer", facts));
  });
  return {
    ask: (request) => {
      const id = ++next;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(id, answer);
      child.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
      return answer.promise;
    },
    takeText: () => {
      const text = said;
      said = "";
      return text;
    },
    end: async () => {
      child.stdin.end();
      await gone;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
