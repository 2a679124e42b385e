import * as is from "./shape.ts";

const file = is.record({ path: is.packPath, sha256: is.hex64 });

const target = is.record({
  platform: is.oneOf("linux", "darwin"),
  architecture: is.oneOf("x64", "arm64"),
  libc: is.oneOf("glibc", "musl", "none"),
});

const interpreter = is.record({
  path: is.packPath,
  version: is.someText,
  minimum: is.someText,
  undici: is.someText,
  sha256: is.hex64,
});

const component = is.record({
  name: is.someText,
  version: is.someText,
  integrity: is.text,
  patches: is.listOf(is.record({ file: is.packPath, sha256: is.hex64 })),
  digest: is.hex64,
});

const command = is.record({ launcher: file, executable: file, entry: file, version: is.someText }, ["entry"]);

const bridge = is.record({
  version: is.someText,
  path: is.packPath,
  sha256: is.hex64,
  builtFrom: is.someText,
});

const prerequisite = is.record({ version: is.someText, path: is.hostPath, sha256: is.hex64 });

const candidate = is.record({
  version: is.someText,
  path: is.packPath,
  model: is.someText,
  profileDigest: is.someText,
  closureDigest: is.someText,
  qualification: is.oneOf("pending"),
});

const requires = is.record({
  elfInterpreters: is.sortedTexts,
  libraries: is.sortedTexts,
  glibc: is.text,
  glibcxx: is.text,
  cpu: is.sortedTexts,
});

const expected = {
  name: is.name,
  target,
  lock: is.record({ manager: is.oneOf("npm"), path: is.packPath, sha256: is.hex64 }),
  interpreter: is.emptyOr(interpreter),
  components: is.mapOf(is.both(is.name, is.packPath), component),
  commands: is.mapOf(is.name, command),
  bridges: is.mapOf(is.name, bridge),
  bridgeDigest: is.hex64,
  prerequisites: is.mapOf(is.name, prerequisite),
  candidates: is.mapOf(is.name, candidate),
  requires,
  tree: is.record({ digest: is.hex64, entries: is.count, bytes: is.count }),
};

/** The payload of `sealpack/expected/v1`. */
export const expectedPayloadShape = is.record(expected);

/** The payload of `sealpack/manifest/v1`. */
export const payloadShape = is.record({ ...expected, sourceRevision: is.text, release: is.flag });
