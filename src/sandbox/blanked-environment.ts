import { blankedVariables } from "./executor.ts";

/** For transports that set variables by an object: what `clean` sends. */
export function toBlankedEnvironment(clean: boolean): Record<string, string> {
  return clean ? Object.fromEntries(blankedVariables.map((name) => [name, ""])) : {};
}
