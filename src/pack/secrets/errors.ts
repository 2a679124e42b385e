import { type ErrorTable, errorsOf } from "../../errors.ts";

/** Credentials that must not be in a pack (B12, design 7). A finding names the place and the shape, never the secret. */
export const secretsErrors = {
  "secrets.token": {
    exit: 1,
    meaning: "A text file holds something with the shape of a provider's access token.",
    remedy: "Remove it at its source and revoke it; a published token is a lost one.",
  },
  "secrets.private-key": {
    exit: 1,
    meaning: "A text file holds a private key: BEGIN, 64 base64 characters or more, END.",
    remedy: "Remove it at its source; if it is a package's test key, leave the file out with omit.",
  },
  "secrets.env-file": {
    exit: 1,
    meaning: "A .env file sets a variable.",
    remedy: "Leave the file out with omit, or keep only .env.example.",
  },
  "secrets.npmrc": {
    exit: 1,
    meaning: "An .npmrc holds a credential.",
    remedy: "Leave the file out with omit; npm's credentials belong to the machine that builds.",
  },
  "secrets.unreadable": {
    exit: 3,
    meaning: "A file of the tree could not be searched for credentials.",
    remedy: "Check that nothing else changes the tree while it is built.",
  },
} as const satisfies ErrorTable;

export const secretsError = errorsOf(secretsErrors);

export type SecretsCode = keyof typeof secretsErrors;
