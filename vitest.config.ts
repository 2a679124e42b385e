import { defineConfig } from "vitest/config";

/** unit: hermetic, offline, unprivileged. The others need the network, root or a service, and fail where they cannot run. */
export default defineConfig({
  test: {
    reporters: ["default", "./test/support/total-reporter.ts"],
    projects: [
      { test: { name: "unit", include: ["test/**/*.test.ts"], testTimeout: 30_000 } },
      {
        test: {
          name: "docker",
          include: ["test/**/*.docker.ts"],
          testTimeout: 120_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "ssh",
          include: ["test/**/*.ssh.ts"],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "real",
          include: ["test/**/*.real.ts"],
          testTimeout: 900_000,
          hookTimeout: 900_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
