import { describe, expect, it } from "vitest";
import { scanEnvFile, scanNpmrc, toNamedRule } from "../../../src/pack/secrets/named-files.ts";
import { isPrivateKey, longestSecret, scanText } from "../../../src/pack/secrets/scan-text.ts";

/** Made of pieces, so that this file itself is none of what it tests. */
const repeat = (text: string, length: number): string => text.repeat(length).slice(0, length);
const letters = (length: number): string => repeat("aB3dE5gH7jK9mN1pQ2sT4vW6", length);
const jwt = (payload: string): string =>
  [`eyJ${"hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"}`, payload, letters(43)].join(".");

const tokens: [name: string, token: string][] = [
  ["npm token", `npm_${letters(36)}`],
  ["GitHub token", `ghp_${letters(36)}`],
  ["GitHub token", `gho_${letters(36)}`],
  ["GitHub token", `ghs_${letters(40)}`],
  ["GitHub fine-grained token", `github_pat_${letters(22)}_${letters(59)}`],
  ["GitLab token", `glpat-${letters(20)}`],
  ["Anthropic key", `sk-ant-api03-${letters(93)}AA`],
  ["Anthropic key", `sk-ant-oat01-${letters(60)}`],
  ["OpenAI key", `sk-proj-${letters(74)}T3BlbkFJ${letters(74)}`],
  ["OpenAI key", `sk-${letters(20)}T3BlbkFJ${letters(20)}`],
  ["secret key", `sk-or-v1-${repeat("0123456789abcdef", 64)}`],
  ["secret key", `sk-${letters(48)}`],
  ["AWS access key", `AKIA${repeat("ABCDEFG234567", 16)}`],
  ["AWS access key", `ASIA${repeat("ABCDEFG234567", 16)}`],
  ["Slack token", `xoxb-${repeat("1234567890", 12)}-${repeat("1234567890", 12)}-${letters(24)}`],
  ["Slack token", `xoxp-${repeat("1234567890", 12)}-${letters(32)}`],
  ["Google API key", `AIza${letters(35)}`],
  ["Hugging Face token", `hf_${repeat("abCdEfGhIj", 34)}`],
  ["xAI key", `xai-${letters(80)}`],
  ["Stripe key", `sk_live_${letters(24)}`],
  ["E2B key", `e2b_${repeat("0123456789abcdef", 40)}`],
  ["Daytona key", `dtn_${repeat("0123456789abcdef", 64)}`],
  ["JSON Web Token", jwt("eyJzdWIiOiJhZ2VudC1ydW4ifQ")],
];

describe("scanText", () => {
  it.each(tokens)("finds a %s wherever a text may hold it", (name, token) => {
    const index = 7;
    for (const after of ["", "\n", '"', "'", " ", "@host", ";", "\\n", "&x=1", "`", ")"]) {
      expect(scanText(`TOKEN="${token}${after}`)).toEqual([{ code: "secrets.token", name, index }]);
    }
    expect(scanText(`//host/:_authToken=${token}`)).toHaveLength(1);
    expect(scanText(`https://user:${token}@host/`)).toHaveLength(1);
  });

  it.each([
    ["cut short", `npm_${letters(35)}`],
    ["too long for one", `npm_${letters(37)}`],
    ["a word's end", `xnpm_${letters(36)}`],
    ["in base64", `abc/AKIA${repeat("ABCDEFG234567", 16)}+abc`],
    ["in base64, at its beginning", `abc/AKIA${repeat("ABCDEFG234567", 16)} `],
    ["in base64, at its end", `AKIA${repeat("ABCDEFG234567", 16)}==`],
    ["with a digit that no key has", `AKIA${repeat("ABCDEFG018", 16)}`],
    ["a CSS class", "sk-progress-accessible-action-function-for-every-browser-there-is"],
    ["a placeholder", "sk-ant-api03-..., sk-proj-YOUR_KEY_HERE, ghp_xxxxxxxxxxxx, npm_TOKEN"],
    ["a list of prefixes", "sk-svcacct-sk-admin-sk-sk-ant-sk-or-OPENAI_API_KEYmissing"],
    ["every tutorial's JSON Web Token", jwt("eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0")],
    ["two parts of a JSON Web Token", jwt("eyJzdWIiOiJhIn0").split(".").slice(0, 2).join(".")],
    ["an SRI", `sha512-${repeat("Ab1+/", 86)}==`],
  ])("does not take %s for a token", (_, text) => {
    expect(scanText(text)).toEqual([]);
  });

  it("finds a token that begins an address", () => {
    expect(scanText(`https://ghp_${letters(36)}@host/`)).toHaveLength(1);
  });

  it("gives every hit in the order of the text", () => {
    const [a, b] = [`npm_${letters(36)}`, `ghp_${letters(36)}`];
    expect(scanText(`${b} ${a}\n${key(["X".repeat(64)].join())}`).map(({ name }) => name)).toEqual([
      "GitHub token",
      "npm token",
      "private key",
    ]);
  });

  it("never needs longer than it says, and is not slowed by text that almost matches", () => {
    const longest = Math.max(...tokens.map(([, token]) => token.length));
    expect(longest).toBeLessThan(longestSecret);
    const before = process.cpuUsage().user;
    for (const piece of [
      "eyJhbGci",
      "-----BEGIN PRIVATE KEY-----\n",
      "sk-",
      "sk-ant-ab01-",
      "npm_aaaa",
      "eyJhbGciaaaaaaaa.eyJaaaaaaaa.",
    ]) {
      scanText(piece.repeat(Math.ceil(1_000_000 / piece.length)));
    }
    expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
  });
});

const dashes = "-----";
function key(body: string, kind = ""): string {
  return `${dashes}BEGIN ${kind}PRIVATE KEY${dashes}${body}${dashes}END ${kind}PRIVATE KEY${dashes}`;
}
const lines = (count: number, separator: string): string =>
  separator + Array.from({ length: count }, () => repeat("Ab1+/", 64)).join(separator) + separator;

describe("isPrivateKey", () => {
  it.each([
    ["PEM", key(lines(25, "\n"))],
    ["PEM with CRLF", key(lines(25, "\r\n"), "RSA ")],
    ["one line of 64: Ed25519", key(lines(1, "\n"))],
    ["OpenSSH", key(lines(6, "\n"), "OPENSSH ")],
    [
      "encrypted, with headers",
      key(`\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n${lines(4, "\n")}`, "RSA "),
    ],
    ["escaped, as in JSON", key(lines(25, "\\n"))],
    [
      "joined in source code",
      key(`\\n" +\n  "${repeat("Ab1", 40)}\\n" +\n  "${repeat("Ab1", 40)}\\n" +\n  "`),
    ],
    ["indented, as in YAML", key(lines(4, "\n    "))],
    ["of 16384 bits", key(lines(200, "\n"), "RSA ")],
  ])("knows one in %s", (_, text) => {
    expect(isPrivateKey(text)).toBe(true);
    expect(scanText(`key: "${text}"`)).toMatchObject([{ code: "secrets.private-key", index: 6 }]);
  });

  it.each([
    ["a placeholder", key("\n...\n")],
    ["63 characters", key(`\n${repeat("Ab1", 63)}\n`)],
    [
      "code that parses keys",
      key("`; const body = text.replace(/x/g, ''); if (body.length > 64) throw new Error(`"),
    ],
    ["a key without an end", `${dashes}BEGIN PRIVATE KEY${dashes}${lines(9, "\n")}`],
    [
      "prose",
      key(" is how a key begins and what follows is base64 with lines of sixty four characters until "),
    ],
    ["a mark before another key's end", `${dashes}BEGIN PRIVATE KEY${dashes} ${key(lines(1, "\n"))}`],
  ])("does not take %s for one", (_, text) => {
    expect(isPrivateKey(text)).toBe(false);
  });

  it("does not take a certificate or a public key for one", () => {
    const body = lines(9, "\n");
    expect(scanText(`${dashes}BEGIN CERTIFICATE${dashes}${body}${dashes}END CERTIFICATE${dashes}`)).toEqual(
      [],
    );
    expect(scanText(`${dashes}BEGIN PUBLIC KEY${dashes}${body}${dashes}END PUBLIC KEY${dashes}`)).toEqual([]);
  });
});

describe("scanEnvFile", () => {
  it.each([
    ["KEY=value", 1],
    ["# note\n\nexport KEY = 'value'", 1],
    ["A=1\r\nB=2\r\n", 2],
    ["KEY=", 0],
    ["KEY=\r\nB=''\n", 0],
    ['KEY="" # nothing', 0],
    ["KEY= # nothing", 0],
    ["# KEY=value", 0],
    ["", 0],
  ])("finds in %j %d assignments", (text, count) => {
    expect(scanEnvFile(text)).toHaveLength(count);
  });
});

const reference = "$TOKEN".replace("TOKEN", "{TOKEN}");

describe("scanNpmrc", () => {
  it.each([
    ["_authToken=abc", 1],
    ["//host/path/:_authToken = abc", 1],
    ["//host/:_password=abc\n//host/:username=me", 1],
    ["_auth=abc\n_AUTH=abc", 2],
    [`//host/:_authToken=${reference}`, 0],
    [`//host/:_authToken="${reference}"`, 0],
    [`//host/:_authToken=${reference}abc`, 1],
    ["; _authToken=abc\n# _auth=abc", 0],
    ["registry=https://host/\nalways-auth=true", 0],
    ["_authToken=", 0],
  ])("finds in %j %d credentials", (text, count) => {
    expect(scanNpmrc(text)).toHaveLength(count);
  });
});

describe("toNamedRule", () => {
  it.each([
    [".env", scanEnvFile],
    ["a/.env.local", scanEnvFile],
    ["a/.ENV.production", scanEnvFile],
    ["a/.env.example", undefined],
    ["a/.env.local.sample", undefined],
    ["a/.environment", undefined],
    ["a.env/x", undefined],
    [".npmrc", scanNpmrc],
    ["a/b/.npmrc", scanNpmrc],
    ["a/.npmrc.js", undefined],
  ])("of %s", (path, rule) => {
    expect(toNamedRule(path)).toBe(rule);
  });
});
