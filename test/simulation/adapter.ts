/**
 * Tech adapters behind the outbound client. They are faithful where the protocol asks for it (an idempotency key acts
 * once) and as odd as the seed wants everywhere else: slow, silent, reset, refusing, malformed, forgetful.
 */
import { createHash } from "node:crypto";
import type { Outbound, OutboundRequest, OutboundResponse } from "../../src/platform/outbound/outbound.ts";
import { OutboundError } from "../../src/platform/outbound/outbound-error.ts";
import type { Random } from "../crash/random.ts";
import type { Machine, VirtualClock } from "./clock.ts";

/** What the adapter knows of one idempotency key. */
export interface Work {
  key: string;
  body: string;
  acted: boolean;
  token: string;
  /** Polls that are still answered RUNNING. */
  left: number;
  outcome: "COMPLETED" | "FAILED" | "TERMINATED";
  /** The final status has been given. */
  isReported: boolean;
  isStopping: boolean;
  isForgotten: boolean;
}

/** One call with its real effect. */
export interface SeenCall {
  machine: Machine;
  kind: "validate" | "start" | "notice" | "poll" | "terminate";
  /** Whether it is a validation that is answered under a token. */
  isLater: boolean;
  key: string;
  token: string | null;
  body: string;
  url: string;
  /** The adapter has seen the request. */
  hasArrived: boolean;
  /** The caller knows that nothing was touched. */
  wasUntouched: boolean;
  /** It was answered 400, which is believed of the first call for what was never deployed. */
  wasRefused: boolean;
  isOver: boolean;
}

export interface AdapterWatch {
  sent(call: SeenCall): void;
}

export interface AdapterBehaviour {
  /** Chance that a call is answered oddly. */
  odd: number;
  /** Chance that a task is asynchronous, and that its outcome is not COMPLETED. */
  async: number;
  fails: number;
  slowestMs: number;
}

export interface AdaptersOptions {
  clock: VirtualClock;
  random: Random;
  behaviour: AdapterBehaviour;
  watch: () => AdapterWatch;
}

type Reply = HttpReply | "reset" | "silence";

interface HttpReply {
  status: number;
  body: string;
  headers?: Record<string, string>;
  /** By its status the answer says that nobody has looked at the work. */
  isUntouched?: boolean;
}

export function createAdapters({ clock, random, behaviour, watch }: AdaptersOptions) {
  const works = new Map<string, Work>();
  const byToken = new Map<string, Work>();
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
  const chance = (part: number): boolean => random() < part;

  const workOf = (key: string, body: string): Work => {
    const known = works.get(key);
    if (known) return known;
    const work: Work = {
      key,
      body,
      acted: false,
      token: `t-${works.size}`,
      left: Math.floor(random() * 4),
      outcome: chance(behaviour.fails) ? pick(["FAILED", "FAILED", "TERMINATED"] as const) : "COMPLETED",
      isReported: false,
      isStopping: false,
      isForgotten: false,
    };
    works.set(key, work);
    byToken.set(work.token, work);
    return work;
  };
  const finalOf = (work: Work): Reply => {
    work.isReported = true;
    const status = chance(0.2) ? work.outcome.toLowerCase() : work.outcome;
    const info = chance(0.3) ? null : { publicInfo: { key: { value: work.key } }, privateInfo: {} };
    const logs = chance(0.3) ? [{ timestamp: "2030-01-01T00:00:00Z", level: "INFO", message: "done" }] : [];
    return json(200, { status, result: chance(0.3) ? "told" : "", info, logs });
  };
  const start = (call: SeenCall): Reply => {
    const work = workOf(call.key, call.body);
    if (chance(behaviour.odd)) return oddStart(work);
    work.acted = true;
    if (!chance(behaviour.async)) return finalOf(work);
    return { status: 202, body: pick([work.token, JSON.stringify(work.token), `{"token":"${work.token}"}`]) };
  };
  const oddStart = (work: Work): Reply => {
    const untouched = pick([401, 403, 404, 405, 413, 415, 429, 0, 0, 0]);
    if (untouched > 0 && !work.acted) {
      const headers: Record<string, string> = untouched === 429 ? { "retry-after": "1" } : {};
      return { status: untouched, body: "no", headers, isUntouched: true };
    }
    if (chance(0.6)) work.acted = true;
    return pick<Reply>([
      { status: 500, body: "stack" },
      { status: 503, body: "" },
      { status: 502, body: "<html>" },
      { status: 400, body: '{"errors":["no"]}' },
      { status: 422, body: '{"detail":[{"msg":"no"}]}' },
      { status: 200, body: "{" },
      { status: 200, body: '{"status":"RUNNING"}' },
      { status: 202, body: "" },
      { status: 302, body: "", headers: { location: "/elsewhere" } },
      "reset",
      "silence",
    ]);
  };
  const poll = (token: string): Reply => {
    const work = byToken.get(token);
    if (!work || work.isForgotten) return { status: 404, body: "" };
    if (chance(behaviour.odd / 2)) {
      if (chance(0.1)) work.isForgotten = true;
      return pick<Reply>([
        { status: 500, body: "x" },
        { status: 503, body: "" },
        { status: 200, body: "[]" },
        "reset",
        "silence",
      ]);
    }
    if (work.left > 0) {
      work.left--;
      return json(200, {
        status: work.isStopping ? "TERMINATING" : "RUNNING",
        logs: [{ level: "info", message: `${work.left}` }],
      });
    }
    if (work.isStopping && !work.isReported) work.outcome = chance(0.7) ? "TERMINATED" : work.outcome;
    return finalOf(work);
  };
  const terminate = (token: string): Reply => {
    const work = byToken.get(token);
    if (!work || chance(behaviour.odd)) {
      return pick<Reply>([
        { status: 404, body: "" },
        { status: 501, body: "" },
        { status: 500, body: "x" },
        "reset",
        "silence",
      ]);
    }
    if (work.isReported || chance(0.5)) {
      if (!work.isReported) work.outcome = "TERMINATED";
      return finalOf(work);
    }
    work.isStopping = true;
    if (chance(0.3)) work.left = 1_000_000;
    return { status: 202, body: "" };
  };
  const validate = (): Reply => {
    if (!chance(behaviour.odd)) return json(200, { valid: true });
    return pick<Reply>([
      json(200, { valid: false, error: { errors: ["no"] } }),
      { status: 400, body: '{"errors":["no"]}' },
      { status: 500, body: "x" },
      { status: 503, body: "" },
      { status: 200, body: "{}" },
      "reset",
      "silence",
    ]);
  };
  const startValidation = (call: SeenCall): Reply => {
    if (chance(behaviour.odd))
      return pick<Reply>([{ status: 404, body: "" }, { status: 202, body: "" }, validate()]);
    const work = workOf(call.key, call.body);
    return chance(0.5) ? validate() : { status: 202, body: work.token };
  };
  const pollValidation = (token: string): Reply => {
    const work = byToken.get(token);
    if (!work) return { status: 404, body: "" };
    if (chance(behaviour.odd / 2)) return pick<Reply>([{ status: 503, body: "" }, "reset", "silence"]);
    if (work.left-- > 0) return json(200, { status: "RUNNING" });
    const verdict = { valid: !chance(behaviour.odd / 4), error: { errors: ["no"] } };
    return json(200, { status: "COMPLETED", info: { publicInfo: verdict } });
  };
  const notice = (): Reply => {
    if (!chance(behaviour.odd + behaviour.fails / 2)) return { status: 200, body: "" };
    return pick<Reply>([
      { status: 400, body: "no" },
      { status: 500, body: "x" },
      { status: 503, body: "" },
      "reset",
      "silence",
    ]);
  };
  const reply = (call: SeenCall): Reply => {
    if (call.kind === "validate") return call.isLater ? startValidation(call) : validate();
    if (call.kind === "notice") return notice();
    if (call.kind === "poll" && call.isLater) return pollValidation(call.token ?? "");
    if (call.kind === "start") return start(call);
    return call.kind === "poll" ? poll(call.token ?? "") : terminate(call.token ?? "");
  };

  /** The outbound client of one machine. */
  const outbound = (machine: Machine): Outbound => ({
    check: () => null,
    resolve: () => Promise.reject(new Error("no program connects by itself")),
    connect: () => Promise.reject(new Error("adapters speak HTTP")),
    close: async () => {},
    stream: () => Promise.reject(new Error("no adapter is read as a stream")),
    request: (request) => {
      const call = callOf(machine, request);
      return new Promise<OutboundResponse>((done, fail) => {
        const finish = (settle: () => void): void => {
          if (call.isOver) return;
          call.isOver = true;
          clearTimeout(timer);
          request.signal?.removeEventListener("abort", abort);
          settle();
        };
        const giveUp = (reason: "aborted" | "timeout"): void =>
          finish(() => fail(new OutboundError(reason, call.hasArrived, reason)));
        const abort = (): void => giveUp("aborted");
        const timer = setTimeout(() => giveUp("timeout"), request.timeoutMs);
        if (request.signal?.aborted) return abort();
        watch().sent(call);
        request.signal?.addEventListener("abort", abort, { once: true });
        const isRefused = chance(behaviour.odd / 4);
        // What is on its way arrives even when its sender dies; what was given up before is never sent.
        clock.after(random() * 5, () => {
          if (call.isOver) return;
          if (isRefused) {
            const refuse = (): void => fail(new OutboundError("connect", false, "refused"));
            return clock.after(0, () => finish(refuse), machine);
          }
          call.hasArrived = true;
          const answer = reply(call);
          if (answer === "silence") return;
          const delay = chance(0.1) ? random() * behaviour.slowestMs : random() * 20;
          const deliver = (): void => {
            if (answer === "reset") return fail(new OutboundError("reset", true, "reset"));
            const { status, headers = {}, body, isUntouched = false } = answer;
            call.wasUntouched = isUntouched;
            call.wasRefused = status === 400;
            done({ status, headers, body: Buffer.from(body) });
          };
          clock.after(delay, () => finish(deliver), machine);
        });
      });
    },
  });
  return { outbound, works };
}

export type Adapters = ReturnType<typeof createAdapters>;

const json = (status: number, value: unknown): Reply => ({ status, body: JSON.stringify(value) });

function callOf(machine: Machine, request: OutboundRequest): SeenCall {
  const { method, url, headers = {}, body } = request;
  const { pathname, origin } = new URL(url);
  return {
    machine,
    kind: kindOf(method, pathname),
    isLater: pathname.startsWith("/v2/"),
    key: decodeURIComponent(headers["idempotency-key"] ?? ""),
    token: /^\/v\d\/(?:provision|validate)\/([^/]+)/.exec(pathname)?.[1] ?? null,
    url: origin,
    body: createHash("sha1").update(pathname).update(textOf(body)).digest("base64"),
    hasArrived: false,
    wasUntouched: false,
    wasRefused: false,
    isOver: false,
  };
}

function kindOf(method: OutboundRequest["method"], path: string): SeenCall["kind"] {
  if (method === "GET") return "poll";
  if (method === "DELETE") return "terminate";
  if (path.endsWith("/validate")) return "validate";
  return path.endsWith("publish") ? "notice" : "start";
}

const textOf = (body: OutboundRequest["body"]): string | Buffer =>
  Array.isArray(body) ? Buffer.concat(body) : (body ?? "");
