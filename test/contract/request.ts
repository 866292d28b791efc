/** One request to an operation, drawn from its document, and what the document says of it. */
import type { Random } from "../crash/random.ts";
import type { ApiDocument, Operation, Parameter } from "./document.ts";
import { chance, drawValue, pick, spoil, type Known } from "./values.ts";

export interface DrawnRequest {
  operation: Operation;
  method: string;
  /** The URL as it is sent, with the prefix. */
  url: string;
  headers: Record<string, string>;
  body: string | Buffer | FormData | undefined;
  as: "admin" | "operator" | "developer" | "viewer" | null;
  /** Whether the document takes it; undefined where it says nothing of what is odd about it. */
  fits: boolean | undefined;
}

export interface RequestSource {
  document: ApiDocument;
  known: (operation: Operation) => Known;
}

export function drawRequest(random: Random, operation: Operation, source: RequestSource): DrawnRequest {
  const known = source.known(operation);
  const parameters = operation.parameters.map((parameter) =>
    drawParameter(random, parameter, { operation, known, document: source.document }),
  );
  const body = drawBody(random, operation, { document: source.document, known });
  const headers: Record<string, string> = { ...body.headers };
  for (const { parameter, text } of parameters)
    if (parameter.in === "header" && text !== null) headers[parameter.name] = text;
  const odd = drawOddHeader(random);
  const verdicts = new Set([...parameters.map((drawn) => drawn.fits), body.fits]);
  // Whatever else is odd about it, one part that the document refuses is enough.
  const fits = verdicts.has(undefined) || odd ? undefined : !verdicts.has(false);
  return {
    operation,
    method: operation.method,
    url: urlOf(random, operation, parameters),
    headers: { ...headers, ...odd },
    body: body.bytes,
    as: chance(random, 0.85) ? "admin" : pick(random, ["operator", "developer", "viewer", null]),
    fits,
  };
}

interface DrawnParameter {
  parameter: Parameter;
  /** Decoded; null when it is left out. */
  text: string | null;
  /** The value in the URL, when that is not the encoded text. */
  raw?: string;
  fits: boolean | undefined;
}

interface ParameterSource {
  operation: Operation;
  known: Known;
  document: ApiDocument;
}

const oddTexts = [
  "",
  " ",
  "\0",
  "..",
  "%",
  "船😀",
  "x".repeat(3_000),
  "null",
  "NaN",
  "1e3",
  "-1",
  "0x10",
  "TRUE",
  "a,b",
  "'; --",
];
/** Bytes that are no UTF-8, half an escape, a surrogate's three bytes. */
const oddEncodings = ["%ff", "%c3%28", "%ed%a0%80", "%2", "%zz"];

function drawParameter(random: Random, parameter: Parameter, source: ParameterSource): DrawnParameter {
  const { operation, known, document } = source;
  const { name, schema } = parameter;
  const roll = random();
  if (parameter.in !== "path" && roll < 0.25) return { parameter, text: null, fits: !parameter.required };
  if (parameter.in !== "header" && roll < 0.28)
    return {
      parameter,
      text: "",
      raw: pick(random, oddEncodings),
      fits: parameter.in === "path" ? undefined : false,
    };
  if (roll < 0.33) {
    const text = pick(random, oddTexts);
    const isPlain =
      parameter.in !== "header" && !isLayered(schema, document) && text !== "" && !text.includes("\0");
    const isPathStep = parameter.in === "path" && (text === ".." || text.trim() === "");
    return {
      parameter,
      text: parameter.in === "header" ? "x" : text,
      fits: isPlain && !isPathStep ? operation.takesParameter(name, text) : undefined,
    };
  }
  const drawn = drawValue({ random, document, known }, schema, name);
  const isList = document.resolve(schema)["type"] === "array";
  const value = isList && !Array.isArray(drawn) ? [drawn] : drawn;
  if (Array.isArray(value)) {
    const texts = value.flat(9).map(String);
    // A comma separates, so a value with one inside is two; and an empty one is none.
    const isClear = texts.every((text) => text !== "" && !text.includes(","));
    const raw = chance(random, 0.5) ? texts.map(encode).join(",") : texts.map(encode).join(`&${name}=`);
    return {
      parameter,
      text: texts.join(","),
      raw,
      fits: isClear ? operation.takesParameter(name, texts) : undefined,
    };
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (parameter.in === "header") {
    const isPrintable = /^[\x21-\x7e]+$/.test(text);
    return {
      parameter,
      text: isPrintable ? text : "x",
      fits: isPrintable ? operation.takesParameter(name, value) : undefined,
    };
  }
  if (parameter.in === "path" && (text.trim() === "" || text === "." || text === ".."))
    return { parameter, text: "%20", fits: undefined };
  if (parameter.in === "query" && chance(random, 0.03))
    return { parameter, text, raw: `${encode(text)}&${name}=${encode(text)}`, fits: false };
  return {
    parameter,
    text,
    fits: operation.takesParameter(name, value) || operation.takesParameter(name, text),
  };
}

/** Whether a text may stand for something other than itself under the schema. */
function isLayered(schema: Parameter["schema"], document: ApiDocument): boolean {
  const own = document.resolve(schema);
  return own["type"] !== "string" && own["enum"] === undefined;
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

function urlOf(random: Random, operation: Operation, parameters: DrawnParameter[]): string {
  let path = operation.path;
  const query: string[] = [];
  for (const { parameter, text, raw } of parameters) {
    if (text === null || parameter.in === "header") continue;
    const encoded = raw ?? encode(text);
    if (parameter.in === "query") query.push(`${parameter.name}=${encoded}`);
    else
      path = path.replace(`{${parameter.name}}`, () =>
        encoded === "" || encoded === "." || encoded === ".." ? "%20" : encoded,
      );
  }
  if (chance(random, 0.05))
    query.push(pick(random, ["unknown=1", "x=%20&x=2", "environment[]=a", "a", "=", "&&"]));
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

interface DrawnBody {
  bytes: DrawnRequest["body"];
  headers: Record<string, string>;
  fits: boolean | undefined;
}

const json = { "content-type": "application/json" };

/** Texts that are no JSON, or JSON that no operation takes. */
const brokenTexts = [
  "",
  "{",
  '{"a":}',
  "{'a':1}",
  "[1,]",
  "nul",
  '{"a":1}{',
  '"\\ud800"',
  "\u0001",
  "[".repeat(5_000),
  `{"__proto__":{"a":1}}`,
];

function drawBody(
  random: Random,
  { body, isUpload, takesBody, method }: Operation,
  { document, known }: { document: ApiDocument; known: Known },
): DrawnBody {
  if (isUpload) return drawUpload(random);
  if (!body) {
    // An operation without a body takes none, whatever comes.
    const extra = method !== "GET" && chance(random, 0.05);
    return extra
      ? { bytes: "{}", headers: json, fits: undefined }
      : { bytes: undefined, headers: {}, fits: true };
  }
  const roll = random();
  if (roll < 0.02) return { bytes: undefined, headers: {}, fits: body.required ? false : undefined };
  if (roll < 0.05) {
    const bytes = pick(random, brokenTexts);
    // No text at all is a body that was left out.
    return { bytes, headers: json, fits: bytes === "" && !body.required ? undefined : false };
  }
  if (roll < 0.06) return { bytes: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), headers: json, fits: false };
  if (roll < 0.065)
    return { bytes: `{"x":"${"y".repeat(17 * 1024 * 1024)}"}`, headers: json, fits: undefined };
  let value = drawValue({ random, document, known }, body.schema, "");
  const spoils = chance(random, 0.45) ? 1 + Math.floor(random() * 2) : 0;
  for (let n = 0; n < spoils; n++) value = spoil(random, value);
  const text = JSON.stringify(value);
  if (roll < 0.09) {
    const type = pick(random, [
      "text/plain",
      "application/xml",
      "application/json; charset=utf-16",
      "multipart/form-data",
      "",
    ]);
    return { bytes: text, headers: { "content-type": type }, fits: undefined };
  }
  if (roll < 0.1) return { bytes: text, headers: { ...json, "content-encoding": "gzip" }, fits: false };
  if (roll < 0.12)
    return { bytes: text.replace(/"([^"]{1,40})"/, String.raw`"$1\u0000"`), headers: json, fits: undefined };
  return {
    bytes: `${chance(random, 0.03) ? "\ufeff" : ""}${text}`,
    headers: json,
    fits: isPlainJson(text) ? takesBody(JSON.parse(text)) : undefined,
  };
}

/** Depth and what a later layer stores are limits that no schema tells. */
const isPlainJson = (text: string): boolean => text.length < 200_000;

function drawUpload(random: Random): DrawnBody {
  const form = new FormData();
  if (chance(random, 0.8)) form.append("environment", pick(random, ["development", "moon", "", "\0"]));
  if (chance(random, 0.9)) {
    const bytes = Buffer.from(
      pick(random, ["", "no archive", "\x1f\x8b\x08\x00broken", "x".repeat(10_000)]),
      "latin1",
    );
    form.append(
      pick(random, ["archive", "archive", "file"]),
      new Blob([bytes]),
      pick(random, ["a.tar.gz", "a.tgz", "a.zip", "..%2f"]),
    );
  }
  return { bytes: form, headers: {}, fits: undefined };
}

function drawOddHeader(random: Random): Record<string, string> | null {
  if (!chance(random, 0.04)) return null;
  return pick<Record<string, string>>(random, [
    { authorization: "Bearer nobody" },
    { authorization: "Basic eDp5" },
    { "last-event-id": "7" },
    { "x-request-id": "\u00ff" },
    { accept: "text/html" },
    { traceparent: "00-zz" },
    { "if-match": "*" },
    { range: "bytes=0-1" },
    { "idempotency-key": "k".repeat(2_000) },
  ]);
}
