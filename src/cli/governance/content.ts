/** Pure. What a policy says, as a file holds it: the body that creates one. */
import { isDeepStrictEqual } from "node:util";
import type { Problem } from "../../platform/errors/failure.ts";
import { nearest } from "../../platform/config/hints.ts";

export type PolicyContent = Record<string, unknown>;

/** In the order of files, with what the server takes where a file leaves it out. */
export const contentDefaults: Readonly<Record<string, unknown>> = {
  name: undefined,
  description: undefined,
  advice: undefined,
  kind: "policy",
  tags: [],
  severity: "error",
  context: "local",
  resourceType: undefined,
  environments: [],
  select: undefined,
  strategy: "default",
  timing: "deployment",
  trigger: "active",
  schedule: undefined,
  onError: "warn",
  engine: undefined,
  spec: undefined,
  thresholds: [],
  cueScript: undefined,
};

const required = ["id", "name", "engine", "spec"] as const;
/** Set by the server, or by operations of their own. */
const notInFiles = new Set([
  "version",
  "status",
  "graceUntil",
  "createdAt",
  "createdBy",
  "updatedAt",
  "updatedBy",
]);

/** Every problem that shows without a server; `where` is the field. */
export function fieldProblems(given: Record<string, unknown>): Problem[] {
  const missing = required.flatMap((field) =>
    given[field] === undefined || given[field] === null || given[field] === ""
      ? [
          {
            where: field,
            message: "The policy has no such field.",
            solution: `Give the policy its ${field}.`,
          },
        ]
      : [],
  );
  const unknown = Object.keys(given).flatMap((field) => {
    if (field === "id" || Object.hasOwn(contentDefaults, field)) return [];
    if (notInFiles.has(field))
      return [
        {
          where: field,
          message: "This field is no part of a file: the server sets it.",
          solution: "Remove it; `plinth policy status` changes the status.",
        },
      ];
    const meant = nearest(field, ["id", ...Object.keys(contentDefaults)]);
    const solution = meant === undefined ? "Remove it." : `Did you mean ${meant}?`;
    return [{ where: field, message: "Policies have no such field.", solution }];
  });
  return [...missing, ...unknown];
}

/** With the defaults, and without what is none of a policy's content, so that a file and a record can be compared. */
export function contentOf(given: Record<string, unknown>): PolicyContent {
  const content: PolicyContent = {};
  for (const [field, usual] of Object.entries(contentDefaults)) {
    const value = given[field] ?? usual;
    if (value !== undefined) content[field] = value;
  }
  // Of these policies it is the spec's own text, added by the server.
  if (content["engine"] === "cue") delete content["cueScript"];
  return content;
}

/** As a file holds it: without what is as usual. */
export const fileFormOf = (id: string, content: PolicyContent): PolicyContent => ({
  id,
  ...Object.fromEntries(
    Object.entries(content).filter(([field, value]) => !isDeepStrictEqual(value, contentDefaults[field])),
  ),
});
