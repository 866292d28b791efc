import { Writable } from "node:stream";
import { pino, stdSerializers, type DestinationStream } from "pino";
import { withFields, type Logger } from "../lib/logger.ts";
import { currentRequest } from "../lib/request-scope.ts";
import { isSecretName, mayHold } from "../lib/secrets/secret-names.ts";
import { logDestination } from "./log-stream.ts";
import { plainLine } from "./plain-line.ts";

export interface LogSettings {
  level: string;
  /** Lines for people instead of JSON. */
  pretty: boolean;
}

export interface ProcessLogger extends Logger {
  plain: NonNullable<Logger["plain"]>;
  /** Of this logger and of all its children, whenever they were made. */
  setLevel(level: string): void;
}

/** The process's logger, one JSON line per entry. `to` is for programs whose standard output is their answer. */
export function createLogger(settings: LogSettings, to: DestinationStream = logDestination()): ProcessLogger {
  const time = isoTime();
  const lines = settings.pretty ? prettyLines(to) : to;
  const root = pino(
    {
      level: settings.level,
      base: undefined,
      messageKey: "message",
      errorKey: "error",
      timestamp: time,
      mixin: requestFields,
      formatters: { level: (label) => ({ level: label }), log: createSecretFilter() },
      serializers: { error: stdSerializers.errWithCause },
    },
    lines,
  );
  return {
    debug: (fields, message) => root.debug(fields, message),
    info: (fields, message) => root.info(fields, message),
    warn: (fields, message) => root.warn(fields, message),
    error: (fields, message) => root.error(fields, message),
    child: (fields) => withFields(root, fields),
    plain(level, fields, message) {
      if (root.isLevelEnabled(level)) lines.write(plainLine(level, time(), { fields, message }));
    },
    setLevel(level) {
      root.level = level;
    },
  };
}

/** Of the request that is served; fields of the line itself win. */
const requestFields = (): object => {
  const request = currentRequest();
  return request === undefined ? {} : { requestId: request.requestId, clientAddress: request.clientAddress };
};

/** As pino's own, but the text of a millisecond is made once: under load there are many lines in one. */
const isoTime = (): (() => string) => {
  let atMs = 0;
  let text = "";
  return () => {
    const nowMs = Date.now();
    if (nowMs !== atMs) {
      atMs = nowMs;
      text = `,"time":"${new Date(nowMs).toISOString()}"`;
    }
    return text;
  };
};

const hidden = "[redacted]";
const maxFieldNames = 1_000;

/** Masks secrets in the fields of a line, at the top and one level below; copies only when there is one. */
export function createSecretFilter(): (fields: Record<string, unknown>) => Record<string, unknown> {
  // Nearly all fields have one of a hundred names, so most lines cost a look-up for each.
  const names = new Map<string, boolean>();
  const isKnownSecret = (name: string): boolean => {
    const known = names.get(name);
    if (known !== undefined) return known;
    const isSecret = isSecretName(name);
    if (names.size < maxFieldNames) names.set(name, isSecret);
    return isSecret;
  };
  const filter = (fields: Record<string, unknown>, isTop: boolean): Record<string, unknown> => {
    let copy: Record<string, unknown> | undefined;
    for (const key in fields) {
      const value = fields[key];
      const inner = isTop && isPlainObject(value) ? filter(value, false) : value;
      const masked = isKnownSecret(key) && mayHold(value) ? hidden : inner;
      if (masked !== value) {
        copy ??= { ...fields };
        copy[key] = masked;
      }
    }
    return copy ?? fields;
  };
  return (fields) => filter(fields, true);
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !(value instanceof Error) && !Array.isArray(value);

const prettyLines = (to: DestinationStream): DestinationStream =>
  new Writable({
    decodeStrings: false,
    write(line: string | Buffer, _encoding, done) {
      to.write(prettyLine(String(line)));
      done();
    },
  });

/** `12:00:00 INFO message key=value`; exported for its test. */
export const prettyLine = (line: string): string => {
  const entry: unknown = JSON.parse(line);
  const fields = Object.entries(entry ?? {});
  const own: Record<string, unknown> = Object.fromEntries(fields);
  const rest = fields
    .filter(([key]) => !["time", "level", "message"].includes(key))
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const level = String(own["level"]).toUpperCase().padEnd(5);
  return `${[String(own["time"]).slice(11, 19), level, own["message"], ...rest].join(" ")}\n`;
};
