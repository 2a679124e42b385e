import npm from "@npmcli/config/lib/definitions/index.js";
import registryFetch from "npm-registry-fetch";
import { fetchError } from "./errors.ts";
import type { NpmOptions } from "./npm-options.ts";

/** npm's default registry, from npm's own definitions. */
export const defaultRegistry: string = npm.defaults.registry;

/** The registry that npm would ask for a package: its scope's, or the general one. */
export function toRegistry(name: string, options: NpmOptions): string {
  return registryFetch.pickRegistry(name, { ...options }).replace(/\/*$/, "");
}

/** Where every npm registry keeps a version's archive by convention: `<registry>/<name>/-/<base name>-<version>.tgz`. */
export function toTarballUrl(registry: string, name: string, version: string): string {
  const base = name.slice(name.indexOf("/") + 1);
  return `${registry.replace(/\/*$/, "")}/${name}/-/${base}-${encodeURIComponent(version)}.tgz`;
}

/**
 * A lock names the default registry for packages that this machine gets from a mirror: npm then replaces the
 * address up to the path (`replace-registry-host`), and so do we.
 * @throws fetch.url
 */
export function toResolvedUrl(
  resolved: string,
  registry: string,
  options: NpmOptions,
  subject: string,
): string {
  const url = parseHttpUrl(resolved, subject);
  const replace = options.replaceRegistryHost ?? "npmjs";
  const host = replace === "npmjs" ? new URL(defaultRegistry).host : replace;
  if (replace === "never" || (replace !== "always" && url.host !== host)) return url.href;
  return `${registry.replace(/\/*$/, "")}${url.pathname}${url.search}`;
}

/** @throws fetch.url */
export function parseHttpUrl(text: string, subject: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw fetchError("fetch.url", {
    subject,
    expected: "an http or https URL",
    got: url === undefined ? "no URL" : url.protocol,
  });
}

/** A URL fit for a message: no user, no password, no query. */
export function showUrl(text: string): string {
  if (!URL.canParse(text)) return "an invalid URL";
  const url = new URL(text);
  return `${url.origin}${url.pathname}`;
}
