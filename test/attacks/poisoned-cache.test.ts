import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildHostile } from "../support/attack.ts";
import { file, tgz } from "../support/tarball.ts";

test("another archive in the cache under a pinned digest", async () => {
  const result = await buildHostile(
    () => {},
    (dir) => {
      const names = readdirSync(join(dir, "cache"), { recursive: true, withFileTypes: true });
      const [entry] = names.filter((one) => one.isFile());
      writeFileSync(join(entry?.parentPath ?? "", entry?.name ?? ""), tgz(file("package/evil", "x")));
      return undefined;
    },
  );
  expect(result).toEqual({ code: "fetch.cache-corrupt", left: [] });
});
