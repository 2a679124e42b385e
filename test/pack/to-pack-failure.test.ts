import { expect, test } from "vitest";
import { archiveError } from "../../src/archive/errors.ts";
import { isSealpackError } from "../../src/errors.ts";
import { toPackFailure } from "../../src/pack/to-pack-failure.ts";

function systemError(code: string, path?: string): Error {
  return Object.assign(new Error(code), { code, syscall: "write", ...(path === undefined ? {} : { path }) });
}

test.each([
  ["ENOSPC", "pack.no-space"],
  ["EDQUOT", "pack.no-space"],
  ["EACCES", "pack.not-writable"],
  ["EPERM", "pack.not-writable"],
  ["EROFS", "pack.not-writable"],
  ["EIO", "pack.io"],
])("%s is %s", (code, expected) => {
  expect(toPackFailure(systemError(code), "/out")).toMatchObject({ code: expected, exit: 3 });
  expect((toPackFailure(systemError(code, "/out.tmp/a"), "/out") as Error).message).toContain("/out.tmp/a: ");
});

test("a full disk is one, whichever room met it", () => {
  const facts = { subject: "a@1.0.0", expected: "to write it", got: "ENOSPC", cause: systemError("ENOSPC") };
  const failure = toPackFailure(archiveError("archive.write-failed", facts), "/out");
  expect(failure).toMatchObject({ code: "pack.no-space", exit: 3 });
  const other = archiveError("archive.write-failed", { ...facts, got: "EIO", cause: systemError("EIO") });
  expect(toPackFailure(other, "/out")).toBe(other);
});

test.each([
  new Error("a defect"),
  "no error",
  archiveError("archive.fifo", { subject: "a", expected: "b", got: "c" }),
])("%s passes as it is", (error) => {
  expect(toPackFailure(error, "/out")).toBe(error);
  expect(isSealpackError(error) ? error.code : "").not.toMatch(/^pack\./);
});
