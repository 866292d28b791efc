/** Finds the component of a call, and its requested behaviour, with as little parsing as possible. */
import { hash } from "node:crypto";
import { load } from "js-yaml";
import type { Problem } from "../../platform/errors/failure.ts";
import type { RequestedBehaviour } from "./behaviour.ts";
import { readRequested } from "./behaviour.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

const key = Buffer.from("componentIdToProvision");
const newline = 0x0a;
const quote = 0x22;
const backslash = 0x5c;

/**
 * The component id of a provision, unprovision or validate body, read off the bytes of its JSON: the key has to
 * stand at the beginning of a line of the YAML inside the `descriptor` string. Null when it is not found so, as
 * in a descriptor that is JSON.
 */
export function scanComponentId(body: Buffer): string | null {
  for (let at = body.lastIndexOf(key); at >= 0; at = at === 0 ? -1 : body.lastIndexOf(key, at - 1)) {
    if (!startsLine(body, at)) continue;
    const start = at + key.length;
    const end = endOfLine(body, start);
    const match = /^\s*:\s*(\S.*?)\s*$/.exec(unescape(body.subarray(start, end).toString("utf8")));
    const value = match?.[1];
    if (value !== undefined) return unquoted(value);
  }
  return null;
}

/** True after the quote that opens the JSON string, or after an escaped line break in it. */
function startsLine(body: Buffer, at: number): boolean {
  if (body[at - 1] === quote) return body[at - 2] !== backslash;
  return body[at - 1] === 0x6e && body[at - 2] === backslash && body[at - 3] !== backslash;
}

/** Up to an escaped line break, or the quote that ends the string. */
function endOfLine(body: Buffer, start: number): number {
  for (let at = start; at < body.length; at++) {
    if (body[at] === quote || body[at] === newline) return at;
    if (body[at] !== backslash) continue;
    if (body[at + 1] === 0x6e || body[at + 1] === 0x72) return at;
    at++;
  }
  return body.length;
}

function unescape(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

/** A YAML scalar without its quotes; ids need no more of YAML than that. */
function unquoted(value: string): string | null {
  const first = value[0];
  if (first !== '"' && first !== "'") return value.replace(/\s+#.*$/, "");
  const inner = value.length > 1 && value.endsWith(first) ? value.slice(1, -1) : null;
  return first === "'" ? (inner?.replaceAll("''", "'") ?? null) : inner;
}

/** The slow way: the id (of the component, or of the unit itself) from the parsed descriptor. */
export function parseComponentId(descriptor: string): string | null {
  const parsed = parseYaml(descriptor);
  if (!isRecord(parsed)) return null;
  const id = parsed["componentIdToProvision"] ?? parsed["id"];
  return typeof id === "string" ? id : null;
}

/** The requested behaviour of all components of one descriptor. */
export interface RequestedBehaviours {
  byId: Map<string, RequestedBehaviour>;
  problems: Map<string, Problem[]>;
}

const cachedDescriptors = 200;
const noneRequested: RequestedBehaviours = { byId: new Map(), problems: new Map() };

/**
 * Reads `specific.mock` of every component. Descriptors without it are recognised by their bytes; others are
 * parsed once for each text and cached.
 */
export function createBehaviourReader(): (body: Buffer) => RequestedBehaviours {
  const cache = new Map<string, RequestedBehaviours>();
  return (body) => {
    if (!mentionsMock(body)) return noneRequested;
    const descriptor = descriptorOf(body);
    if (descriptor === null) return noneRequested;
    const id = hash("sha256", descriptor.replace(/^componentIdToProvision:.*$/m, ""), "base64");
    const known = cache.get(id);
    if (known !== undefined) return known;
    const allRequested = collectRequested(parseYaml(descriptor));
    if (cache.size >= cachedDescriptors) cache.delete(cache.keys().next().value ?? "");
    cache.set(id, allRequested);
    return allRequested;
  };
}

/** A key `mock`, bare or quoted; not the `mock:` inside of an identifier such as `urn:x:itm:mock:1`. */
function mentionsMock(body: Buffer): boolean {
  for (let at = body.indexOf("mock"); at >= 0; at = body.indexOf("mock", at + 1)) {
    const before = String.fromCharCode(body[at - 1] ?? 0x20);
    const after = String.fromCharCode(body[at + 4] ?? 0x20);
    if (/[\s{,"'n]/.test(before) && /[:\\"'\s]/.test(after)) return true;
  }
  return false;
}

function descriptorOf(body: Buffer): string | null {
  try {
    const parsed: unknown = JSON.parse(body.toString("utf8"));
    const descriptor = isRecord(parsed) ? parsed["descriptor"] : undefined;
    return typeof descriptor === "string" ? descriptor : null;
  } catch {
    return null;
  }
}

function parseYaml(text: string): unknown {
  try {
    return load(text, { maxDepth: 100, maxAliases: 1_000 });
  } catch {
    return null;
  }
}

function collectRequested(descriptor: unknown): RequestedBehaviours {
  const allRequested: RequestedBehaviours = { byId: new Map(), problems: new Map() };
  const visit = (node: unknown, depth: number): void => {
    if (!isRecord(node) || depth > 20) return;
    const specific = node["specific"];
    const id = node["id"];
    if (typeof id === "string" && isRecord(specific) && specific["mock"] !== undefined) {
      const { requested, problems } = readRequested(specific["mock"], "/specific/mock");
      allRequested.byId.set(id, requested);
      if (problems.length > 0) allRequested.problems.set(id, problems);
    }
    const nested = node["components"];
    if (Array.isArray(nested)) for (const each of nested) visit(each, depth + 1);
    if (depth === 0) visit(node["dataProduct"], 1);
  };
  visit(descriptor, 0);
  return allRequested;
}
