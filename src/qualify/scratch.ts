import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readProcessTable } from "../bridges/guardian/process-table.ts";
import { type Guardian, startGuardian } from "../bridges/guardian/start-guardian.ts";
import { qualifyError } from "./errors.ts";
import { type ProxyTrap, startProxyTrap } from "./proxy-trap.ts";
import { settle } from "./within.ts";

/** Where one subject runs: nothing of the caller's home, environment or configuration is in reach. */
export interface Scratch {
  readonly guardian: Guardian;
  readonly work: string;
  /** The subject's own directory: home, state, temporary files. */
  readonly state: string;
  /** The complete environment for what is started. */
  readonly env: Readonly<Record<string, string>>;
  /** Executables of everything that runs now and was started from here. */
  executables(): readonly string[];
  /** @throws `qualify.left-behind`, for a process that still runs */
  assertRetired(): Promise<void>;
  /** @throws `qualify.left-behind`, for a file outside `state`; `qualify.left-loopback` */
  assertContained(): void;
  end(): Promise<void>;
}

/** The program that runs the guardian, beside the sources or the built files, whichever these are. */
const guardianProgram = fileURLToPath(
  new URL(`../bridges/guardian/guardian-main${extname(import.meta.filename)}`, import.meta.url),
);

export async function openScratch(): Promise<Scratch> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "sealpack-qualify-")));
  const guardian = await startGuardian(guardianProgram);
  guardian.remove(root);
  const trap = await startProxyTrap();
  const folders = { state: join(root, "state"), work: join(root, "work"), outside: join(root, "outside") };
  for (const folder of Object.values(folders)) mkdirSync(folder);
  const [mark = ""] = Object.keys(guardian.env);
  const running = () => readProcessTable(mark).filter(({ marked }) => marked);
  return {
    guardian,
    work: folders.work,
    state: folders.state,
    env: { ...toEnvironment(folders, trap), ...guardian.env },
    executables: () => running().flatMap(({ pid }) => readExecutable(pid)),
    assertRetired: async () => {
      const left = await settle(5000, running, (rows) => rows.length === 0);
      if (left.length === 0) return;
      const got = left.map(({ pid }) => `${pid} ${readExecutable(pid)}`).join(", ");
      throw qualifyError("qualify.left-behind", { subject: "processes", expected: "none", got });
    },
    assertContained: () => {
      const files = readdirSync(folders.outside, { recursive: true });
      if (files.length > 0) {
        throw qualifyError("qualify.left-behind", {
          subject: "files",
          expected: "none outside",
          got: files.join(", "),
        });
      }
      trap.assertUntouched();
    },
    end: async () => {
      await guardian.end();
      await trap.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** HOME and TMPDIR lie outside the state directory on purpose: a bridge with a state of its own must not touch them. */
function toEnvironment({ outside }: { readonly outside: string }, trap: ProxyTrap): Record<string, string> {
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    HOME: outside,
    TMPDIR: outside,
    HTTP_PROXY: trap.url,
    HTTPS_PROXY: trap.url,
    http_proxy: trap.url,
    https_proxy: trap.url,
    NO_PROXY: "127.0.0.1,localhost,[::1]",
    no_proxy: "127.0.0.1,localhost,[::1]",
  };
}

function readExecutable(pid: number): readonly string[] {
  try {
    return [realpathSync(`/proc/${pid}/exe`)];
  } catch {
    return [];
  }
}
