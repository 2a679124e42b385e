/**
 * A small controller: leases a container, admits it, runs one command of the admitted pack in it, and gives the container back.
 *
 *   node examples/controller.ts <image> <pack-dir>
 *
 * The pack is the one that the controller's release built; what an image brings is used only if it is exactly that one. Outside this
 * repository the import is "sealpack/admission".
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import {
  type Admission,
  AdmissionError,
  admit,
  dockerSandbox,
  type SandboxExecutor,
} from "../src/admission/index.ts";

const docker = async (...args: string[]) => (await promisify(execFile)("docker", args)).stdout.trim();

/** What a provider does: a container without a network that stays up. */
async function lease(image: string): Promise<string> {
  return await docker(
    "run",
    "-d",
    "--init",
    "--network",
    "none",
    image,
    "/bin/sh",
    "-c",
    "while :;do sleep 1000;done",
  );
}

async function run(sandbox: SandboxExecutor, admission: Admission): Promise<string> {
  const result = await sandbox.execute({
    command: admission.commands.codex ?? "",
    args: ["--version"],
    env: admission.environment,
    timeoutMs: 60_000,
    clean: true,
  });
  if (result.exitCode === 0) return Buffer.from(result.stdout).toString().trim();
  throw new Error(`codex ended with ${result.exitCode}: ${Buffer.from(result.stderr).toString()}`);
}

const [image = "", pack = ""] = process.argv.slice(2);
const container = await lease(image);
try {
  const sandbox = dockerSandbox(container);
  const admission = await admit({
    sandbox,
    image,
    expected: pack,
    commands: ["codex"],
    // Left out, a sandbox without the right pack is refused.
    stage: { pack },
    policy: { requireImage: true },
  });
  console.log(`${admission.decision} at ${admission.root}, trust ${admission.trust}`);
  console.log(await run(sandbox, admission));
} catch (error) {
  if (!(error instanceof AdmissionError)) throw error;
  for (const { code, subject, expected, got } of error.reasons) {
    console.error(`${code}  ${subject}: expected ${expected}, got ${got}`);
  }
  process.exitCode = error.exit;
} finally {
  await docker("rm", "-f", container);
}
