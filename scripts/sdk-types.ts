/** The sandbox adapters against the real SDKs' own types, which only this check installs. Needs the npm registry. */
import { runChecks } from "./run-checks.ts";

const install = ["npm", "ci", "--prefix", "tools/sdk-types", "--omit=optional", "--no-audit", "--no-fund"];

runChecks([
  ["the SDKs' packages", install],
  ["each SDK's own object fits its adapter", ["tsc", "-p", "tools/sdk-types"]],
]);
