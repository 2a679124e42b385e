import { type ErrorTable, errorsOf } from "../errors.ts";

/** Why a pinned archive could not be had. */
export const fetchErrors = {
  "fetch.offline-missing": {
    exit: 3,
    meaning: "An offline build needs archives that the cache does not hold.",
    remedy: "Run once without --offline, or fill the cache, then try again.",
  },
  "fetch.cache-corrupt": {
    exit: 1,
    meaning: "A cached archive no longer has the bytes it was stored under; it was removed from the cache.",
    remedy: "Run once without --offline to fetch it again; if it happens again, check the disk.",
  },
  "fetch.cache-unusable": {
    exit: 3,
    meaning: "The cache directory cannot be read or written.",
    remedy: "Check its permissions and space, or name another one with --cache.",
  },
  "fetch.integrity": {
    exit: 1,
    meaning: "A downloaded archive does not have the digest that the lock pins. It was not kept.",
    remedy: "Check the registry that npm is configured to use; do not refresh the lock before you know why.",
  },
  "fetch.too-large": {
    exit: 1,
    meaning: "A download is larger than the limit.",
    remedy: "Check the registry that npm is configured to use.",
  },
  "fetch.not-found": {
    exit: 3,
    meaning: "The registry does not have the package version.",
    remedy:
      "Check npm's registry configuration for the package's scope, or whether the version was withdrawn.",
  },
  "fetch.unauthorized": {
    exit: 3,
    meaning: "The registry refused the request's credentials.",
    remedy: "Log in to the registry with npm, then try again.",
  },
  "fetch.http-status": {
    exit: 3,
    meaning: "The registry answered with an error.",
    remedy: "Try again later, or check the registry that npm is configured to use.",
  },
  "fetch.network": {
    exit: 3,
    meaning: "The registry could not be reached.",
    remedy: "Check network, proxy and registry (npm ping), or build with --offline from a filled cache.",
  },
  "fetch.broken": {
    exit: 3,
    meaning: "The connection broke before an answer was complete, several times.",
    remedy: "Check network and proxy, then try again.",
  },
  "fetch.index-format": {
    exit: 3,
    meaning: "The registry's index of a package is not JSON.",
    remedy: "Check the registry that npm is configured to use.",
  },
  "fetch.timeout": {
    exit: 3,
    meaning: "A download stalled or took too long.",
    remedy: "Check network and proxy, then try again.",
  },
  "fetch.url": {
    exit: 2,
    meaning: "A download URL is not http or https.",
    remedy: "Refresh the lock.",
  },
  "fetch.npm-config": {
    exit: 2,
    meaning: "npm's configuration could not be read.",
    remedy: "Run `npm config list` and repair what it reports.",
  },
} as const satisfies ErrorTable;

export const fetchError = errorsOf(fetchErrors);
