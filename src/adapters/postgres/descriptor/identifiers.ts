/** Names of things in PostgreSQL: checked when they come in, always quoted when they go out. Pure. */
import { createHash } from "node:crypto";

import type { Problem } from "../../../platform/errors/failure.ts";
import { postgresLimits } from "../limits.ts";

export interface RelationName {
  schema: string;
  name: string;
}

/** The schema of the adapter's own tables. */
export const bookkeepingSchema = "plinth_adapter";

export const quote = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;

export const quoteRelation = ({ schema, name }: RelationName): string => `${quote(schema)}.${quote(name)}`;

/** For messages. */
export const showRelation = ({ schema, name }: RelationName): string => `${schema}.${name}`;

export const sameRelation = (left: RelationName, right: RelationName): boolean =>
  left.schema === right.schema && left.name === right.name;

/** A string literal, for the few statements (COMMENT) that take no parameters. */
export const quoteLiteral = (text: string): string => {
  const doubled = text.replaceAll("'", "''");
  return text.includes("\\") ? `E'${doubled.replaceAll("\\", "\\\\")}'` : `'${doubled}'`;
};

/** @returns what is wrong with a name, as one problem, or none. */
export function identifierProblems(value: unknown, where: string): Problem[] {
  const solution = `Use 1 to ${postgresLimits.identifierBytes} bytes of printable text.`;
  if (typeof value !== "string" || value === "") {
    return [{ where, message: "must be a name, and is missing or empty", solution }];
  }
  if (Buffer.byteLength(value) > postgresLimits.identifierBytes) {
    const message = `is longer than the ${postgresLimits.identifierBytes} bytes that PostgreSQL keeps of a name`;
    return [{ where, message, solution }];
  }
  if (value.trim() !== value || /\p{Cc}/u.test(value) || !value.isWellFormed()) {
    return [{ where, message: "has spaces at an end or control characters", solution }];
  }
  return [];
}

export function schemaNameProblems(value: unknown, where: string): Problem[] {
  const problems = identifierProblems(value, where);
  if (problems.length > 0 || typeof value !== "string") return problems;
  if (/^pg_/i.test(value) || value === "information_schema" || value === bookkeepingSchema) {
    const message = `${value} is reserved`;
    return [{ where, message, solution: "Use a schema of your own." }];
  }
  return [];
}

export function relationNameProblems(value: unknown, where: string): Problem[] {
  const problems = identifierProblems(value, where);
  if (problems.length > 0 || typeof value !== "string") return problems;
  if (/__(kept_\d+|stage)$/.test(value)) {
    return [{ where, message: "ends like the names that the adapter gives to kept and staging tables" }];
  }
  return [];
}

/** Shortens a name to what PostgreSQL keeps, at a character's border, leaving room for a suffix. */
export function fitName(name: string, suffix: string): string {
  const maxBytes = postgresLimits.identifierBytes - Buffer.byteLength(suffix);
  let fitted = "";
  let bytes = 0;
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    fitted += character;
  }
  return fitted + suffix;
}

/** A temporary name inside one transaction, which no other component uses at the same time. */
export const stageName = (component: string): string =>
  `plinth_${createHash("sha256").update(component).digest("hex").slice(0, 24)}__stage`;

/**
 * The name of a role for something whose own name has any length and any characters: the text itself when it is
 * harmless and short enough, else its harmless part and a hash, so that two texts never share a role.
 */
export function roleNameFor(text: string): string {
  const harmless = text.replaceAll(/[^A-Za-z0-9_.:/@-]/g, "_");
  if (harmless === text && Buffer.byteLength(text) <= postgresLimits.identifierBytes) return text;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return fitName(harmless, `_${hash}`);
}
