import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { unpackTarballs } from "../../src/archive/unpack-tarballs.ts";
import { file, sri, tgz } from "../support/tarball.ts";
import { tempDir } from "../support/temp-dir.ts";

function arrange(bodies: readonly string[]) {
  const root = tempDir();
  return bodies.map((body, index) => {
    const archive = tgz(file("package/name", body));
    writeFileSync(join(root, `${index}.tgz`), archive);
    return { file: join(root, `${index}.tgz`), integrity: sri(archive), destination: join(root, `${index}`) };
  });
}

describe("unpackTarballs", () => {
  it.each([1, 2, 8])("unpacks all and answers in order, %i at once", async (concurrency) => {
    const jobs = arrange(["a", "bb", "c".repeat(5000), ""]);
    const results = await unpackTarballs(jobs, { concurrency });
    expect(results.map(({ bytes }) => bytes)).toEqual([1, 2, 5000, 0]);
    expect(readFileSync(join(jobs[1]?.destination ?? "", "name"), "utf8")).toBe("bb");
  });

  it("throws the first error and starts nothing after it", async () => {
    const jobs = arrange(["x".repeat(9000), "y", "z"]);
    writeFileSync(jobs[0]?.file ?? "", Buffer.alloc(100_000));
    await expect(unpackTarballs(jobs, { concurrency: 1 })).rejects.toMatchObject({
      code: "archive.integrity",
    });
    expect(jobs.map(({ destination }) => existsSync(destination))).toEqual([false, false, false]);
  });

  it("tries a repaired file once more, and only once", async () => {
    const jobs = arrange(["a"]);
    const path = jobs[0]?.file ?? "";
    const good = readFileSync(path);
    writeFileSync(path, "bad");
    let calls = 0;
    const repairTo = (bytes: Uint8Array | string) => async () => {
      calls += 1;
      writeFileSync(path, bytes);
    };
    const failing = unpackTarballs(jobs, { onCorrupt: repairTo("worse") });
    await expect(failing).rejects.toMatchObject({ code: "archive.integrity" });
    expect(await unpackTarballs(jobs, { onCorrupt: repairTo(good) })).toHaveLength(1);
    expect(calls).toBe(2);
  });
});

describe("in two threads", () => {
  /** Incompressible and together large enough for a second thread. */
  const body = randomBytes(17 * 1024 * 1024);
  const archive = tgz(file("package/name", body));

  function arrangeLarge() {
    const root = tempDir();
    return [0, 1].map((index) => {
      const path = join(root, `${index}.tgz`);
      writeFileSync(path, archive);
      return { file: path, integrity: sri(archive), destination: join(root, `${index}`) };
    });
  }

  it("unpacks all, and the same way", async () => {
    const jobs = arrangeLarge();
    const results = await unpackTarballs(jobs);
    expect(results.map(({ bytes }) => bytes)).toEqual([body.length, body.length]);
    for (const { destination } of jobs)
      expect(readFileSync(join(destination, "name")).equals(body)).toBe(true);
  });

  it("gives the error of an archive that fails there", async () => {
    const jobs = arrangeLarge();
    writeFileSync(jobs[1]?.file ?? "", Buffer.alloc(archive.length));
    await expect(unpackTarballs(jobs)).rejects.toMatchObject({ code: "archive.integrity" });
  });

  it("stops when it is told to", async () => {
    const stop = new AbortController();
    const unpacking = unpackTarballs(arrangeLarge(), { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(unpacking).rejects.toThrow("enough");
  });
});
