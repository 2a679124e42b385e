import * as z from "zod";
import { packSchema } from "./pack-schema.ts";

/** The text of schemas/pack.schema.json, which gives editors completion; it is generated and committed. */
export function printPackSchema(): string {
  const schema = z.toJSONSchema(packSchema, { target: "draft-2020-12", io: "input" });
  return `${JSON.stringify(schema, null, 2)}\n`;
}
