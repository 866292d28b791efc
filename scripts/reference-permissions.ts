/**
 * Writes docs/reference/permissions.md from the policy table and the committed OpenAPI documents. With `--check` it writes nothing
 * and exits with 1 when the page is not what they say.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { policyAreas, scopesOf, type PolicyId, type Rule } from "../src/platform/auth/policy.ts";
import type { Role } from "../src/platform/lib/actor.ts";

const target = new URL("../docs/reference/permissions.md", import.meta.url);
const documents = new URL("../openapi/", import.meta.url);

const roles: readonly Role[] = ["viewer", "developer", "operator", "admin", "service"];

const intro = `# Who may do what

<!-- Made by scripts/reference-permissions.ts from src/platform/auth/policy.ts; change it there. -->

Every operation asks for one rule of this table. A caller needs one of the roles that are marked, and a token with
[scopes](../guides/tokens.md#scopes) besides needs one that is good for the rule. A role stands for exactly what is marked here:
\`admin\` is no special case, and nothing is inherited.

| Role | For |
|---|---|
| \`viewer\` | people and programs that read |
| \`developer\` | people who make and deploy systems |
| \`operator\` | people who run the platform for others |
| \`admin\` | people who also decide who may do what |
| \`service\` | programs that act for people; they decide nothing that needs a person |

Some operations also ask whose it is that they are about: units by [ownership](../guides/ownership.md), entities, tasks, hooks,
requests and sessions by their owners. The marks say who may ask at all.

The column of scopes has the narrowest ones: \`<area>:read\` where the operation changes nothing, else the area. \`<area>:<rule>\` is
good for one rule alone, and \`read\` and \`all\` are good for all areas.
`;

/** The operations of the documents, by the rule that they ask for. */
const operations = new Map<string, string[]>();
for (const file of readdirSync(documents).toSorted()) {
  const { servers = [], paths = {} } = JSON.parse(
    readFileSync(new URL(file, documents), "utf8"),
  ) as ApiDocument;
  const prefix = (servers[0]?.url ?? "").replace(/\/$/, "");
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { "x-rule": rule }] of Object.entries(methods)) {
      if (rule === undefined) continue;
      const shown = `\`${method.toUpperCase()} ${prefix}${path}\``;
      operations.set(rule, [...(operations.get(rule) ?? []), shown]);
    }
  }
}

interface ApiDocument {
  servers?: { url: string }[];
  paths?: Record<string, Record<string, { "x-rule"?: string }>>;
}

/** Those that no document has, since they belong to no interface. */
const others: Record<string, string> = {
  healthz: "`GET /healthz`",
  readyz: "`GET /readyz`",
  metrics: "`GET /metrics`",
  openapiDocument: "each interface's `openapi.json`",
};

const mark = (rule: Rule, role: Role): string =>
  rule === "public" || rule.roles.includes(role) ? "yes" : "";

const scopeCell = (id: PolicyId, area: string): string => {
  const scopes = scopesOf(id);
  if (scopes.length === 0) return "none needed";
  return `\`${scopes.includes(`${area}:read`) ? `${area}:read` : area}\``;
};

const row = (area: string, id: PolicyId, rule: Rule): string => {
  const where = operations.get(id)?.join("<br>") ?? others[id] ?? "part of others";
  const marks = roles.map((role) => mark(rule, role));
  const scope = rule === "public" ? "no token needed" : scopeCell(id, area);
  return `| \`${id}\` | ${marks.join(" | ")} | ${scope} | ${where} |`;
};

const section = ([area, rules]: [string, Record<string, Rule>]): string =>
  [
    `## ${area}`,
    "",
    `| Rule | ${roles.join(" | ")} | Scope | Operations |`,
    `|---|${roles.map(() => "---").join("|")}|---|---|`,
    ...Object.entries(rules).map(([id, rule]) => row(area, id as PolicyId, rule)),
  ].join("\n");

const page = `${[intro.trimEnd(), ...Object.entries(policyAreas).map(section)].join("\n\n")}\n`;

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== page) {
    process.stderr.write(
      "docs/reference/permissions.md is not up to date: run `node scripts/reference-permissions.ts`.\n",
    );
    process.exitCode = 1;
  }
} else writeFileSync(target, page);
