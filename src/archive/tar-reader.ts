import { archiveError } from "./errors.ts";
import { isZero } from "./is-zero.ts";
import type { Limits } from "./limits.ts";
import { blockBytes, parseHeader, type TarHeader } from "./parse-header.ts";
import { assertHarmlessGlobal, type PaxFields, parsePax } from "./parse-pax.ts";
import { parsePath, parseText } from "./parse-text.ts";
import { showText } from "./show-text.ts";

/** One file or directory, its path as the archive has it without a directory's last slash. */
export interface TarEntry {
  readonly path: string;
  readonly kind: "file" | "directory";
  readonly mode: number;
  readonly size: number;
}

/** Where entries go. For a file: `open`, then `write` until its size is reached, then `close`. */
export interface EntrySink {
  open(entry: TarEntry): void;
  write(chunk: Uint8Array): void;
  close(): void;
}

type State = "header" | "body" | "extension" | "padding" | "one-zero-block" | "ended";

/** Reads a tar stream chunk by chunk, in memory that does not grow with it, and refuses what readers disagree about. */
export class TarReader {
  readonly #sink: EntrySink;
  readonly #limits: Limits;
  readonly #label: string;
  readonly #block = new Uint8Array(blockBytes);
  #filled = 0;
  #state: State = "header";
  #remaining = 0;
  #padding = 0;
  #headers = 0;
  #entries = 0;
  #bytes = 0;
  #extension: { readonly header: TarHeader; readonly parts: Uint8Array[] } | undefined;
  #extensionBytes = 0;
  #pax: PaxFields | undefined;
  #longName: Uint8Array | undefined;

  constructor(sink: EntrySink, limits: Limits, label: string) {
    this.#sink = sink;
    this.#limits = limits;
    this.#label = label;
  }

  /** Number of files and directories so far. */
  get entries(): number {
    return this.#entries;
  }

  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#assertWithin("archive.too-many-bytes", this.#bytes, this.#limits.bytes, this.#label);
    let offset = 0;
    while (offset < chunk.length) offset += this.#consume(chunk, offset);
  }

  /** @throws archive.truncated, archive.lone-zero-block, archive.empty, archive.extension-dangling */
  end(): void {
    const subject = this.#label;
    if (this.#state === "one-zero-block") throw loneZeroBlock(subject);
    if (this.#state !== "ended") {
      throw archiveError("archive.truncated", {
        subject,
        expected: "two zero blocks",
        got: "the end of the data",
      });
    }
    if (this.#entries === 0)
      throw archiveError("archive.empty", { subject, expected: "entries", got: "none" });
  }

  /** Takes some bytes from `offset` on, as the state asks, and returns how many. */
  #consume(chunk: Uint8Array, offset: number): number {
    switch (this.#state) {
      case "body":
      case "extension":
        return this.#takeBody(chunk, offset);
      case "padding":
        return this.#takePadding(chunk, offset);
      case "ended":
        return this.#takeZeros(chunk, offset);
      default:
        return this.#takeHeader(chunk, offset);
    }
  }

  #takeHeader(chunk: Uint8Array, offset: number): number {
    const part = chunk.subarray(offset, offset + blockBytes - this.#filled);
    this.#block.set(part, this.#filled);
    this.#filled += part.length;
    if (this.#filled === blockBytes) {
      this.#filled = 0;
      if (isZero(this.#block)) this.#onZeroBlock();
      else this.#onHeader();
    }
    return part.length;
  }

  #onZeroBlock(): void {
    if (this.#pax !== undefined || this.#longName !== undefined) {
      throw archiveError("archive.extension-dangling", {
        subject: this.#label,
        expected: "an entry after its extension header",
        got: "the end of the archive",
      });
    }
    this.#state = this.#state === "one-zero-block" ? "ended" : "one-zero-block";
  }

  #onHeader(): void {
    if (this.#state === "one-zero-block") throw loneZeroBlock(this.#label);
    this.#headers += 1;
    this.#assertWithin("archive.too-many-entries", this.#headers, this.#limits.entries, this.#label);
    const header = parseHeader(this.#block, `${this.#label}, header ${this.#headers}`);
    if (header.kind === "file" || header.kind === "directory") this.#openEntry(header, header.kind);
    else this.#openExtension(header);
  }

  #openEntry(header: TarHeader, kind: TarEntry["kind"]): void {
    const path = parsePath(this.#pax?.path ?? this.#longName ?? header.path, this.#label);
    const subject = `${this.#label}: ${showText(path)}`;
    const size = this.#pax?.size ?? header.size;
    this.#pax = undefined;
    this.#longName = undefined;
    if (kind === "directory" && size !== 0) {
      throw archiveError("archive.directory-size", { subject, expected: "0", got: `${size}` });
    }
    this.#assertWithin("archive.file-too-large", size, this.#limits.fileBytes, subject);
    this.#entries += 1;
    this.#sink.open({
      path: kind === "directory" ? path.replace(/\/$/, "") : path,
      kind,
      mode: header.mode,
      size,
    });
    this.#expect("body", size);
  }

  #openExtension(header: TarHeader): void {
    const subject = `${this.#label}, header ${this.#headers}`;
    this.#extensionBytes += header.size;
    this.#assertWithin("archive.extension-too-large", header.size, this.#limits.extensionBytes, subject);
    this.#assertWithin(
      "archive.extension-too-large",
      this.#extensionBytes,
      this.#limits.extensionTotal,
      subject,
    );
    this.#extension = { header, parts: [] };
    this.#expect("extension", header.size);
  }

  #expect(state: "body" | "extension", size: number): void {
    this.#state = state;
    this.#remaining = size;
    this.#padding = (blockBytes - (size % blockBytes)) % blockBytes;
    if (size === 0) this.#closeBody();
  }

  #takeBody(chunk: Uint8Array, offset: number): number {
    const part = chunk.subarray(offset, offset + this.#remaining);
    if (this.#extension === undefined) this.#sink.write(part);
    else this.#extension.parts.push(Uint8Array.from(part));
    this.#remaining -= part.length;
    if (this.#remaining === 0) this.#closeBody();
    return part.length;
  }

  #closeBody(): void {
    const extension = this.#extension;
    this.#extension = undefined;
    if (extension === undefined) this.#sink.close();
    else this.#applyExtension(extension.header, Buffer.concat(extension.parts));
    this.#state = this.#padding === 0 ? "header" : "padding";
  }

  #applyExtension(header: TarHeader, body: Uint8Array): void {
    const subject = `${this.#label}, header ${this.#headers}`;
    if (header.kind === "pax-global") {
      assertHarmlessGlobal(parsePax(body, subject), subject);
    } else if (header.kind === "pax") {
      if (this.#pax !== undefined) throw nameTwice(subject);
      this.#pax = parsePax(body, subject);
    } else {
      if (this.#longName !== undefined) throw nameTwice(subject);
      this.#longName = parseText(body, subject);
    }
    if (this.#pax?.path !== undefined && this.#longName !== undefined) throw nameTwice(subject);
  }

  #takePadding(chunk: Uint8Array, offset: number): number {
    const taken = Math.min(this.#padding, chunk.length - offset);
    this.#padding -= taken;
    if (this.#padding === 0) this.#state = "header";
    return taken;
  }

  /** Writers fill the last record with zeros; anything else behind the end mark is hidden from other readers. */
  #takeZeros(chunk: Uint8Array, offset: number): number {
    const rest = chunk.subarray(offset);
    if (isZero(rest)) return rest.length;
    throw archiveError("archive.trailing-data", {
      subject: this.#label,
      expected: "only zero bytes",
      got: "data",
    });
  }

  #assertWithin(
    code:
      | "archive.too-many-bytes"
      | "archive.too-many-entries"
      | "archive.file-too-large"
      | "archive.extension-too-large",
    value: number,
    limit: number,
    subject: string,
  ): void {
    if (value > limit)
      throw archiveError(code, { subject, expected: `at most ${limit}`, got: `${value} or more` });
  }
}

function loneZeroBlock(subject: string) {
  return archiveError("archive.lone-zero-block", { subject, expected: "two zero blocks", got: "one" });
}

function nameTwice(subject: string) {
  return archiveError("archive.name-twice", {
    subject,
    expected: "one extension header",
    got: "a second one",
  });
}
