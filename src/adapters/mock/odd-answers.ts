/**
 * Malformed answers that a coordinator must survive. Each has a name by which a descriptor or a test requests
 * it, and says whether the mock carries out a start that it answers this way.
 */
import { gzipSync } from "node:zlib";
import type { Reply } from "./reply.ts";
import { json, plain } from "./reply.ts";

/** What a malformed answer may use. */
export interface OddContext {
  /** The token of the operation, where there is one. */
  token: string;
  /** The answer the mock would have given. */
  normal: () => Reply;
}

interface Odd {
  acts: boolean;
  reply: (context: OddContext) => Reply;
}

const acts = (reply: Odd["reply"]): Odd => ({ acts: true, reply });
const refuses = (reply: Odd["reply"]): Odd => ({ acts: false, reply });

const hugeBytes = 11 * 1024 * 1024;
const bombBytes = 64 * 1024 * 1024;
const lateMs = 2_000;
const dripMs = 20;

const fullError = {
  errors: ["The table name is not valid", "The owner is missing"],
  userMessage: "The component cannot be provisioned",
  input: "specific: {}",
  inputErrorField: "$.specific.table",
  moreInfo: { problems: ["The owner is missing", "A third thing"], solutions: ["Name the table"] },
};
const completed = (more: object = {}) => ({ status: "COMPLETED", result: "done", ...more });

const table = {
  // Refusals and failures in every shape.
  "400": refuses(() => json(400, fullError)),
  "400-errors": refuses(() => json(400, { errors: ["one", "two"] })),
  "400-empty": refuses(() => plain(400, "")),
  "400-text": refuses(() => plain(400, `It is wrong. ${"x".repeat(5_000)}`)),
  "400-error": refuses(() => json(400, { error: "It is wrong." })),
  "401": refuses(() => json(401, { error: "no" })),
  "403": refuses(() => plain(403, "")),
  "404": refuses(() => json(404, { error: "nothing here" })),
  "405": refuses(() => plain(405, "Method Not Allowed")),
  "409": refuses(() => json(409, { errors: ["busy"] })),
  "422": refuses(() =>
    json(422, {
      detail: [
        { loc: ["body", "descriptor"], msg: "field required", type: "missing" },
        { loc: ["body", "removeData"], msg: "not a boolean", type: "bool" },
      ],
    }),
  ),
  "429": refuses(() => withHeaders(json(429, { error: "slow down" }), { "retry-after": "3" })),
  "500": refuses(() => json(500, { error: "The warehouse is closed" })),
  "500-text": refuses(() => plain(500, `Traceback: ${"x".repeat(5_000)}`)),
  "500-empty": refuses(() => plain(500, "")),
  "500-acted": acts(() => json(500, { error: "The warehouse closed behind us" })),
  "501": refuses(() => plain(501, "Not Implemented")),
  "502": refuses(() => plain(502, "<html>Bad Gateway</html>", "text/html")),
  "503": refuses(() => withHeaders(plain(503, ""), { "retry-after": "1" })),
  redirect: refuses(() => withHeaders(plain(302, ""), { location: "http://169.254.169.254/latest/" })),
  // Bodies that are not what they should be.
  "malformed-json": acts(() => plain(200, '{"status": "COMPLE', "application/json")),
  "empty-body": acts(() => plain(200, "")),
  "no-content": acts(() => ({ kind: "answer", status: 204, body: "" })),
  "wrong-types": acts(() => json(200, { status: 7, valid: "yes", info: "x", logs: {} })),
  "odd-members": acts(() =>
    json(200, completed({ info: "none", logs: [3, null, { message: 1 }], result: { n: 1 } })),
  ),
  "list-body": acts(() => json(200, [])),
  "text-200": acts(() => plain(200, "OK")),
  "unknown-status": acts(() => json(200, { status: "EXCELLENT" })),
  "html-200": acts(() => plain(200, "<!doctype html><title>Sign in</title>", "text/html")),
  huge: acts(() => json(200, completed({ result: "x".repeat(hugeBytes) }))),
  "gzip-bomb": acts(() => ({
    kind: "answer",
    status: 200,
    headers: { "content-type": "application/json", "content-encoding": "gzip" },
    body: bomb(),
  })),
  // Deviations that a client must tolerate.
  "status-case": acts(() => json(200, { status: "Completed", result: "done", info: null, logs: null })),
  "null-info": acts(() => json(200, completed({ info: null, error: null }))),
  "running-200": acts(() => json(200, { status: "RUNNING" })),
  "token-text-as-json": acts(({ token }) => plain(202, token, "application/json")),
  "token-quoted-as-text": acts(({ token }) => plain(202, `"${token}"`)),
  "token-quoted": acts(({ token }) => plain(202, `"${token}"\n`, "application/json")),
  "token-object": acts(({ token }) => json(202, { token })),
  "no-token": acts(() => json(202, {})),
  "no-token-empty": acts(() => plain(202, "")),
  "reused-token": acts(() => plain(202, "the-one-token")),
  terminated: acts(() => json(200, { status: "TERMINATED" })),
  // The task changes its status after it was final (tasks.ts).
  flip: acts(({ normal }) => normal()),
  // Faults of the connection.
  never: acts(() => ({ kind: "never" })),
  late: acts(({ normal }) => ({ kind: "late", afterMs: lateMs, reply: normal() })),
  drip: acts(() => ({ kind: "drip", everyMs: dripMs, body: JSON.stringify(completed()) })),
  "reset-before": refuses(() => ({ kind: "reset", partial: null })),
  "reset-after": acts(() => ({ kind: "reset", partial: null })),
  "reset-middle": acts(() => ({ kind: "reset", partial: '{"status":' })),
} satisfies Record<string, Odd>;

export type OddName = keyof typeof table;

export const oddNames = (): string[] => Object.keys(table);

export const isOddName = (name: string): name is OddName => Object.hasOwn(table, name);

/** Whether the mock carries out a start that it answers this way. */
export const oddActs = (name: OddName): boolean => table[name].acts;

export const oddReply = (name: OddName, context: OddContext): Reply => table[name].reply(context);

function withHeaders(reply: Reply, headers: Record<string, string>): Reply {
  return reply.kind === "answer" ? { ...reply, headers: { ...reply.headers, ...headers } } : reply;
}

let bombBody: Buffer | undefined;

/** Small on the wire, large unpacked; made when first asked for. */
const bomb = (): Buffer => (bombBody ??= gzipSync(Buffer.alloc(bombBytes, " ")));
