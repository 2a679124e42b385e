import { acceptRows } from "../support/accept.ts";

await acceptRows("bridges");
