import { findPack } from "../pack-commands.ts";
import { reportFailure } from "../report-failure.ts";
import { verifyGrok } from "./verify-grok.ts";

/** Becomes the provided Grok executable: same process, same streams, same arguments. */
try {
  const path = verifyGrok(findPack(process.argv[1] ?? "").manifest.payload);
  // Whoever reads stderr expects Grok's own words, not Node's about a young function.
  process.removeAllListeners("warning");
  process.execve?.(path, [path, ...process.argv.slice(2)], process.env as Record<string, string>);
} catch (error) {
  process.exitCode = reportFailure(error);
}
