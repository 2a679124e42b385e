import type { UserFacts } from "../sandbox/probe-facts.ts";
import { defaultDeniedImages, isDeniedImage } from "./denied-images.ts";
import type { Reason } from "./reason.ts";

export interface AdmissionPolicy {
  /** Refuse a sandbox whose image the lease does not name. */
  readonly requireImage?: boolean;
  /** Refuse a sandbox whose user is root, can become root, or about whom that could not be told. */
  readonly requireUnprivileged?: boolean;
  /** Images known to be bad, beside those known to this release (D7). */
  readonly denyImages?: readonly string[];
}

/** What the lease's image says, before anything is asked of the sandbox. */
export function findImageReasons(image: string | undefined, policy: AdmissionPolicy): readonly Reason[] {
  if (image === undefined || image === "") {
    if (policy.requireImage !== true) return [];
    return [
      { code: "admission.image-unknown", subject: "image", expected: "the lease's image", got: "none" },
    ];
  }
  if (!isDeniedImage(image, [...defaultDeniedImages, ...(policy.denyImages ?? [])])) return [];
  return [
    {
      code: "admission.image-denied",
      subject: "image",
      expected: "an image that is not on the deny list",
      got: image,
    },
  ];
}

export function findUserReasons(user: UserFacts, policy: AdmissionPolicy): readonly Reason[] {
  if (policy.requireUnprivileged !== true || user.root === "no") return [];
  const code = user.root === "unknown" ? "admission.privilege-unknown" : "admission.privileged-user";
  return [{ code, subject: "user", expected: "an unprivileged user", got: user.root }];
}
