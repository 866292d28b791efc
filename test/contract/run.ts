/** Sends drawn requests to a server and checks every answer against the document. */
import { seededRandom } from "../crash/random.ts";
import { tokenOf } from "../support/server.ts";
import type { ApiDocument, Operation } from "./document.ts";
import { drawRequest, type DrawnRequest } from "./request.ts";
import { pick, type Known } from "./values.ts";

export interface ContractOptions {
  url: string;
  documents: ApiDocument[];
  requests: number;
  seed: number;
  /** Values that fit, by operation and name; what answers have shown comes on top. */
  fitting: (operation: Operation, name: string, subject: number) => readonly unknown[];
  /** Not taken from answers, so that what the run stands on is not deleted. */
  protectedIds: ReadonlySet<string>;
  /** Sends no more requests once one has succeeded. */
  endsWithSuccess?: boolean | undefined;
  /** How long to wait for an answer that may take as long as a person does. */
  waitMs?: number | undefined;
}

export interface ContractReport {
  requests: number;
  breaches: string[];
  /** By operation: how often each status was answered. */
  statuses: Map<string, Map<number, number>>;
  /** Requests of which the document says whether it takes them. */
  judged: { fitting: number; unfitting: number };
}

/** How long an event stream is read. */
const streamMs = 30;
const maxBreaches = 50;

export async function runContract(options: ContractOptions): Promise<ContractReport> {
  const { documents, requests, seed } = options;
  const targets = documents.flatMap((document) =>
    document.operations.map((operation) => ({ document, operation })),
  );
  const seen = new Map<string, string[]>();
  const report: ContractReport = {
    requests,
    breaches: [],
    statuses: new Map(targets.map(({ operation }) => [operation.id, new Map()])),
    judged: { fitting: 0, unfitting: 0 },
  };
  for (let n = 0; n < requests && report.breaches.length < maxBreaches; n++) {
    // Each request has a generator of its own, so that one more draw in one does not change all that follow.
    const random = seededRandom((seed + Math.imul(n, 0x9e3779b1)) >>> 0);
    const { document, operation } = pick(random, targets);
    // What a request names mostly belongs together, or hardly any would get past the first check.
    const subject = random();
    const request = drawRequest(random, operation, {
      document,
      known: (of) => knownOf(options, seen, { of, subject }),
    });
    const answer = await send(options, request);
    if (answer === null) continue;
    const statuses = report.statuses.get(operation.id);
    statuses?.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    learn(seen, answer.body, options.protectedIds);
    if (request.fits !== undefined && request.as === "admin")
      report.judged[request.fits ? "fitting" : "unfitting"]++;
    for (const breach of breachesOf(request, answer))
      report.breaches.push(
        `request ${n} of seed ${seed}: ${breach}\n    ${shown(request)}\n    -> ${answer.status} ${answer.text.slice(0, 600)}`,
      );
    if (options.endsWithSuccess && answer.status < 300) break;
  }
  return report;
}

const knownOf = (
  options: ContractOptions,
  seen: Map<string, string[]>,
  { of, subject }: { of: Operation; subject: number },
): Known => {
  return (name) => {
    const fitting = options.fitting(of, name, subject);
    if (fitting.length === 1) return fitting;
    const learned = seen.get(plain(name)) ?? [];
    return fitting.length > 0 && learned.length > 0
      ? [...fitting, ...fitting, ...learned.slice(-4)]
      : [...fitting, ...learned.slice(-4)];
  };
};

/** `deployment-unit-id`, `unitId` and `unit_id` are one name. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, "");

const tokenNames = ["token", "provisioningplanid", "plan", "planid", "executionplanid"];
const maxLearned = 50;

/** Keeps ids and tokens of answers for later requests. */
function learn(
  seen: Map<string, string[]>,
  body: unknown,
  protectedIds: ReadonlySet<string>,
  name = "token",
): void {
  if (typeof body === "string") {
    if (body === "" || body.length > 300 || protectedIds.has(body)) return;
    const key = plain(name);
    if (!/id$|token|task|cursor|plan$/.test(key)) return;
    for (const each of tokenNames.includes(key) ? tokenNames : [key]) {
      const list = seen.get(each) ?? [];
      if (!list.includes(body)) list.push(body);
      if (list.length > maxLearned) list.shift();
      seen.set(each, list);
    }
  } else if (typeof body === "object" && body !== null) {
    for (const [key, value] of Object.entries(body).slice(0, 20))
      learn(seen, value, protectedIds, Array.isArray(body) ? name : key);
  }
}

interface Answer {
  status: number;
  type: string;
  headers: Headers;
  body: unknown;
  text: string;
}

/**
 * Null when there was no answer in time of an operation that may take as long as a person does, and when the server closed
 * the connection under a body that it would not have read to its end.
 */
async function send(
  { url, waitMs = usualWaitMs }: ContractOptions,
  request: DrawnRequest,
): Promise<Answer | null> {
  const stop = new AbortController();
  if (!mayWait.has(request.operation.id))
    return receive(url, request, stop).catch((error: unknown) => {
      if (isTooLarge(request) && isClosedUnderWay(error)) return null;
      throw error;
    });
  const timer = setTimeout(() => stop.abort(), waitMs);
  return receive(url, request, stop)
    .catch((error: unknown) => {
      if (stop.signal.aborted) return null;
      throw error;
    })
    .finally(() => clearTimeout(timer));
}

const isTooLarge = ({ body }: DrawnRequest): boolean =>
  typeof body === "string" && body.length > 16 * 1024 * 1024;

const isClosedUnderWay = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  ["EPIPE", "ECONNRESET"].includes(String(Reflect.get(error.cause, "code")));

const mayWait = new Set(["taskSync", "createChatCompletion", "createResponse", "a2a", "a2aOfAgent"]);
const usualWaitMs = 500;

async function receive(
  url: string,
  { method, url: path, headers, body, as }: DrawnRequest,
  stop: AbortController,
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { ...(as === null ? {} : { authorization: `Bearer ${tokenOf(as)}` }), ...headers },
    signal: stop.signal,
    // Where a redirect leads is another operation's, or a page.
    redirect: "manual",
    ...(body === undefined ? {} : { body: body as string }),
  });
  const type = (response.headers.get("content-type") ?? "").split(";")[0] ?? "";
  const answer = { status: response.status, type, headers: response.headers };
  if (type === "text/event-stream") {
    // A stream lasts as long as its plan; its beginning is enough.
    const timer = setTimeout(() => stop.abort(), streamMs);
    const text = await response.text().catch(() => "");
    clearTimeout(timer);
    return { ...answer, body: undefined, text };
  }
  const text = await response.text();
  return { ...answer, body: type === "application/json" ? parsed(text) : undefined, text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function breachesOf({ operation, fits, as }: DrawnRequest, answer: Answer): string[] {
  const found: string[] = [];
  if (answer.status >= 500 && !isReset(operation, answer)) found.push(`a ${answer.status}`);
  const documented = operation.responses[answer.status];
  if (!documented) return [...found, `${answer.status} is not documented`];
  const types = Object.keys(documented.content ?? {});
  if (types.length === 0 ? answer.text !== "" : !types.includes(answer.type))
    found.push(`a body of type "${answer.type}" where ${types.join(" or ") || "none"} is documented`);
  if (answer.type === "application/json" && types.includes("application/json")) {
    const wrong = operation.judge(answer.status, answer.body);
    if (wrong !== null) found.push(`the body is not as documented: ${wrong}`);
  }
  if (as !== "admin" || fits === undefined) return found;
  if (fits && isRefusedInput(answer)) found.push("refused as no valid input although the document takes it");
  if (!fits && answer.status !== 400 && answer.status !== 422)
    found.push("not refused as invalid input although the document does not take it");
  return found;
}

/** Queries that come between a reset of the metadata and its restore are answered so, as documented. */
const isReset = ({ id }: Operation, { status, text }: Answer): boolean =>
  id === "queryDataLayer" && status === 503 && text.includes('"GRAPHQL_NOT_READY"');

/** A 422 has no code: there `value_error` is what only the operation itself can tell. */
function isRefusedInput({ status, text, body }: Answer): boolean {
  if (status !== 422) return text.includes('"PLATFORM_INPUT"');
  const { detail } = body as { detail: { type: string }[] };
  return detail.some(({ type }) => type !== "value_error");
}

function shown({ method, url, headers, body, as }: DrawnRequest): string {
  const text = typeof body === "string" ? body : body === undefined ? "" : `<${body.constructor.name}>`;
  const cut = text.length > 2_000 ? `${text.slice(0, 2_000)}… (${text.length} characters)` : text;
  return `${method} ${url.slice(0, 1_000)} as ${as ?? "nobody"} ${JSON.stringify(headers)} ${cut}`;
}
