import { maskCredentials, mayBeSecretName } from "../../platform/lib/secrets/secret-names.ts";
import { mask } from "../masked-values.ts";

/** Pure: the providers of models with their aliases, and whether two configurations have the same destination. */

export type ModelKind = "llm" | "embedder";

const providers = ["openai", "azure_openai", "openai-compatible", "anthropic", "google", "bedrock"] as const;
export type Provider = (typeof providers)[number];

const aliases: ReadonlyMap<string, Provider> = new Map([
  ["azure", "azure_openai"],
  ["ollama", "openai-compatible"],
  ["vllm", "openai-compatible"],
  ["litellm", "openai-compatible"],
]);

export const providerNames: readonly string[] = [...providers, ...aliases.keys()];

/** Null for an empty name. */
export const providerOf = (name: string): Provider | null =>
  aliases.get(name) ?? providers.find((provider) => provider === name) ?? null;

export interface Destination {
  provider: string;
  /** Empty for the provider's default. */
  endpoint: string;
  deployment: string;
}

/** Whether both configurations send secrets to the same destination. Spellings of one address are the same. */
export const isSameDestination = (one: Destination, other: Destination): boolean =>
  providerOf(one.provider) === providerOf(other.provider) &&
  normalizedAddress(one.endpoint) === normalizedAddress(other.endpoint) &&
  one.deployment.trim() === other.deployment.trim();

/** Texts that are not URLs are compared as they are. */
function normalizedAddress(text: string): string {
  const url = URL.parse(text.trim());
  return url === null ? text.trim() : `${url.origin}${url.pathname.replace(/\/+$/, "")}${url.search}`;
}

// Headers that users add to the requests to a model.

export type Header = [name: string, value: string];

export interface CustomHeader {
  /** The form in which it was given: lines of `Name: value`, or a JSON object. */
  form: "lines" | "json";
  headers: Header[];
}

const maxHeaders = 50;

/** The headers of a text, or what is wrong with it. The error repeats no value, which may be a secret. */
export function readCustomHeader(text: string): CustomHeader | string {
  const form = text.trimStart().startsWith("{") ? "json" : "lines";
  const headers = form === "json" ? readJson(text) : readLines(text);
  if (typeof headers === "string") return headers;
  if (headers.length > maxHeaders) return `must have at most ${maxHeaders} headers`;
  for (const [name, value] of headers) {
    if (!headerName.test(name)) return "has a name of a header that is none";
    if (ownedByTheCall.has(name.toLowerCase()))
      return `must not set ${name}, which belongs to the call itself`;
    if (!headerValue.test(value)) return `has a value for ${name} with characters that no header may have`;
  }
  const names = headers.map(([name]) => name.toLowerCase());
  return new Set(names).size === names.length ? { form, headers } : "must name each header once";
}

export const printCustomHeader = ({ form, headers }: CustomHeader): string =>
  form === "json"
    ? JSON.stringify(Object.fromEntries(headers))
    : headers.map(([name, value]) => `${name}: ${value}`).join("\n");

/** Replaces masks by the stored values of the headers. */
export function unmasked(given: CustomHeader, stored: readonly Header[]): CustomHeader {
  const values = new Map(stored.map(([name, value]) => [name.toLowerCase(), value]));
  const headers = given.headers.map(([name, value]): Header => [
    name,
    value === mask ? (values.get(name.toLowerCase()) ?? value) : value,
  ]);
  return { ...given, headers };
}

export const masked = ({ form, headers }: CustomHeader): CustomHeader => ({
  form,
  headers: headers.map(([name, value]): Header => [name, isSecret(name, value) ? mask : value]),
});

const isSecret = (name: string, value: string): boolean =>
  mayBeSecretName(name) || maskCredentials(value) !== value;

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const headerValue = /^[\t\u0020-\u007e\u0080-\u00ff]{0,8192}$/;

/** Headers of the connection, or of the length and the target of the message. */
const ownedByTheCall = new Set([
  "connection",
  "proxy-connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "host",
  "content-length",
  "expect",
]);

function readLines(text: string): Header[] | string {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  const headers: Header[] = [];
  for (const line of lines) {
    if (line.trim() === "") continue;
    const colon = line.indexOf(":");
    if (colon === -1) return "must be lines of `Name: value`, or a JSON object";
    headers.push([line.slice(0, colon), line.slice(colon + 1).trim()]);
  }
  return headers;
}

function readJson(text: string): Header[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "begins like a JSON object and is none";
  }
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const headers = entries.flatMap(([name, each]): Header[] =>
    typeof each === "string" ? [[name, each]] : [],
  );
  return headers.length === entries.length ? headers : "must be a JSON object whose values are texts";
}
