import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with the plain total. A skipped test, and a file that could not be loaded, have failed. */
export default class TotalReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandled.length;
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        if (test.result().state === "passed") passed += 1;
        else failed += 1;
      }
    }
    if (passed + failed === 0) failed = 1;
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    if (failed > 0) process.exitCode = 1;
  }
}
