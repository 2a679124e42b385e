import type { BuildPlan } from "./build-plan.ts";
import { type ImageFinding, toShownText } from "./image-finding.ts";

/** Flags that only BuildKit knows; the classic builder stops at them, or ignores them. */
const buildkitOnly: Readonly<Record<string, readonly string[]>> = {
  COPY: ["chmod", "link"],
  ADD: ["chmod", "link", "checksum"],
  RUN: ["mount", "network", "security"],
};

/** What the classic builder and BuildKit do not share. */
export function subsetFindings({ instructions }: BuildPlan, file: string): readonly ImageFinding[] {
  return instructions.flatMap(({ keyword, flags, line }) =>
    flags
      .filter(({ name }) => buildkitOnly[keyword]?.includes(name))
      .map(({ name, value }) => ({
        code: "image.not-common" as const,
        file,
        line,
        expected: "what the classic builder and BuildKit share",
        got: toShownText(`${keyword} --${name}${value === undefined ? "" : `=${value}`}`),
      })),
  );
}
