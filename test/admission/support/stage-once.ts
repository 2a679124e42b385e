import { admit } from "../../../src/admission/admit.ts";
import { dockerSandbox } from "../../../src/sandbox/docker-sandbox.ts";

/** A controller to be killed: stages a pack into a container as its user `agent`, and says on stderr how far it has come. */
const [container = "", pack = ""] = process.argv.slice(2);
let last = "";
await admit({
  sandbox: dockerSandbox(container, { user: "agent" }),
  expected: pack,
  commands: [],
  stage: {
    pack,
    onProgress: ({ step }) => {
      if (step !== last) process.stderr.write(`step: ${step}\n`);
      last = step;
    },
  },
});
