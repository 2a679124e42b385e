import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { entry } from "./small-lock.ts";

type Manifest = Readonly<Record<string, unknown>>;
type Versions = Readonly<Record<string, Manifest>>;

/** A registry on the loopback that knows packuments and no tarballs: a resolution that wants one fails. */
export async function packumentRegistry(
  packages: (request: number) => Readonly<Record<string, Versions>>,
): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? "").slice(1));
    requests.push(name);
    const versions = packages(requests.filter((other) => other === name).length)[name];
    response.writeHead(versions === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(versions === undefined ? {} : toPackument(name, versions)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests };
}

function toPackument(name: string, versions: Versions) {
  const full = Object.entries(versions).map(([version, manifest]) => {
    const { integrity } = entry(version);
    const dist = { tarball: `http://127.0.0.1/${name}/-/${name}-${version}.tgz`, integrity };
    return [version, { name, version, ...manifest, dist }];
  });
  return { name, "dist-tags": { latest: Object.keys(versions).at(-1) }, versions: Object.fromEntries(full) };
}
