import { afterAll } from "vitest";
import { daytonaCapabilities, daytonaSandbox } from "../../src/sandbox/daytona-sandbox.ts";
import { e2bCapabilities, e2bSandbox } from "../../src/sandbox/e2b-sandbox.ts";
import { runnerCapabilities, runnerSandbox } from "../../src/sandbox/runner-sandbox.ts";
import { executorSuite } from "./support/executor-suite.ts";
import { createFakeHost } from "./support/fake-host.ts";
import { fakeDaytona, fakeE2b, fakeRunner } from "./support/fakes.ts";

const host = createFakeHost();
const concurrent = { concurrent: true };
afterAll(() => host.remove());

executorSuite("daytona", daytonaCapabilities, () => daytonaSandbox(fakeDaytona(host)), concurrent);
executorSuite("e2b", e2bCapabilities, () => e2bSandbox(fakeE2b(host)), concurrent);
executorSuite(
  "runner",
  { ...runnerCapabilities, upload: true },
  () => runnerSandbox(fakeRunner(host)),
  concurrent,
);
