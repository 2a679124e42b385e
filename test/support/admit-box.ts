import type { Admission, AdmissionReport, AdmissionRequest } from "../../src/admission/admission.ts";
import { admit } from "../../src/admission/admit.ts";
import { AdmissionError, type Reason } from "../../src/admission/reason.ts";

/** An admission's outcome as data: what was decided, or why not. */
export interface Outcome {
  readonly decision: Admission["decision"] | "refused";
  readonly exit: number;
  readonly code: string;
  readonly reasons: readonly Reason[];
  readonly admission: Admission | undefined;
  readonly report: AdmissionReport | undefined;
}

export async function tryAdmit(request: AdmissionRequest): Promise<Outcome> {
  try {
    const admission = await admit(request);
    const reasons = admission.report.roots.flatMap((root) => root.reasons);
    return {
      decision: admission.decision,
      exit: 0,
      code: "",
      reasons,
      admission,
      report: admission.report,
    };
  } catch (error) {
    if (!(error instanceof AdmissionError)) throw error;
    const { exit, code, reasons, report } = error;
    return {
      decision: "refused",
      exit,
      code,
      reasons,
      admission: undefined,
      report: report as AdmissionReport,
    };
  }
}
