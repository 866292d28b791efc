import { afterEach, describe, expect, it } from "vitest";
import { readFileSync } from "node:fs";
import { recordSpans, type SpanRecorder } from "../../../test/support/recorded-spans.ts";
import { Failure } from "../errors/failure.ts";
import { activeTraceparent, flushSpans, inSpan, isTracing, startSpan } from "./spans.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";
const parent = `00-${traceId}-${spanId}-01`;

let recorder: SpanRecorder | undefined;
afterEach(() => {
  recorder?.stop();
  recorder = undefined;
});

describe("without an SDK", () => {
  it("makes no span, asks for no attribute, and just does the work", async () => {
    expect(isTracing()).toBe(false);
    const attributes = (): never => {
      throw new Error("asked for");
    };
    expect(startSpan("plan", { name: "plan x", parent, attributes })).toBeUndefined();
    expect(
      await inSpan("plan", { name: "plan x", parent, attributes }, async (span) => span),
    ).toBeUndefined();
    expect(activeTraceparent()).toBeUndefined();
    await flushSpans();
  });
});

describe("with an SDK", () => {
  it("continues the trace that a header or a row names", () => {
    recorder = recordSpans();
    const span = startSpan("plan", {
      name: "plan x",
      parent,
      attributes: () => ({ "plinth.plan.id": "p1", "plinth.unit.id": null, "plinth.environment": undefined }),
    });
    span?.set({ "plinth.plan.status": "COMPLETED", "plinth.unit.id": "u".repeat(2_000) });
    span?.end();
    const [recorded] = recorder.spans;
    expect(recorded).toMatchObject({ name: "plan x", kind: 0, traceId, parentId: spanId, links: [] });
    expect(recorded?.attributes).toEqual({
      "plinth.plan.id": "p1",
      "plinth.plan.status": "COMPLETED",
      "plinth.unit.id": "u".repeat(500),
    });
    expect(recorded).toMatchObject({ status: undefined, hasEnded: true });
    expect(span?.traceparent).toBe(`00-${traceId}-${recorded?.spanId}-01`);
  });

  it("begins a trace where the given context is none, and follows the code that runs where none is given", async () => {
    recorder = recordSpans();
    await inSpan("round", { name: "round x", parent: "nonsense" }, async (outer) => {
      expect(activeTraceparent()).toBe(outer?.traceparent);
      await inSpan("work", { name: "work x" }, async () => undefined);
    });
    const [round, work] = recorder.spans;
    expect(round?.parentId).toBeUndefined();
    expect(work).toMatchObject({ parentId: round?.spanId, traceId: round?.traceId, links: [] });
  });

  it("links work of one trace to what has begun it in another", async () => {
    recorder = recordSpans();
    await inSpan("round", { name: "round x" }, () =>
      inSpan("plan", { name: "plan x", parent }, async () => {}),
    );
    const [round, plan] = recorder.spans;
    expect(plan).toMatchObject({ traceId, links: [round?.traceId] });
  });

  it("says the class of an error, and never its text", async () => {
    recorder = recordSpans();
    class Lost extends Error {}
    const failure = new Failure({ kind: "conflict", code: "SOME_CODE", message: "secret text" });
    for (const error of [failure, new Lost("secret text"), new TypeError("secret text"), "secret text"]) {
      const rejecting = inSpan("work", { name: "work x" }, () => Promise.reject(error));
      await expect(rejecting).rejects.toBe(error);
    }
    expect(recorder.spans.map(({ attributes }) => attributes["error.type"])).toEqual([
      "SOME_CODE",
      "Lost",
      "TypeError",
      "string",
    ]);
    for (const { status, hasEnded } of recorder.spans)
      expect({ status, hasEnded }).toEqual({ status: { code: 2 }, hasEnded: true });
    expect(JSON.stringify(recorder.spans)).not.toContain("secret text");
  });

  it("hands the sampler's decision on", () => {
    recorder = recordSpans({ isSampled: false });
    const span = startSpan("plan", { name: "plan x", parent });
    expect(span?.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    span?.end();
    expect(recorder.spans).toEqual([]);
  });
});

it("the API is of the oldest version that a current SDK registers with: it takes newer ones too, but no older one", () => {
  const lock = JSON.parse(readFileSync(new URL("../../../package-lock.json", import.meta.url), "utf8")) as {
    packages: Record<string, { version: string }>;
  };
  expect(lock.packages["node_modules/@opentelemetry/api"]?.version).toMatch(/^1\.9\./);
});
