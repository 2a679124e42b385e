import type { LockEntry } from "./entry.ts";
import type { LockProblem } from "./problem.ts";

/** What entry rules may know besides the entry. */
export interface EntryContext {
  /** Origins that `resolved` may name. */
  readonly origins: ReadonlySet<string>;
  readonly byLocation: ReadonlyMap<string, LockEntry>;
}

/** One rule on one entry. Each is pure and has its row in the tests. */
export type EntryRule = (entry: LockEntry, context: EntryContext) => LockProblem[];

export const linkRule: EntryRule = ({ location, link, resolved }) =>
  link ? [{ code: "lock.link", subject: location, expected: "a package", got: `a link to ${resolved}` }] : [];

const part = "node_modules/(?:@[A-Za-z0-9._~-]+/)?[A-Za-z0-9_~-][A-Za-z0-9._~-]*";
const locationPattern = new RegExp(`^${part}(?:/${part})*$`);

/** Workspaces and `file:` folders have locations outside node_modules. */
export const locationRule: EntryRule = ({ location }, { byLocation }) => {
  const expected = "node_modules/<name>, at the top or inside another entry";
  if (!locationPattern.test(location))
    return [{ code: "lock.location", subject: location, expected, got: location }];
  const parent = toParent(location);
  if (parent === undefined || byLocation.has(parent)) return [];
  return [{ code: "lock.location", subject: location, expected, got: `no entry ${parent}` }];
};

export const sourceRule: EntryRule = ({ location, resolved, link }, { origins }) => {
  if (resolved === undefined || link) return [];
  const code = toSourceCode(resolved, origins);
  if (code === undefined) return [];
  const allowed = [...origins].join(" or ");
  return [
    { code, subject: location, expected: `no address, or one at ${allowed}`, got: showSource(resolved) },
  ];
};

export const shrinkwrapRule: EntryRule = ({ location, hasShrinkwrap }) =>
  hasShrinkwrap
    ? [{ code: "lock.nested-shrinkwrap", subject: location, expected: "no npm-shrinkwrap.json", got: "one" }]
    : [];

export const featureRule: EntryRule = ({ location, unsupported }) =>
  unsupported.map((key) => ({
    code: "lock.unsupported-feature",
    subject: location,
    expected: "the package as published",
    got: key,
  }));

/** Location of the package whose node_modules holds this one; undefined at the top. */
export function toParent(location: string): string | undefined {
  const index = location.lastIndexOf("/node_modules/");
  return index < 0 ? undefined : location.slice(0, index);
}

function toSourceCode(resolved: string, origins: ReadonlySet<string>): LockProblem["code"] | undefined {
  if (/^git[+:@]|^git@|^(?:github|gitlab|bitbucket|gist):|^ssh:/i.test(resolved)) return "lock.git-source";
  if (/^(?:file|link|workspace):|^\.{0,2}\//i.test(resolved)) return "lock.file-source";
  if (/^http:/i.test(resolved)) return "lock.insecure-source";
  const url = URL.canParse(resolved) ? new URL(resolved) : undefined;
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "") return "lock.unknown-source";
  return origins.has(url.origin) ? undefined : "lock.foreign-origin";
}

/** Without user and password, which some registries put into addresses. */
function showSource(resolved: string): string {
  return resolved.replace(/\/\/[^/@]*@/, "//…@").slice(0, 200);
}
