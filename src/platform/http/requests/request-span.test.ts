import { afterEach, expect, it } from "vitest";
import { request } from "undici";
import { Type } from "typebox";
import { eventually } from "../../../../test/support/eventually.ts";
import { startTestServer, testArea } from "../../../../test/support/http.ts";
import { recordSpans, type SpanRecorder } from "../../../../test/support/recorded-spans.ts";
import { startSpan } from "../../telemetry/spans.ts";
import { route } from "../operation.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

let recorder: SpanRecorder | undefined;
afterEach(() => {
  recorder?.stop();
  recorder = undefined;
});

const seen: string[] = [];
const things = testArea((app) =>
  route(app, {
    id: "readThing",
    method: "GET",
    path: "/things/{thing-id}",
    summary: "Reads a thing",
    rule: "read",
    response: { 200: Type.String() },
    async handler(ctx, { params }) {
      seen.push(ctx.traceparent);
      await new Promise((next) => setImmediate(next));
      startSpan("work", { name: "work inside" })?.end();
      if (params["thing-id"] === "broken") throw new Error("secret text");
      return "found";
    },
  }),
);

const asked = async (path: string, headers: Record<string, string> = {}): Promise<number> => {
  await using server = await startTestServer([things]);
  const { statusCode, body } = await request(server.url + path, { headers });
  await body.dump();
  await eventually("the end of the spans", () => recorder!.spans.every(({ hasEnded }) => hasEnded));
  return statusCode;
};

it("continues the caller's trace, is named by its route, and is the parent of what the handler begins", async () => {
  recorder = recordSpans();
  const headers = { traceparent: `00-${traceId}-${spanId}-01`, "x-request-id": "r1" };
  expect(await asked("/api/test/things/a%2Fb?token=secret", headers)).toBe(200);
  const [span, inner] = recorder.spans;
  expect(span).toMatchObject({
    name: "GET /api/test/things/{thing-id}",
    kind: 1,
    traceId,
    parentId: spanId,
    status: undefined,
    attributes: {
      "http.request.method": "GET",
      "http.route": "/api/test/things/{thing-id}",
      "url.path": "/api/test/things/a%2Fb",
      "url.scheme": "http",
      "network.protocol.version": "1.1",
      "http.response.status_code": 200,
      "plinth.operation": "readThing",
      "plinth.request.id": "r1",
    },
  });
  expect(inner).toMatchObject({ name: "work inside", parentId: span?.spanId });
  expect(seen.at(-1)).toBe(`00-${traceId}-${span?.spanId}-01`);
  expect(JSON.stringify(recorder.spans)).not.toContain("secret");
});

it("is an error for an answer of 500 and more, without what went wrong", async () => {
  recorder = recordSpans();
  expect(await asked("/api/test/things/broken")).toBe(500);
  expect(recorder.spans[0]).toMatchObject({
    status: { code: 2 },
    parentId: undefined,
    attributes: { "http.response.status_code": 500, "error.type": "500" },
  });
  expect(JSON.stringify(recorder.spans)).not.toContain("secret");
});

it("has only the method for a path that is none of ours, which is no error, and leaves health out", async () => {
  recorder = recordSpans();
  expect(await asked("/nowhere")).toBe(404);
  expect(await asked("/healthz")).toBe(200);
  expect(await asked("/readyz?x=1")).toBe(200);
  expect(recorder.spans).toMatchObject([
    { name: "GET", status: undefined, attributes: { "http.response.status_code": 404 } },
  ]);
});
