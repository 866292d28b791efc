/**
 * Imports of `node:http` in a bundle get all exports but three. An ESM import reads every export of a built-in module, and those three load the
 * undici that is built into Node.js, which the bundle does not use. Goal: an idle process of at most 130 MB (bench/idle.ts). Figures:
 * docs/decisions/2026-11-29-memory-of-glibc.md.
 */
import * as http from "node:http";
import type { Plugin } from "rolldown";

const ofUndici = new Set(["WebSocket", "CloseEvent", "MessageEvent"]);
const id = "\0http-in-part";

export const httpInPart: Plugin = {
  name: "http-in-part",
  // CommonJS reads what it asks for alone.
  resolveId: (source, _importer, { kind }) =>
    kind !== "require-call" && /^(?:node:)?http$/.test(source) ? id : null,
  load: (module) => (module === id ? code() : null),
};

function code(): string {
  const names = Object.keys(http).filter((name) => name !== "default" && !ofUndici.has(name));
  return [
    'const http = process.getBuiltinModule("node:http");',
    "export default http;",
    `export const { ${names.join(", ")} } = http;`,
  ].join("\n");
}
