import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseDockerignore } from "../../src/image/dockerignore-pattern.ts";
import { readLocalInputs } from "../../src/image/local-inputs.ts";
import { startDocker } from "../sandbox/support/docker-box.ts";
import { tempDir } from "../support/temp-dir.ts";
import { startContextRecorder } from "./support/context-recorder.ts";
import { makeRandomTree, toRandom, toRandomRules } from "./support/random-context.ts";

const run = promisify(execFile);
/** Debian's own client, and another version where the machine has one. */
const clients = ["/usr/bin/docker", "/usr/local/bin/docker"].filter((path) => existsSync(path));
/** The client and the engine treat these apart: they are sent even where a rule ignores them, and removed again. */
const special = ["Dockerfile", ".dockerignore"];

interface Closure {
  /** Files, links and empty folders; undefined where the rules were refused, with the code. */
  readonly paths?: readonly string[];
  readonly code?: string;
}

function toClosure(context: string): Closure {
  try {
    const patterns = parseDockerignore(readFileSync(join(context, ".dockerignore")));
    const sources = [{ line: 1, path: "", glob: false }];
    const { inputs, findings } = readLocalInputs(sources, {
      context,
      patterns,
      derived: [],
      file: "Dockerfile",
    });
    if (findings[0] !== undefined) return { code: findings[0].code };
    return {
      paths: inputs
        .map(({ path }) => path)
        .filter((path) => !special.includes(path))
        .sort(),
    };
  } catch (error) {
    return { code: (error as { code: string }).code };
  }
}

/** Files, links, and folders that hold nothing, out of a list with all folders. */
function toLeaves(entries: readonly string[]): readonly string[] {
  const parents = new Set(
    entries.flatMap((path) => path.split("/").map((_, index, all) => all.slice(0, index).join("/"))),
  );
  return entries.filter((path) => !special.includes(path) && !parents.has(path)).sort();
}

function makeContext(random: () => number): string {
  const context = tempDir();
  makeRandomTree(context, random);
  writeFileSync(join(context, ".dockerignore"), toRandomRules(random));
  writeFileSync(join(context, "Dockerfile"), "FROM scratch\nCOPY . /\n");
  return context;
}

describe("the closure of COPY . /", () => {
  it("equals what the docker clients send, for 300 generated trees and files", {
    timeout: 600_000,
  }, async () => {
    expect(clients.length).toBeGreaterThan(0);
    const recorder = await startContextRecorder();
    const random = toRandom(20260901);
    const refused: Record<string, number> = {};
    let compared = 0;
    try {
      for (let index = 0; compared < 300; index += 1) {
        const context = makeContext(random);
        const { paths, code } = toClosure(context);
        if (paths === undefined) {
          refused[String(code)] = (refused[String(code)] ?? 0) + 1;
          continue;
        }
        compared += 1;
        for (const client of clients) {
          const sent = await recorder.record(client, context, join(context, "Dockerfile"));
          const rules = readFileSync(join(context, ".dockerignore"), "utf8");
          expect([index, rules, toLeaves(sent.map(({ path }) => path))]).toEqual([index, rules, paths]);
        }
      }
    } finally {
      await recorder.close();
    }
    process.stdout.write(
      `compared ${compared} with ${clients.join(", ")}; refused ${JSON.stringify(refused)}\n`,
    );
    const known = ["image.dockerignore-differs", "image.dockerignore-pattern"];
    expect(Object.keys(refused).filter((code) => !known.includes(code))).toEqual([]);
  });
});

describe("real builds of COPY . /", () => {
  beforeAll(startDocker);
  const images: string[] = [];
  afterAll(async () => {
    for (const image of images) await run("docker", ["rmi", "-f", image]).catch(() => undefined);
  });

  it.each(["0", "1"])(
    "hold the closure, 10 of them with DOCKER_BUILDKIT=%s",
    { timeout: 600_000 },
    async (buildkit) => {
      const random = toRandom(Number(buildkit) + 7);
      for (let compared = 0; compared < 10; ) {
        const context = makeContext(random);
        const { paths } = toClosure(context);
        // An engine refuses an image with nothing in it.
        if (paths === undefined || paths.length === 0) continue;
        compared += 1;
        const name = `sealpack-test-context:${buildkit}-${compared}`;
        images.push(name);
        const env = { ...process.env, DOCKER_BUILDKIT: buildkit };
        await run("/usr/bin/docker", ["build", "-q", "--network", "none", "-t", name, context], { env });
        const rules = readFileSync(join(context, ".dockerignore"), "utf8");
        expect([rules, await listImage(name)]).toEqual([rules, paths]);
      }
    },
  );
});

/** What an image of one COPY holds. A container adds what the engine mounts over: /dev, /etc, /proc, /sys and a mark. */
async function listImage(name: string): Promise<readonly string[]> {
  const { stdout: container } = await run("docker", ["create", "--network", "none", name, "/none"]);
  const script = 'docker export "$1" | tar -t --quoting-style=literal';
  const { stdout } = await run("sh", ["-c", script, "sh", container.trim()]);
  await run("docker", ["rm", container.trim()]);
  const entries = stdout
    .split("\n")
    .filter(Boolean)
    .map((path) => path.replace(/^\.\/|\/$/g, "").replace(/\/$/, ""));
  return toLeaves(entries.filter((path) => !/^(dev|etc|proc|sys|\.dockerenv)(\/|$)/.test(path)));
}
