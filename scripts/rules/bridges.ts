import { type Mutation, mutationsOf } from "./mutation.ts";

const frame = "bridges/runnerd/frame";
const options = "bridges/runnerd/parse-options";
const runnerd = "bridges/runnerd/runnerd";
const sidecar = "bridges/acpx-sidecar/sidecar";
const request = "bridges/acpx-sidecar/parse-request";
const grok = "bridges/grok-launcher/grok-launcher";
const start = "bridges/opencode-proxy/start-opencode";
const turn = "bridges/opencode-proxy/run-turn";
const events = "bridges/opencode-proxy/event-parser";
const retirement = "bridges/guardian/plan-retirement";
const compile = "pack/compile/compile-bridge";

export const bridgesMutations: readonly Mutation[] = [
  ...mutationsOf("bridges/runnerd/frame.ts", frame, [
    ["bridges.frame-malformed length", "if (message.length < 5) throw", "if (message.length < 0) throw"],
    [
      "bridges.frame-malformed type",
      'if (type === undefined) throw malformed("a known',
      'if (type === "hello") throw malformed("a known',
    ],
    ["bridges.frame-malformed credit", "if (count === 0) throw", "if (count < 0) throw"],
    [
      "bridges.frame-malformed keys",
      "if (unknown === undefined) return value as",
      "if (unknown !== null) return value as",
    ],
    ["bridges.frame-too-large", "if (payload.length > limit) {", "if (payload.length < 0) {"],
  ]),
  ...mutationsOf("bridges/runnerd/parse-options.ts", options, [
    [
      "bridges.usage modes",
      "if (mode === undefined || given.length > 1) throw",
      "if (mode === undefined) throw",
    ],
    [
      "bridges.usage ca",
      'if (values.ca !== undefined && mode !== "dial-wss") throw',
      "if (mode === undefined) throw",
    ],
    ["bridges.address-malformed scheme", "url.protocol !== scheme ||", ""],
    ["bridges.address-malformed query", "/[?#]/.test(text) ||", ""],
    ["bridges.address-malformed user", 'url.username !== "" ||', ""],
    ["bridges.address-malformed port", "port <= 65_535 &&", ""],
    [
      "bridges.address-not-loopback",
      'if (mode === "dial-ws-loopback" && !isLoopback(url.hostname)) {',
      'if (url.hostname === "") {',
    ],
  ]),
  ...mutationsOf("bridges/runnerd/ticket.ts", options, [
    ["bridges.ticket-missing", "/^[\\x21-\\x7e]{16,4096}$/.test(ticket)", 'ticket !== ""'],
    ["the ticket leaves the environment", "delete process.env[ticketVariable];", ""],
    [
      "tickets are compared whole",
      "return timingSafeEqual(digest(expected), digest(given));",
      "return expected.startsWith(given);",
    ],
  ]),
  ...mutationsOf("bridges/runnerd/listen.ts", runnerd, [
    [
      "bridges.ticket-refused",
      "if (!isTicket(ticket, parseBearer(headers.authorization))) return",
      'if (ticket === "") return',
      `${runnerd} > listening refuses`,
    ],
    [
      "a browser's page is refused",
      "if (headers.origin !== undefined) return",
      'if (ticket === "") return',
      `${runnerd} > listening refuses`,
    ],
    [
      "one controller at a time",
      'return taken ? "409 Conflict" : undefined;',
      "return taken ? undefined : undefined;",
      `${runnerd} > one controller at a time`,
    ],
  ]),
  ...mutationsOf("bridges/runnerd/dial.ts", runnerd, [
    [
      "bridges.certificate-refused",
      "rejectUnauthorized: true,",
      "rejectUnauthorized: false,",
      `${runnerd} > dial_wss refuses`,
    ],
    [
      "the given bundle alone counts",
      "...(ca === undefined ? {} : { ca: readBundle(ca) }),",
      "",
      `${runnerd} > dial-wss runs`,
    ],
  ]),
  ...mutationsOf("bridges/runnerd/credit.ts", runnerd, [
    [
      "bridges.run-refused credit",
      "if (left >= 0) return;",
      "if (left >= -Infinity) return;",
      `${runnerd} > input beyond the credit`,
    ],
    [
      "output waits for credit",
      "left -= count;\n      return count;",
      "return count;",
      `${runnerd} > a slow reader`,
    ],
  ]),
  ...mutationsOf("bridges/runnerd/serve-connection.ts", runnerd, [
    [
      "bridges.pack-differs",
      "if (manifest !== pack.manifest.digest) {",
      "if (manifest === undefined) {",
      `${runnerd} > another manifest`,
    ],
    [
      "bridges.run-refused number",
      "if (frame.run <= highest) throw",
      "if (frame.run < 0) throw",
      `${runnerd} > a number that was used`,
    ],
    [
      "bridges.frame-malformed hello first",
      "if (!greeted) throw",
      "if (greeted === undefined) throw",
      `${runnerd} > a start before hello`,
    ],
  ]),
  ...mutationsOf("bridges/runnerd/carry-socket.ts", runnerd, [
    [
      "bridges.connection-silent",
      "if (performance.now() - heard > 2 * interval) {",
      "if (interval < 0) {",
      `${runnerd} > a half-open connection`,
    ],
  ]),
  ...mutationsOf("bridges/pack-commands.ts", runnerd, [
    [
      "bridges.command-differs",
      "if (got === sha256) continue;",
      'if (got !== "") continue;',
      `${runnerd} > a changed command`,
    ],
    [
      "bridges.command-unknown",
      "return Object.hasOwn(record, name) ? record[name] : undefined;",
      "return record[name] ?? Object.values(record)[0];",
      `${runnerd} > an unknown command`,
    ],
  ]),
  ...mutationsOf("bridges/acpx-sidecar/profile.ts", sidecar, [
    [
      "bridges.profile-mismatch",
      "if (actual[key] === profile[key]) continue;",
      'if (actual[key] !== "") continue;',
      `${sidecar} > another version`,
    ],
  ]),
  ...mutationsOf("bridges/acpx-sidecar/create-host.ts", sidecar, [
    [
      "bridges.sidecar-busy",
      "if (session !== undefined || opening) throw",
      "if (opening) throw",
      `${sidecar} > a second session`,
    ],
    [
      "bridges.sidecar-no-session",
      "if (session !== undefined) return session;",
      "if (session !== null) return session as never;",
      `${sidecar} > a prompt before`,
    ],
    [
      "bridges.run-refused permission",
      "if (resolve === undefined) {",
      "if (request < 0) {",
      `${sidecar} > a permission that nobody`,
    ],
  ]),
  ...mutationsOf("bridges/acpx-sidecar/parse-request.ts", request, [
    ["bridges.frame-malformed id", "if (!isId(id)) throw", "if (id === null) throw"],
    ["bridges.frame-malformed unknown key", "if (!Object.hasOwn(keys, key)) throw", 'if (key === "") throw'],
    [
      "bridges.frame-malformed value",
      "given === undefined ? optional !== true : !is(given)",
      "given === undefined && optional !== true",
    ],
  ]),
  ...mutationsOf("bridges/grok-launcher/verify-grok.ts", grok, [
    ["bridges.grok-not-declared", "if (grok === undefined) {", "if (grok === null) {"],
    ["bridges.grok-missing", "if (isMissing(grok.path))", 'if (grok.path === "")'],
    ["bridges.grok-differs", "if (sha256 === grok.sha256) return", 'if (sha256 !== "") return'],
    [
      "bridges.grok-cannot-check",
      'throw bridgesError("bridges.grok-cannot-check",',
      'throw bridgesError("bridges.grok-missing",',
    ],
  ]),
  ...mutationsOf("bridges/opencode-proxy/start-opencode.ts", start, [
    ["bridges.opencode-version", "if (got === version) return;", 'if (got !== "") return;'],
    ["bridges.opencode-unprotected", "if (status === 401) return;", "if (status > 0) return;"],
  ]),
  ...mutationsOf("bridges/opencode-proxy/opencode-sessions.ts", start, [
    ["bridges.model-malformed", "/^([^/]+)\\/(.+)$/", "/^([^/]+)(.*)$/"],
  ]),
  ...mutationsOf("bridges/opencode-proxy/event-parser.ts", events, [
    [
      "bridges.opencode-events",
      'if (value === undefined || payload === undefined || typeof payload.type !== "string") {',
      "if (value === null) {",
    ],
  ]),
  ...mutationsOf("bridges/opencode-proxy/run-turn.ts", turn, [
    ["bridges.provider-failed", "failure = toProviderFailure(event.properties.error);", ""],
    [
      "bridges.provider-failed unfinished",
      "if (stopReason === undefined) reject(toBroken(reason));",
      'if (stopReason === undefined) resolve({ stopReason: "end_turn" });',
    ],
    [
      "bridges.provider-retries",
      "Number(status.attempt) > limits.retries",
      "Number(status.attempt) > Infinity",
    ],
    ["bridges.provider-stalled", "failure ??= toStalled(limits.stall);", ""],
    [
      "an earlier prompt's idle ends nothing",
      'if (event.type === "session.idle" && started) finish();',
      'if (event.type === "session.idle") finish();',
    ],
    ["nothing stalls while a tool works", "if (waiting > 0 || translator.busy()) return;", ""],
  ]),
  ...mutationsOf("bridges/guardian/plan-retirement.ts", retirement, [
    ["descendants end", "chosen.has(row.parent) ||", ""],
    ["groups that were named end", "wards.groups.has(row.group) ||", ""],
    ["known ones end", "wards.known.get(row.pid) === row.start ||", ""],
    ["spared ones stay", "wards.spared.has(row.pid) ||", ""],
  ]),
  ...mutationsOf("pack/compile/compile-bridge.ts", compile, [
    ["pack.bridge-input-outside", "/^(src|node_modules)\\/|^<define:/.test(input)", 'input !== ""'],
    [
      "pack.bridge-not-compiled",
      'throw compileError("pack.bridge-not-compiled",',
      'throw compileError("pack.bridge-no-bundler",',
    ],
    ["links stay as they are", "preserveSymlinks: true,", "preserveSymlinks: false,"],
    ["no configuration is read", 'tsconfigRaw: "{}",', ""],
  ]),
];
