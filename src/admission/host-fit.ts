import type { Manifest } from "../manifest/types.ts";
import type { ContractRow } from "../sandbox/contract-row.ts";
import { toHostNeeds } from "../sandbox/host-needs.ts";
import { toHostRows } from "../sandbox/host-rows.ts";
import type { HostFacts } from "../sandbox/probe-facts.ts";
import type { Reason } from "./reason.ts";

/** Without these no program of the pack starts, the interpreter included: nothing is sent there. */
const hopeless: readonly string[] = ["sandbox.wrong-platform", "sandbox.no-elf-interpreter"];

/** The pack's host needs that are not met, or about which nothing could be told (B9's `requires`). */
export function findHostRows(host: HostFacts, manifest: Manifest): readonly ContractRow[] {
  return toHostRows(host, toHostNeeds(manifest)).filter(({ state }) => state !== "ok");
}

/** Why a host can run nothing of the pack. */
export function findUnfit(rows: readonly ContractRow[], subject: string): readonly Reason[] {
  return rows.flatMap(({ code, fact }) =>
    code === null || !hopeless.includes(code)
      ? []
      : [{ code, subject, expected: "a host that the pack was built for", got: fact }],
  );
}
