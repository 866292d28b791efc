/**
 * Writes docs/reference/errors.md from the tables of codes in the source. With `--check` it writes nothing and exits
 * with 1 when the page is not what the tables say.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { assistantErrors } from "../src/assistant/error-codes.ts";
import { authAreaErrors } from "../src/auth/errors.ts";
import { builderErrors } from "../src/builder/errors.ts";
import { cliErrors } from "../src/cli/exit-codes.ts";
import { coordinatorErrors } from "../src/coordinator/errors.ts";
import { authErrors } from "../src/platform/auth/errors.ts";
import { configErrors } from "../src/platform/config/errors.ts";
import { dataLayerErrors } from "../src/data-layer/errors.ts";
import { governanceErrors } from "../src/governance/errors.ts";
import { databaseErrors } from "../src/platform/db/errors.ts";
import { httpErrors } from "../src/platform/http/errors.ts";
import { upgradeErrors } from "../src/upgrade/errors.ts";

interface Entry {
  status: number;
  meaning: string;
  solution: string;
}

const target = new URL("../docs/reference/errors.md", import.meta.url);

/** Every table of codes, by the heading that it stands under. */
const tables: Record<string, Record<string, Entry>> = {
  "Requests to any interface": httpErrors,
  "Signing in": authErrors,
  "Tokens (`/api/auth`)": authAreaErrors,
  Database: databaseErrors,
  Configuration: configErrors,
  "Builder (area A)": builderErrors,
  "Assistant (area B)": assistantErrors,
  "Coordinator (area C)": coordinatorErrors,
  "Governance (CGP)": governanceErrors,
  "Data layer": dataLayerErrors,
  "Command line": cliErrors,
  Upgrades: upgradeErrors,
};

const intro = `# Errors

<!-- Made by scripts/reference-errors.ts from the tables in the source; change them there. -->

Every failure has a code. Codes are only ever added: programs may rely on them, not on the texts. The status is what an
HTTP operation answers with it; codes of the start of the server and of the command line have one for consistency
only. A code has the same meaning in every interface; the body differs:

| Interface | Body |
|---|---|
| Builder, \`/api/builder\` | \`{"error": {name, message, code, problems?}, "request": {method, url}, "response": {statusCode}}\` |
| Assistant, \`/api/assistant/v2\` | 422: \`{"detail": [{loc, msg, type, input?, ctx?}]}\`; otherwise \`{"detail": text, "code": code}\` |
| Coordinator, \`/api/coordinator\` | \`{"errors": [text], code, userMessage, input, inputErrorField, "moreInfo": {"problems": [text], "solutions": [text]}}\` |
| Governance, \`/v1/computational-governance\` | as the coordinator's |
| Data layer, \`/graphql\` | \`{"errors": [{message, "extensions": {code}}]}\`; below \`/api/data-layer\` as the coordinator's |
| Tokens, \`/api/auth\`, and paths outside all of them | \`{"error": {code, message, problems, solutions, requestId}}\` |

All problems of a request are listed, not the first alone. A problem is placed by a JSON pointer into the body
(\`/targetStatus/0/componentId\`), the name of a parameter or header, or \`line:column\` in a YAML text. The assistant
answers 422 wherever the others answer 400. Answers 429 and 503 carry \`Retry-After\` in seconds, 401 and 403
\`WWW-Authenticate\`, and every answer \`X-Request-Id\`, which the log lines of the request have too.
`;

const row = ([code, { status, meaning, solution }]: [string, Entry]): string =>
  `| \`${code}\` | ${[String(status), meaning, solution].map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

const section = ([heading, table]: [string, Record<string, Entry>]): string =>
  [
    `## ${heading}`,
    "",
    "| Code | Status | Meaning | What to do |",
    "|---|---|---|---|",
    ...Object.entries(table).map(row),
  ].join("\n");

const page = `${[intro.trimEnd(), ...Object.entries(tables).map(section)].join("\n\n")}\n`;

if (process.argv.includes("--check")) {
  const same = readFileSync(target, "utf8") === page;
  if (!same) {
    process.stderr.write(
      "docs/reference/errors.md is not up to date: run `node scripts/reference-errors.ts`.\n",
    );
    process.exitCode = 1;
  }
} else writeFileSync(target, page);
