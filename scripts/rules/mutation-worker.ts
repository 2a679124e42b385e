/** A child of test-rules: holds one scratch copy of the repository and runs the tests of one mutation after the other. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TestModule, Vitest } from "vitest/node";
import { createVitest } from "vitest/node";
import type { Mutation } from "./mutation.ts";

/** What came of one run: tests that failed, by file; how many ran; why a file could not even be loaded. */
export interface Outcome {
  readonly failed: Readonly<Record<string, readonly string[]>>;
  readonly ran: number;
  readonly broken: readonly string[];
}

const root = resolve(process.argv[2] ?? "");

async function start(): Promise<Vitest> {
  const options = {
    root,
    config: false as const,
    watch: false,
    include: ["test/**/*.test.ts"],
    testTimeout: 20_000,
    reporters: [{}],
    fileParallelism: false,
    cache: false as const,
  };
  const vitest = await createVitest("test", options, { cacheDir: join(root, ".cache"), logLevel: "silent" });
  await vitest.standalone();
  return vitest;
}

async function run(vitest: Vitest, tests: readonly string[], bail: number): Promise<Outcome> {
  const all: TestModule[] = [];
  for (const test of tests) {
    const [file = "", name] = test.split(" > ");
    if (name === undefined) vitest.resetGlobalTestNamePattern();
    else vitest.setGlobalTestNamePattern(new RegExp(name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
    vitest.config.bail = bail;
    for (const project of vitest.projects) project.config.bail = bail;
    const specification = vitest.getRootProject().createSpecification(join(root, file));
    const { testModules } = await vitest.runTestSpecifications([specification]);
    // The result holds every module of earlier runs, too.
    all.push(...testModules.filter(({ moduleId }) => moduleId === specification.moduleId));
  }
  return toOutcome(all);
}

function toOutcome(modules: readonly TestModule[]): Outcome {
  const failed: Record<string, string[]> = {};
  const broken: string[] = [];
  let ran = 0;
  for (const module of modules) {
    const file = module.relativeModuleId;
    broken.push(...module.errors().map((error) => `${file}: ${error.message.split("\n")[0]}`));
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === "passed" || state === "failed") ran += 1;
      if (state === "failed") failed[file] = [...(failed[file] ?? []), test.fullName];
    }
  }
  return { failed, ran, broken };
}

async function mutate(vitest: Vitest, { file, from, to, tests }: Mutation): Promise<Outcome> {
  const path = join(root, file);
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  vitest.invalidateFile(path);
  try {
    return await run(vitest, tests, 1);
  } finally {
    writeFileSync(path, text);
    vitest.invalidateFile(path);
  }
}

const vitest = await start();
process.on("message", async (job: Mutation | readonly string[]) => {
  const outcome = Array.isArray(job) ? await run(vitest, job, 0) : await mutate(vitest, job as Mutation);
  process.send?.(outcome);
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
