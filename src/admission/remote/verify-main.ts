import { printReport } from "./print-report.ts";
import { verifyRemote } from "./verify-remote.ts";

/**
 * The program that a verified interpreter runs in a sandbox. Arguments: root, SHA-256 of the expected sealpack.json, `root` or `any` for
 * the owner, bytes that the answer may have. Exit 0 where the pack is sound, 1 where it is not, anything else where it could not say.
 */
const [root = "", manifestSha256 = "", owner = "", maxBytes = "0"] = process.argv.slice(-4);

verifyRemote(root, { manifestSha256, rootOwned: owner !== "any" }).then(
  (report) => {
    process.stdout.write(printReport(report, Number(maxBytes)));
    process.exitCode = report.ok ? 0 : 1;
  },
  () => {
    process.exitCode = 3;
  },
);
