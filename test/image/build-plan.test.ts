// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are Dockerfile variables
import { describe, expect, it } from "vitest";
import { type BuildPlan, parseBuildPlan } from "../../src/image/build-plan.ts";
import { digest, from, syntax } from "./support/scratch.ts";

const other = "b".repeat(64);

function plan(text: string, given: Record<string, string> = {}): BuildPlan {
  const buildArguments = new Map(Object.entries(given));
  return parseBuildPlan(Buffer.from(text), { file: "Dockerfile", platform: "linux/amd64", buildArguments });
}

function codes(text: string, given?: Record<string, string>): string[] {
  return plan(text, given).findings.map(({ code, line }) => `${code}:${line}`);
}

/** Behind the two lines that every sound Dockerfile has, so that the first line of `text` is line 3. */
function body(text: string): string {
  return `${syntax}\n${from}\n${text}`;
}

describe("what a Dockerfile is refused for", () => {
  const rows: readonly [name: string, text: string, ...codes: string[]][] = [
    ["no syntax line", `${from}\n`, "image.frontend-not-pinned:1"],
    ["a frontend by tag", `# syntax=docker/dockerfile:1.7\n${from}\n`, "image.frontend-not-pinned:1"],
    ["a base by tag", `${syntax}\nFROM debian:12\n`, "image.base-not-pinned:2"],
    ["a base by a short digest", `${syntax}\nFROM debian@sha256:abc\n`, "image.base-not-pinned:2"],
    ["a base by sha512", `${syntax}\nFROM debian@sha512:${"a".repeat(128)}\n`, "image.base-not-pinned:2"],
    [
      "all unpinned lines at once",
      `FROM a\nFROM b\nCOPY --from=c x y\n`,
      "image.frontend-not-pinned:1",
      "image.base-not-pinned:1",
      "image.base-not-pinned:2",
      "image.copy-from-not-pinned:3",
    ],
    ["COPY --from an image by tag", body("COPY --from=busybox:1 /a /b\n"), "image.copy-from-not-pinned:3"],
    [
      "a mount from an image by tag",
      body("RUN --mount=type=bind,from=busybox,target=/b ls\n"),
      "image.mount-from-not-pinned:3",
    ],
    [
      "the second of two mounts",
      body(`RUN --mount=type=cache,target=/c --mount=from=b:1,target=/b ls\n`),
      "image.mount-from-not-pinned:3",
    ],
    [
      "a cache mount from an image by tag",
      body("RUN --mount=type=cache,from=b:1,target=/b ls\n"),
      "image.mount-from-not-pinned:3",
    ],
    ["a secret mount", body("RUN --mount=type=secret,id=x cat /run/secrets/x\n"), "image.mount-type:3"],
    ["an agent mount", body("RUN --mount=type=ssh ls\n"), "image.mount-type:3"],
    ["a mount field twice", body("RUN --mount=from=a,from=b ls\n"), "image.flag-twice:3"],
    ["a remote ADD", body("ADD https://example.org/a.tgz /a\n"), "image.download-not-pinned:3"],
    [
      "a remote ADD with an empty checksum",
      body("ADD --checksum= https://example.org/a.tgz /a\n"),
      "image.download-not-pinned:3",
    ],
    ["a git ADD", body("ADD https://example.org/a.git#main /a\n"), "image.git-source:3"],
    ["a git ADD by ssh", body("ADD git@example.org:a/b /a\n"), "image.git-source:3"],
    ["COPY from above the context", body("COPY ../a /a\n"), "image.source-outside:3"],
    ["COPY from above, hidden", body("COPY a/../../b /a\n"), "image.source-outside:3"],
    ["a variable in a source", body("ARG X=a\nCOPY ${X:-y} /a\n"), "image.source-variable:4"],
    ["a quoted source", body(`COPY "a" /a\n`), "image.source-variable:3"],
    ["a source without destination", body("COPY a\n"), "image.copy-form:3"],
    ["JSON that is none", body("COPY [a, b] /a\n"), "image.json-form:3"],
    ["JSON with a number", body(`COPY ["a", 1]\n`), "image.json-form:3"],
    ["an unknown COPY flag", body("COPY --exclude=*.md a /a\n"), "image.flag-unknown:3"],
    ["--from twice", body("COPY --from=0 --from=1 a /a\n"), "image.flag-twice:3"],
    ["a variable in --from", body("COPY --from=$X a /a\n"), "image.flag-value:3"],
    ["--from this stage", body("COPY --from=0 a /a\n"), "image.stage-forward:3"],
    [
      "--from a stage that is later",
      body(`COPY --from=late a /a\nFROM scratch AS Late\n`),
      "image.stage-forward:3",
    ],
    ["--from a number of no stage", body("COPY --from=7 a /a\n"), "image.stage-forward:3"],
    ["FROM with an undeclared variable", `${syntax}\nFROM $X\n`, "image.variable-unknown:2"],
    [
      "FROM with a variable of a stage",
      `${body(`ARG X=debian@sha256:${digest}\n`)}FROM $X\n`,
      "image.variable-unknown:4",
    ],
    [
      "FROM with a builder's variable",
      `${syntax}\nFROM a-$TARGETARCH@sha256:${digest}\n`,
      "image.variable-unknown:2",
    ],
    ["FROM with a form not all builders know", `${syntax}\nARG X=a\nFROM \${X#a}\n`, "image.variable-form:3"],
    ["FROM with quotes", `${syntax}\nFROM "debian@sha256:${digest}"\n`, "image.variable-form:2"],
    ["a default that is unpinned", `${syntax}\nARG X\nFROM \${X:-debian:12}\n`, "image.base-not-pinned:3"],
    [
      "another platform",
      `${syntax}\nFROM --platform=linux/arm64 debian@sha256:${digest}\n`,
      "image.platform-differs:2",
    ],
    [
      "the builder's platform",
      `${syntax}\nFROM --platform=$BUILDPLATFORM debian@sha256:${digest}\n`,
      "image.platform-differs:2",
    ],
    ["two stages of one name", `${syntax}\n${from} AS a\n${from} AS A\n`, "image.stage-name:3"],
    ["a stage named scratch", `${syntax}\n${from} AS scratch\n`, "image.stage-name:2"],
    ["no FROM", `${syntax}\nARG X\n`, "image.no-stage:0"],
    ["RUN before FROM", `${syntax}\nRUN x\n${from}\n`, "image.before-from:2"],
    ["ONBUILD COPY", body("ONBUILD COPY . /x\n"), "image.onbuild:3"],
    ["ONBUILD RUN", body("ONBUILD RUN x\n"), "image.onbuild:3"],
    ["an unknown instruction", body("COPPY a b\n"), "image.instruction-unknown:3"],
    [
      "a here-document with a FROM in it",
      body("RUN <<EOF\nFROM debian:12\nEOF\n"),
      "image.heredoc:3",
      "image.base-not-pinned:4",
      "image.instruction-unknown:5",
    ],
    [
      "a here-document in COPY",
      body(`COPY <<"EOF" /a\nRUN x\nEOF\n`),
      "image.heredoc:3",
      "image.source-variable:3",
      "image.instruction-unknown:5",
    ],
    [
      "a directive behind a comment",
      `# a comment\n${syntax}\n${from}\n`,
      "image.frontend-not-pinned:1",
      "image.directive-late:2",
    ],
    [
      "a directive behind a blank line",
      `\n${syntax}\n${from}\n`,
      "image.frontend-not-pinned:1",
      "image.directive-late:2",
    ],
    [
      "an escape directive behind a comment",
      `${syntax}\n# c\n# escape=\`\n${from}\n`,
      "image.directive-late:3",
    ],
    ["a directive twice", `${syntax}\n${syntax}\n${from}\n`, "image.directive-twice:2"],
    ["an unknown escape", `${syntax}\n# escape=x\n${from}\n`, "image.escape-unknown:2"],
    [
      "a byte order mark",
      `\uFEFF${syntax}\n${from}\n`,
      "image.dockerfile-bom:1",
      "image.frontend-not-pinned:1",
      "image.directive-late:1",
    ],
    [
      "#! first",
      `#!/x\n${syntax}\n${from}\n`,
      "image.dockerfile-first-line:1",
      "image.frontend-not-pinned:1",
      "image.directive-late:2",
    ],
    [
      "// first",
      `// syntax=x\n${from}\n`,
      "image.dockerfile-first-line:1",
      "image.frontend-not-pinned:1",
      "image.before-from:1",
      "image.instruction-unknown:1",
    ],
    [
      "JSON first",
      `{"syntax":"x"}\n${from}\n`,
      "image.before-from:1",
      "image.dockerfile-first-line:1",
      "image.frontend-not-pinned:1",
      "image.instruction-unknown:1",
    ],
    ["a lone carriage return", body("RUN a\rRUN b\n"), "image.dockerfile-control:3"],
    ["a NUL", body("RUN a\u0000\n"), "image.dockerfile-control:3"],
    ["two escapes at a line's end", body("RUN a\\\\\nRUN b\n"), "image.escape-doubled:3"],
  ];
  it.each(rows)("%s", (_name, text, ...expected) => {
    expect(codes(text).sort()).toEqual(expected.sort());
  });

  it("an argument that is not declared, or that the builder takes without declaration", () => {
    expect(codes(body("ARG X\nARG HTTP_PROXY\n"), { X: "1" })).toEqual([]);
    for (const name of ["Y", "HTTP_PROXY", "no_proxy", "BUILDKIT_SYNTAX", "SOURCE_DATE_EPOCH"]) {
      expect(codes(body("ARG X\nARG HTTP_PROXY\n"), { [name]: "1" })).toEqual([
        "image.argument-undeclared:0",
      ]);
    }
  });
});

describe("what a Dockerfile takes", () => {
  it("reads CRLF as LF", () => {
    const text = body("RUN a \\\n b\nCOPY a b /c\n");
    const { instructions, locals, findings } = plan(text.replaceAll("\n", "\r\n"));
    expect(findings).toEqual([]);
    expect([instructions, locals]).toEqual([plan(text).instructions, plan(text).locals]);
  });

  it("joins continuations across comments and blank lines", () => {
    const { instructions, findings } = plan(body("RUN a \\\n# FROM debian:12\n\n  # c\n  b\nCOPY a /b\n"));
    expect(findings).toEqual([]);
    expect(instructions.map(({ keyword, line, text }) => [keyword, line, text]).slice(1)).toEqual([
      ["RUN", 3, "a   b"],
      ["COPY", 8, "a /b"],
    ]);
  });

  it("takes every usual instruction as it is", () => {
    const lines = [
      "LABEL a=\"b c\" d.e='f g' h=i\\ j",
      'ENV A="x y" B=z',
      "ENV A x y",
      'RUN echo "a  b" \\\n    # a comment, indented\n    && echo \'c # d\' \\\n # e\n\n    && echo "${A:-b}" # f',
      'RUN ["sh", "-c", "echo a"]',
      'SHELL ["/bin/sh", "-c"]',
      'ENTRYPOINT [ "a" , "b" ]',
      "CMD a | b > c; d || exit 1",
      'HEALTHCHECK --interval=5s --timeout=3s CMD ["a"]',
      "EXPOSE 80/tcp 443",
      'VOLUME ["/a"]',
      "WORKDIR /a",
      "USER 1:1",
      "STOPSIGNAL SIGTERM",
      "MAINTAINER a <b@example.org>",
      'COPY --chown=1:1 ["a b", "/c"]',
      "ADD --chown=a:b x y /z/",
      'RUN set -eux; \\\n\tfor x in a b; do \\\n\t\techo "$x"; \\\n\tdone',
    ];
    for (const line of lines) expect([line, codes(body(`${line}\n`))]).toEqual([line, []]);
  });

  it("follows the escape directive", () => {
    const { instructions, findings } = plan(`# escape=\`\n${syntax}\n${from}\nRUN a \`\nCOPY b\nRUN c:\\\n`);
    expect(findings).toEqual([]);
    expect(instructions.map(({ text }) => text).slice(1)).toEqual(["a COPY b", "c:\\"]);
  });

  it.each([
    ["a global default", `ARG X=debian@sha256:${digest}\nFROM $X\n`, {}, digest],
    ["a default in double quotes", `ARG X="debian@sha256:${digest}"\nFROM $X\n`, {}, digest],
    ["a default in single quotes", `ARG X='debian@sha256:${digest}'\nFROM $X\n`, {}, digest],
    ["a given value", `ARG X=debian:12\nFROM \${X}\n`, { X: `debian@sha256:${other}` }, other],
    ["an argument of an argument", `ARG A=debian\nARG X=$A@sha256:${digest}\nFROM $X\n`, {}, digest],
    ["a default word", `ARG X\nFROM \${X:-debian@sha256:${digest}}\n`, {}, digest],
    ["a nested default word", `ARG X\nARG Y\nFROM \${X:-\${Y:-debian@sha256:${digest}}}\n`, {}, digest],
    ["an alternative", `ARG X=1\nFROM \${X:+debian@sha256:${digest}}\n`, {}, digest],
    ["two arguments in one ARG", `ARG A=1 X=debian@sha256:${digest}\nFROM $X\n`, {}, digest],
  ] as const)("resolves FROM by %s", (_name, text, given, expected) => {
    const { references, findings } = plan(`${syntax}\n${text}`, given as Record<string, string>);
    expect(findings).toEqual([]);
    expect(references.map((reference) => reference.digest)).toEqual([`sha256:${expected}`]);
  });

  it("knows stages by name without case and by number, and takes nothing from outside for them", () => {
    const text = `${syntax}\n${from} AS Build\nFROM BUILD AS b2\nCOPY --from=0 a /a\nCOPY --from=BUILD b /b\nFROM scratch\nCOPY --from=B2 c /c\nRUN --mount=from=b2,target=/x ls\n`;
    const { references, locals, findings } = plan(text);
    expect([findings, locals]).toEqual([[], []]);
    expect(references.map(({ name }) => name)).toEqual(["debian"]);
  });

  it("takes images of COPY --from and of each mount", () => {
    const image = (name: string) => `${name}@sha256:${digest}`;
    const text = body(
      `COPY --from=${image("a")} /x /y\nRUN --mount=type=bind,from=${image("b")},target=/b --mount=from=${image("c")},target=/c ls\n`,
    );
    expect(plan(text).references.map(({ name }) => name)).toEqual(["debian", "a", "b", "c"]);
  });

  it.each([
    ["words", "COPY a b /c\n", ["a", "b"]],
    ["JSON", 'COPY [ "a b", "c" , "/d"]\n', ["a b", "c"]],
    ["JSON over lines", 'COPY ["a", \\\n "b", "/c"]\n', ["a", "b"]],
    ["the whole context", "COPY . .\n", [""]],
    ["a leading slash and inner dots", "COPY /a/./b/../c /d\n", ["a/c"]],
    ["a mount without from", "RUN --mount=type=bind,src=a/b,target=/x ls\n", ["a/b"]],
    ["a mount without source", "RUN --mount=target=/x ls\n", [""]],
    ["a local ADD", "ADD --chown=1:1 a.tgz /b\n", ["a.tgz"]],
    ["a lower-case instruction", "copy a /b\n", ["a"]],
    ["nothing of RUN in JSON", 'RUN ["COPY", "a", "b"]\n', []],
  ] as const)("takes local sources from %s", (_name, text, expected) => {
    const { locals, findings } = plan(body(text));
    expect(findings).toEqual([]);
    expect(locals.map(({ path }) => path)).toEqual(expected);
  });

  it("takes a download by its checksum", () => {
    const { downloads } = plan(body(`ADD --checksum=sha256:${digest} https://example.org/a.tgz /a\n`));
    expect(downloads).toEqual([{ line: 3, url: "https://example.org/a.tgz", checksum: `sha256:${digest}` }]);
  });
});

describe("hostile Dockerfiles", () => {
  it("refuses more than 256 KiB, and what is not UTF-8", () => {
    expect(() => plan(`${body("")}${"#\n".repeat(128 * 1024)}`)).toThrowError(
      expect.objectContaining({ code: "image.dockerfile-too-large" }),
    );
    const options = { file: "Dockerfile", platform: "linux/amd64", buildArguments: new Map() };
    expect(() => parseBuildPlan(Buffer.from([0x46, 0xff]), options)).toThrowError(
      expect.objectContaining({ code: "image.dockerfile-not-utf8" }),
    );
  });

  it.each([
    ["nested variables", `${syntax}\nARG X\nFROM ${"${X:-".repeat(2500)}a${"}".repeat(2500)}\n`],
    [
      "a variable that doubles",
      `${syntax}\n${Array.from({ length: 60 }, (_, i) => `ARG A${i + 1}=$A${i}$A${i}`).join("\n")}\nFROM $A60\n`.replace(
        "ARG A1=$A0$A0",
        "ARG A1=aa",
      ),
    ],
    [
      "many stages",
      `${syntax}\n${Array.from({ length: 3000 }, (_, i) => `FROM scratch AS s${i}`).join("\n")}\n`,
    ],
    ["a long continuation", `${body("RUN a")}${" \\\n b".repeat(9_000)}\n`],
    ["many blanks", `${body("COPY")}${" ".repeat(16_000)}a\n`],
    ["many dashes", body(`FROM ${"a-".repeat(8_000)}\n`)],
  ])("answers %s in time", (_name, text) => {
    const started = performance.now();
    plan(text);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
