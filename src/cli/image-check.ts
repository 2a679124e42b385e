import { resolve } from "node:path";
import type { Command } from "commander";
import type { FleetComparison } from "../image/fleet-pins.ts";
import type { ImageFinding } from "../image/image-finding.ts";
import type { CommandContext } from "./command.ts";
import { type ImageOptions, toImageRequest, withImageOptions } from "./image-target.ts";
import type { Exit, Io } from "./io.ts";

interface ImageCheckOptions extends ImageOptions {
  readonly fleet?: string;
  readonly json?: true;
}

export function registerImageCheck(image: Command, { io, setExit }: CommandContext): void {
  withImageOptions(
    image
      .command("check")
      .description("check pins, audited inputs, deny list and what builders read differently"),
  )
    .option("--fleet <Dockerfile>", "another fleet definition, whose pins must be the same")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  sealpack image check daytona-runner --fleet ../fleet/Dockerfile")
    .action(async (target: string, options: ImageCheckOptions) =>
      setExit(await runImageCheck(target, options, io)),
    );
}

export async function runImageCheck(target: string, options: ImageCheckOptions, io: Io): Promise<Exit> {
  const { planImage } = await import("../image/planned-image.ts");
  const { checkImage } = await import("../image/image-closure.ts");
  const { sortFindings } = await import("../image/image-finding.ts");
  const { checkFleet } = await import("../image/check-fleet.ts");
  const planned = planImage(toImageRequest(target, options, io));
  const own = checkImage(planned);
  const fleet = options.fleet === undefined ? undefined : checkFleet(planned, resolve(io.cwd, options.fleet));
  const findings = sortFindings([...own, ...(fleet?.findings ?? [])]);
  await printFindings(findings, fleet, options, io);
  return findings.length === 0 ? 0 : 1;
}

async function printFindings(
  findings: readonly ImageFinding[],
  fleet: FleetComparison | undefined,
  options: ImageCheckOptions,
  io: Io,
): Promise<void> {
  const { toPlace, toReportedFinding } = await import("../image/image-finding.ts");
  const reported = findings.map(toReportedFinding);
  if (options.json) {
    const compared = fleet === undefined ? {} : { fleet: { compared: fleet.compared, absent: fleet.absent } };
    io.stdout(`${JSON.stringify({ ok: findings.length === 0, findings: reported, ...compared }, null, 2)}\n`);
    return;
  }
  for (const finding of reported) {
    io.stdout(
      `${toPlace(finding)}: ${finding.code}: expected ${finding.expected}, got ${finding.got}\n  ${finding.remedy}\n`,
    );
  }
  if (fleet !== undefined) {
    const absent = fleet.absent.length === 0 ? "" : `; not named there: ${fleet.absent.join(", ")}`;
    io.stdout(`fleet: ${fleet.compared.length} pins compared${absent}\n`);
  }
  io.stdout(findings.length === 0 ? "sound\n" : `${findings.length} findings\n`);
}
