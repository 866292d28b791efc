/**
 * What the first line of the program says, `#!/usr/bin/env -S NAME=value … node --flag …`: the image and the benches start it with that. With
 * `npm start` and as the command it is read by scripts/with-runtime.mjs and src/cli/plinth.mjs, which run on older Node.js.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const program = readFileSync(join(import.meta.dirname, "../src/cli/main.ts"), "utf8");
const [, variables = "", flags = ""] = /^#!\S+ -S (.+) node (.+)$/m.exec(program) ?? [];

/** `NAME=value` of each. */
export const programVariables = variables.split(" ");
export const programFlags = flags.split(" ");
