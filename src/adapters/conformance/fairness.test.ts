/** What does not count against an adapter, and what the report says instead. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";

import { newId } from "../../platform/lib/ids.ts";
import { runConformance, type CheckResult, type Report, type RunOptions } from "./run.ts";
import { sampleUnit } from "./sample.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Asked {
  method: string;
  path: string;
  body: string;
}
interface Played {
  status: number;
  body: unknown;
  afterMs?: number;
}

/** An adapter with one worker: it looks at the next call when it is through with the one before. */
async function serve(play: (asked: Asked) => Played): Promise<string> {
  let last = Promise.resolve();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: path = "" } = request;
      const { status, body, afterMs = 0 } = play({ method, path, body: Buffer.concat(chunks).toString() });
      last = last
        .then(() => sleep(afterMs, undefined, { ref: false }))
        .then(() => {
          response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
        });
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const unit = sampleUnit("fair");
const componentId = "urn:dmb:cmp:conformance:check-fair:0:sample";
const subject = {
  unit,
  componentId,
  needs: [],
  refs: ["user:ada"],
  invalidUnit: undefined,
  reverseParams: {},
};

const check = (url: string, only: string[], options: Partial<RunOptions> = {}): Promise<Report> =>
  runConformance({
    url,
    subject,
    timeoutMs: 20_000,
    waitMs: 20_000,
    pollMs: 2,
    only,
    newId,
    now: () => performance.now(),
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    signal: new AbortController().signal,
    ...options,
  });

const idsOf = (report: Report, outcome: CheckResult["outcome"]): string[] =>
  report.results.filter((result) => result.outcome === outcome).map(({ id }) => id);
const done: Played = { status: 200, body: { status: "COMPLETED", result: "done", info: null } };

describe("a slow check", () => {
  const only = ["input.no-body", "input.unknown-path", "input.wrong-method", "input.alive-after", "answers"];

  it("does not fail the next ones, and its timeout is counted", async () => {
    const url = await serve(({ method, path, body }) => {
      if (method === "POST" && body === "")
        return { status: 400, body: { errors: ["empty"] }, afterMs: 1_800 };
      if (path === "/v1/validate") return { status: 200, body: { valid: true } };
      return { status: method === "GET" ? 404 : 400, body: { errors: ["no"] } };
    });
    const report = await check(url, only, { timeoutMs: 1_000 });
    expect(idsOf(report, "fail")).toEqual(["input.no-body", "answers.in-time"]);
    expect(idsOf(report, "pass")).toEqual(["input.unknown-path", "input.wrong-method", "input.alive-after"]);
    const inTime = report.results.find(({ id }) => id === "answers.in-time");
    expect(inTime?.note).toMatch(/ 1 of 4 had no answer in time$/);
  });

  it("is waited for no longer than an operation may take", async () => {
    const url = await serve(() => ({ ...done, afterMs: 60_000 }));
    const began = performance.now();
    const report = await check(url, ["input.no-body", "input.unknown-path"], { timeoutMs: 200, waitMs: 600 });
    expect(idsOf(report, "fail")).toEqual(["input.no-body", "input.unknown-path"]);
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  it("that had not ended in time is over before the next begins", async () => {
    let polls = 0;
    const url = await serve(({ method, path }) => {
      if (method === "GET" && path.endsWith("/status")) {
        polls += 1;
        const status = polls > 15 ? "COMPLETED" : "RUNNING";
        return { status: 200, body: { status, result: "" } };
      }
      return path === "/v1/provision" ? { status: 202, body: "token" } : done;
    });
    const report = await check(url, ["provisioning.completes", "provisioning.again"], {
      waitMs: 60,
      // Time goes by as it is slept, so that how fast the machine is does not matter.
      ...sleptTime(),
    });
    expect(idsOf(report, "fail")).toEqual(["provisioning.completes"]);
    expect(idsOf(report, "pass")).toContain("provisioning.again");
  });
});

function sleptTime(): Pick<RunOptions, "now" | "sleep"> {
  let ms = 0;
  return {
    now: () => ms,
    sleep: async (slept) => {
      ms += slept;
    },
  };
}

describe("an adapter without idempotency keys", () => {
  it("is warned, as long as a repeat does no harm", async () => {
    let tokens = 0;
    const url = await serve(({ method, path }) =>
      method === "POST" && path === "/v1/provision" ? { status: 202, body: `t${(tokens += 1)}` } : done,
    );
    const report = await check(url, ["idempotency"]);
    expect(idsOf(report, "warn")).toEqual(["idempotency.repeat", "idempotency.simultaneous"]);
    expect(idsOf(report, "fail")).toEqual([]);
  });
});

describe("odd input that is answered with a 5xx", () => {
  it.each([
    ["in words", { error: "JSON parse error" }, "warn"],
    ["without a word", {}, "fail"],
  ] as const)("%s", async (_, body, outcome) => {
    const url = await serve(() => ({ status: 500, body }));
    expect(idsOf(await check(url, ["input.malformed-json"]), outcome)).toEqual(["input.malformed-json"]);
  });
});

describe("references that nobody gave", () => {
  const refusing = (): Promise<string> =>
    serve(({ path }) =>
      path === "/v1/updateacl" ? { status: 400, body: { errors: ["who is that?"] } } : done,
    );

  it("need not be known to the adapter", async () => {
    const report = await check(await refusing(), ["access.set"], {
      subject: { ...subject, areRefsMadeUp: true },
    });
    expect(idsOf(report, "skipped")).toEqual(["access.set"]);
  });

  it("are held against it when they were given", async () => {
    const report = await check(await refusing(), ["access.set"]);
    expect(idsOf(report, "fail")).toEqual(["access.set"]);
    expect(report.results[0]?.deviations.map(({ fix }) => fix).join()).toContain("--ref");
  });
});

it("what a component needs is in its descriptor, and a change of access gets its own info", async () => {
  const bodies: { path: string; body: any }[] = [];
  const info = { publicInfo: { url: "x" }, privateInfo: { bucket: "b" } };
  const url = await serve(({ path, body }) => {
    bodies.push({ path, body: JSON.parse(body) });
    return { status: 200, body: { status: "COMPLETED", result: "done", info } };
  });
  const port = { id: "u:port", dependsOn: ["u:store"] };
  const needing = { id: "u", components: [{ id: "u:store" }, port] };
  await check(url, ["access.set"], {
    subject: { ...subject, unit: needing, componentId: "u:port", needs: ["u:store"] },
  });
  const [, second, access, ...removals] = bodies;
  for (const call of [second, ...removals]) {
    const { dataProduct } = JSON.parse(call?.body.descriptor);
    expect(dataProduct.components).toEqual([{ id: "u:store", info }, port]);
  }
  expect(removals.map(({ path }) => path)).toEqual(["/v1/unprovision", "/v1/unprovision"]);
  expect(JSON.parse(access?.body.provisionInfo.result)).toEqual({
    status: "COMPLETED",
    result: "done",
    info,
  });
});
