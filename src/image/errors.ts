import { type ErrorTable, errorsOf } from "../errors.ts";

/** Every way in which an image's definition can be wrong or unreadable. */
export const imageErrors = {
  "image.argument-undeclared": {
    exit: 2,
    meaning:
      "A build argument is given that no ARG declares: builders ignore it, or take it behind the ID's back.",
    remedy: "Declare it with ARG, or leave it out.",
  },
  "image.base-not-pinned": {
    exit: 1,
    meaning: "A FROM names an image without its sha256 digest.",
    remedy: "Pin the image: FROM <name>:<tag>@sha256:<digest>.",
  },
  "image.before-from": {
    exit: 2,
    meaning: "An instruction other than ARG stands before the first FROM.",
    remedy: "Move it behind a FROM.",
  },
  "image.candidates-disagree": {
    exit: 2,
    meaning: "--candidate-providers and the build argument name different selections.",
    remedy: "Give one of them, or the same selection in both.",
  },
  "image.candidates-invalid": {
    exit: 2,
    meaning: "A candidate selection has an unknown, an empty or a repeated name.",
    remedy: "Give a comma list of known names, each once.",
  },
  "image.candidates-undeclared": {
    exit: 2,
    meaning: "A candidate selection is given for an image that declares no candidates.",
    remedy: "Declare `candidates` in image.yaml, or leave the selection out.",
  },
  "image.context-too-large": {
    exit: 2,
    meaning: "The build reads more entries, or deeper folders, than any real context has.",
    remedy: "Narrow the COPY sources, or ignore more in .dockerignore.",
  },
  "image.copy-form": {
    exit: 2,
    meaning: "A COPY or ADD lacks a source or a destination.",
    remedy: "Write COPY <source> … <destination>.",
  },
  "image.copy-from-not-pinned": {
    exit: 1,
    meaning: "A COPY --from names an image without its sha256 digest.",
    remedy: "Pin the image, or name an earlier stage.",
  },
  "image.definition-invalid": {
    exit: 2,
    meaning: "image.yaml is not of the schema sealpack/image/v1.",
    remedy: "Correct the key at the line given; docs/image.md lists them.",
  },
  "image.definition-missing": {
    exit: 1,
    meaning: "No image.yaml stands beside the Dockerfile, so that nothing says which inputs were audited.",
    remedy: "Write image.yaml beside the Dockerfile; docs/image.md shows one.",
  },
  "image.denied": {
    exit: 1,
    meaning: "An image known to be bad is used.",
    remedy: "Use another image; the deny list is in image.yaml.",
  },
  "image.derived-stale": {
    exit: 1,
    meaning: "image.yaml declares a derived folder that no instruction reads.",
    remedy: "Remove the entry from image.yaml.",
  },
  "image.directive-late": {
    exit: 2,
    meaning: "A parser directive stands behind a comment or a blank line, where it is only a comment.",
    remedy: "Move it to the first lines of the Dockerfile.",
  },
  "image.directive-twice": {
    exit: 2,
    meaning: "A parser directive is given twice.",
    remedy: "Keep one of them.",
  },
  "image.dockerfile-ambiguous": {
    exit: 2,
    meaning: "Two readers of Dockerfiles divide this text into different instructions.",
    remedy: "Write the instruction in a plainer form.",
  },
  "image.dockerfile-bom": {
    exit: 2,
    meaning: "The Dockerfile begins with a byte order mark, behind which some frontends miss the directives.",
    remedy: "Save the file without it.",
  },
  "image.dockerfile-control": {
    exit: 2,
    meaning: "The Dockerfile holds a control character, which builders and readers treat differently.",
    remedy: "Remove the character.",
  },
  "image.dockerfile-first-line": {
    exit: 2,
    meaning: "The first line begins with #!, // or {, where only some builders look for a frontend.",
    remedy: "Begin with # syntax=<image>@sha256:<digest>.",
  },
  "image.dockerfile-not-utf8": {
    exit: 2,
    meaning: "The Dockerfile is not valid UTF-8.",
    remedy: "Save the file as UTF-8.",
  },
  "image.dockerfile-too-large": {
    exit: 2,
    meaning: "The Dockerfile is larger than 256 KiB, 10,000 lines or 16 Ki characters a line.",
    remedy: "Move data out of the Dockerfile.",
  },
  "image.dockerignore-differs": {
    exit: 1,
    meaning:
      "One builder ignores a path that another sends: what the image holds would depend on the builder.",
    remedy: "Write exceptions as plain paths, without * before their first name ends.",
  },
  "image.dockerignore-not-utf8": {
    exit: 2,
    meaning: "The .dockerignore is not valid UTF-8.",
    remedy: "Save the file as UTF-8.",
  },
  "image.dockerignore-pattern": {
    exit: 2,
    meaning:
      "A .dockerignore rule that builders of different versions read differently, or that none accepts.",
    remedy: "Write the rule with *, ?, plain classes, a leading **/ or a trailing /** only.",
  },
  "image.dockerignore-shadowed": {
    exit: 1,
    meaning:
      "A <Dockerfile>.dockerignore exists, which BuildKit takes instead of .dockerignore and the classic builder does not.",
    remedy: "Move its rules to .dockerignore at the root of the context.",
  },
  "image.dockerignore-too-large": {
    exit: 2,
    meaning: "The .dockerignore is larger than any real one.",
    remedy: "Shorten the .dockerignore.",
  },
  "image.download-not-pinned": {
    exit: 1,
    meaning: "A remote ADD has no sha256 checksum.",
    remedy: "Add --checksum=sha256:<digest>, or take the file from a vendored folder.",
  },
  "image.escape-doubled": {
    exit: 2,
    meaning: "A line ends with two escape characters: old builders continue it, new ones do not.",
    remedy: "End the line with one escape character, or with none.",
  },
  "image.escape-unknown": {
    exit: 2,
    meaning: "The escape directive names another character than \\ or `.",
    remedy: "Use \\ or `, or leave the directive out.",
  },
  "image.file-unreadable": {
    exit: 2,
    meaning: "A Dockerfile, image.yaml or .dockerignore cannot be read.",
    remedy: "Name an image that stands at docker/<name>/Dockerfile, or the path of a Dockerfile.",
  },
  "image.flag-twice": {
    exit: 2,
    meaning: "An instruction has a flag, or a mount a field, twice.",
    remedy: "Keep one of them.",
  },
  "image.flag-unknown": {
    exit: 2,
    meaning:
      "An instruction has a flag that is not counted, so that nobody knows what it makes the build read.",
    remedy: "Write the instruction without the flag.",
  },
  "image.flag-value": {
    exit: 2,
    meaning: "A flag's value holds a variable, a quote or an escape, which builders resolve differently.",
    remedy: "Write the value out.",
  },
  "image.fleet-invalid": {
    exit: 2,
    meaning: "fleet.yaml, or a package.json that it names, is not of its schema.",
    remedy: "Correct the key at the line given; docs/image.md lists them.",
  },
  "image.fleet-nothing-compared": {
    exit: 3,
    meaning: "The other fleet definition names none of this fleet's pins in a form that is recognised.",
    remedy: "Declare the other definition's variables under `variables` in fleet.yaml.",
  },
  "image.fleet-pin-differs": {
    exit: 1,
    meaning: "Another fleet definition pins another version of the same CLI (requirement D8).",
    remedy: "Update both together.",
  },
  "image.from-form": {
    exit: 2,
    meaning: "A FROM is not of the form FROM <image> [AS <name>].",
    remedy: "Write FROM <image> or FROM <image> AS <name>.",
  },
  "image.frontend-not-pinned": {
    exit: 1,
    meaning:
      "The Dockerfile's frontend is not pinned by sha256: it may be another one on the next day or machine.",
    remedy: "Begin the Dockerfile with # syntax=docker/dockerfile:<version>@sha256:<digest>.",
  },
  "image.git-folder": {
    exit: 1,
    meaning: "The build can read .git, which differs from clone to clone.",
    remedy: "Add .git to .dockerignore.",
  },
  "image.git-source": {
    exit: 2,
    meaning: "An ADD takes a git repository, which some builders download as a plain file.",
    remedy: "Vendor the files, or ADD an archive with --checksum.",
  },
  "image.heredoc": {
    exit: 2,
    meaning: "A here-document: the classic builder reads its lines as instructions.",
    remedy: "Put the text into a file and COPY it.",
  },
  "image.input-changed": {
    exit: 3,
    meaning: "A file changed while it was hashed.",
    remedy: "Run again when nothing writes to the context.",
  },
  "image.input-not-audited": {
    exit: 1,
    meaning: "The build can read a file that image.yaml does not list (requirement D3).",
    remedy: "Add it to `inputs` in image.yaml, or to .dockerignore.",
  },
  "image.input-stale": {
    exit: 1,
    meaning: "image.yaml lists an input that the build does not read.",
    remedy: "Remove the entry from image.yaml, or make the Dockerfile read it.",
  },
  "image.input-unreadable": {
    exit: 3,
    meaning: "An input of the build cannot be read.",
    remedy: "Make it readable for the user that runs sealpack.",
  },
  "image.instruction-unknown": {
    exit: 2,
    meaning: "An instruction that no supported builder knows.",
    remedy: "Correct its name.",
  },
  "image.json-form": {
    exit: 2,
    meaning: "A list that begins like JSON is not a JSON list of strings: builders read it as words.",
    remedy: "Write a JSON list of strings, or words without [.",
  },
  "image.mount-from-not-pinned": {
    exit: 1,
    meaning: "A RUN --mount names an image without its sha256 digest.",
    remedy: "Pin the image, or name an earlier stage.",
  },
  "image.mount-type": {
    exit: 2,
    meaning:
      "A mount brings something into the build that no ID can count (a secret, an agent), or is of an unknown type.",
    remedy: "Use bind, cache or tmpfs.",
  },
  "image.no-stage": {
    exit: 2,
    meaning: "The Dockerfile has no FROM.",
    remedy: "Begin a stage with FROM <image>@sha256:<digest>.",
  },
  "image.not-common": {
    exit: 1,
    meaning: "A construct that the classic builder rejects or ignores.",
    remedy: "Write it without BuildKit's flags, or set `builders: buildkit` in image.yaml.",
  },
  "image.onbuild": {
    exit: 2,
    meaning: "An ONBUILD: what it reads is decided by another build.",
    remedy: "Write the instruction in the image that needs it.",
  },
  "image.path-not-utf8": {
    exit: 1,
    meaning: "A name in the build context is not valid UTF-8.",
    remedy: "Rename the file, or ignore its folder in .dockerignore.",
  },
  "image.platform-differs": {
    exit: 1,
    meaning: "A FROM asks for another platform than the image's, or for one that depends on the builder.",
    remedy: "Leave --platform out.",
  },
  "image.platform-refused": {
    exit: 2,
    meaning: "An image is asked for a platform that it is not made for.",
    remedy: "Leave --platform out; the image's base and native parts exist for the declared platform only.",
  },
  "image.source-glob": {
    exit: 2,
    meaning: "A wildcard in a COPY or ADD source that builders read differently.",
    remedy: "Use *, ? and plain classes only, or name the files.",
  },
  "image.source-ignored": {
    exit: 1,
    meaning: "A COPY or ADD source is ignored as a whole: one builder stops, another copies nothing.",
    remedy: "Make it visible in .dockerignore, or remove the instruction.",
  },
  "image.source-link": {
    exit: 1,
    meaning: "A COPY or ADD source is a link or passes through one: builders follow it differently.",
    remedy: "Name the file itself.",
  },
  "image.source-missing": {
    exit: 1,
    meaning: "A source does not exist in the context, or its wildcard matches nothing.",
    remedy: "Correct the path, or remove the instruction.",
  },
  "image.source-outside": {
    exit: 2,
    meaning:
      "A COPY or ADD source leaves the context: an error to one builder, the context itself to another.",
    remedy: "Name a path inside the context.",
  },
  "image.source-variable": {
    exit: 2,
    meaning:
      "A COPY or ADD source holds a variable, a quote or an escape. A base image's environment could change it.",
    remedy: "Write the path out.",
  },
  "image.special-file": {
    exit: 1,
    meaning: "The build can read a FIFO, a socket or a device.",
    remedy: "Remove it, or ignore it in .dockerignore.",
  },
  "image.stage-forward": {
    exit: 2,
    meaning:
      "A --from names this stage, a later one or none: some builders would look for an image of that name.",
    remedy: "Name an earlier stage.",
  },
  "image.stage-name": {
    exit: 2,
    meaning: "A stage's name is not allowed or already taken.",
    remedy: "Give the stage another name.",
  },
  "image.variable-form": {
    exit: 2,
    meaning: "A FROM holds a variable form, a quote or an escape that not all builders know.",
    remedy: "Use a plain variable, or one with a default (:-) or an alternative (:+).",
  },
  "image.variable-unknown": {
    exit: 2,
    meaning: "A FROM uses a variable without a value that can be known here.",
    remedy: "Declare it with a plain default by ARG before the first FROM.",
  },
  "image.build-undeclared": {
    exit: 2,
    meaning: "image.yaml has no `build`, so that nothing says which argument, label or manifest is which.",
    remedy: "Declare `build` in image.yaml; docs/image.md lists its keys.",
  },
  "image.built-config": {
    exit: 1,
    meaning:
      "The image changes what its base says: ENTRYPOINT, CMD, USER or PATH; or the base has triggers (ONBUILD) that nothing counts.",
    remedy: "Leave them as the base has them; choose a base without ONBUILD.",
  },
  "image.built-label": {
    exit: 1,
    meaning: "An image's label is not what its tag or this build says.",
    remedy: "Never rebuild over the tag: find out who pushed it, and remove it if it is wrong.",
  },
  "image.built-path": {
    exit: 1,
    meaning: "The image's PATH does not lead to the commands.",
    remedy: "Choose a base whose PATH holds /usr/local/bin.",
  },
  "image.built-platform": {
    exit: 1,
    meaning: "The image is for another platform than image.yaml declares.",
    remedy: "Build on the declared platform, or choose a base for it.",
  },
  "image.built-secret": {
    exit: 1,
    meaning:
      "An image's ENV, LABEL or history holds something with the shape of a credential (requirement B12).",
    remedy: "Remove it at its source and revoke it; a build argument is not a place for a secret.",
  },
  "image.docker-failed": {
    exit: 3,
    meaning: "The docker command failed, or is not there.",
    remedy:
      "See its message; check that an engine answers (docker version) and that the registry can be reached.",
  },
  "image.expected-missing": {
    exit: 1,
    meaning:
      "No expected payload is committed for the image's pack and candidates, so that its manifest cannot be adopted.",
    remedy: "Commit manifests/<pack>/<target>[+<candidates>].json, made by a build that you have reviewed.",
  },
  "image.lock-argument": {
    exit: 2,
    meaning:
      "The lock's SHA-256 is given in a form that can be no digest, or twice, or not that of the given lock (requirement D5).",
    remedy: "Give the 64 lowercase hex digits of the workflow's verified artifact, once.",
  },
  "image.lock-default-drift": {
    exit: 1,
    meaning:
      "The Dockerfile's default for the lock's SHA-256 is not the one that the pack pins (requirements B6, D5).",
    remedy: "Write the pack's lock.sha256 as the default of the argument.",
  },
  "image.manifest-differs": {
    exit: 1,
    meaning: "The manifest inside an image is not the committed expected payload (design 4).",
    remedy: "Compare them with `sealpack diff`; a deliberate change is committed under manifests/ first.",
  },
  "image.manifest-no-release": {
    exit: 1,
    meaning: "The pack inside an image is no release: its tree was dirty, or it was never exercised.",
    remedy: "Build it from a clean commit.",
  },
  "image.no-digest": {
    exit: 3,
    meaning: "The engine knows no registry digest for an image that it has pulled or pushed.",
    remedy: "Check the repository's name in --tag.",
  },
} as const satisfies ErrorTable;

export type ImageCode = keyof typeof imageErrors;

export const imageError = errorsOf(imageErrors);
