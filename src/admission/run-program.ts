import { Buffer } from "node:buffer";
import { deflateRawSync } from "node:zlib";
import { toShellWord } from "../sandbox/shell-quote.ts";

/** Unpacks the program that its first argument is and runs it, with the other arguments where the program looks for its own. */
const bootstrap =
  'eval(require("zlib").inflateRawSync(Buffer.from(process.argv[1],"base64")).toString("latin1"))';

/** Shell text that sets `variable` to a program's packed text: named once in a script, however often it runs. */
export function toProgramVariable(variable: string, program: string): string {
  return `${variable}=${deflateRawSync(program, { level: 9 }).toString("base64")}\n`;
}

/**
 * The words that run a program by an interpreter: both are shell words. No options or configuration of the environment's reach it; the
 * file system root is where it starts.
 */
export function toProgramCall(interpreter: string, program: string): string {
  return `OPENSSL_CONF=/dev/null ${interpreter} --input-type=commonjs -e ${toShellWord(bootstrap)} ${program}`;
}

/** For arguments that are JSON: no quote in them needs care. */
export function toArgument(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64");
}
