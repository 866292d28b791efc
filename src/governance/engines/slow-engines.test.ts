/** Remote engines and agents that do not answer, beside expressions in real threads. */
import { afterEach, expect, it } from "vitest";
import { OutboundError } from "../../platform/outbound/outbound-error.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import type { AskAgent } from "../ports.ts";
import type { EngineJob, EngineSpec, PolicyEngines } from "./engine.ts";
import { createEngines } from "./engines.ts";

const opened: PolicyEngines[] = [];
afterEach(async () => {
  for (const engines of opened.splice(0)) await engines.close();
});

function open(request: () => Promise<never>, agents?: AskAgent): PolicyEngines {
  const engines = createEngines({
    outbound: { request } as unknown as Outbound,
    agents,
    threads: 1,
    stepTimeoutMs: 20_000,
    maxMemoryMb: 128,
    startLate: true,
  });
  opened.push(engines);
  return engines;
}

const input = { resource: {}, environment: "development", resourceType: "storage", resourceId: "x" };
const cel = (assert: string): EngineSpec => ({ engine: "cel", assert });
const remote: EngineSpec = { engine: "remote", url: "http://127.0.0.1:9" };
const model: EngineSpec = { engine: "model", agentId: "judge", prompt: "?" };
const jobOf = (key: string, spec: EngineSpec, id: string): EngineJob => ({
  key,
  kind: "policy",
  spec,
  input: 0,
  id,
});
const timeout = { ok: false, reason: "timeout", message: expect.stringMatching(/time/) as string };

it("when the time of an evaluation is over, what was answered counts, and the rest is a timeout", async () => {
  const over = new AbortController();
  const never = new Promise<never>(() => undefined);
  const engines = open(() => never, { problemOf: async () => null, ask: () => never });
  const jobs = [
    jobOf("holds", cel("true"), "a"),
    jobOf("slow", remote, "b"),
    jobOf("wrong", cel("false"), "c"),
    jobOf("judged", model, "d"),
  ];
  // The expressions are answered within this one, so that they are compiled and warm.
  await engines.evaluate([input], [jobs[0]!, jobs[2]!], new AbortController().signal);
  const evaluated = engines.evaluate([input], jobs, over.signal);
  // The only thread answers one after the other: the expressions of above are answered before this.
  await engines.select("true", [input], new AbortController().signal);
  over.abort();
  expect(await evaluated).toEqual([
    { ok: true, satisfied: true, errors: [] },
    timeout,
    { ok: true, satisfied: false, errors: [expect.anything()] },
    timeout,
  ]);
});

it("an expression that selects has no answer after that", async () => {
  const engines = open(() => Promise.reject(new Error("Nobody is called.")));
  const found = await engines.select("true", [input, input], AbortSignal.abort());
  expect(found).toEqual([timeout, timeout]);
});

it("a remote engine that was late for three resources of a policy is not called for the others", async () => {
  const urls: unknown[] = [];
  const engines = open(async () => {
    urls.push(1);
    await new Promise((next) => setImmediate(next));
    throw new OutboundError("timeout", true, "Too late.");
  });
  const jobs = Array.from({ length: 60 }, (_, n) => jobOf("slow", remote, `${n}`));
  const outcomes = await engines.evaluate([input], jobs, new AbortController().signal);
  expect(outcomes).toEqual(jobs.map(() => timeout));
  // So many calls run at once; each that ends before the third one begins another.
  expect(urls.length).toBeLessThanOrEqual(16 + 2);
});
