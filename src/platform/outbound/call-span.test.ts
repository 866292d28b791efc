import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { recordSpans, type SpanRecorder } from "../../../test/support/recorded-spans.ts";
import { freePort, startHttpPeer, type HttpPeer } from "../../../test/support/http-peer.ts";
import { silentLogger } from "../lib/logger.ts";
import { inSpan } from "../telemetry/spans.ts";
import { createOutbound, type Outbound } from "./outbound.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";
const traceparent = `00-${traceId}-${spanId}-01`;

const received: (string | undefined)[] = [];
let peer: HttpPeer;
let outbound: Outbound;
let recorder: SpanRecorder | undefined;

beforeAll(async () => {
  peer = await startHttpPeer((request, response) => {
    received.push(request.headers["traceparent"] as string | undefined);
    response.writeHead(request.url?.startsWith("/broken") === true ? 502 : 200).end("x");
  });
  outbound = createOutbound(
    {
      allowedSchemes: ["http"],
      blockedHosts: [],
      allowPrivateNetworks: true,
      maxResponseBytes: 100_000,
      timeoutMs: 5_000,
    },
    silentLogger,
    { purpose: "hooks" },
  );
});
afterAll(() => Promise.all([peer.close(), outbound.close()]));
afterEach(() => {
  recorder?.stop();
  recorder = undefined;
});

it("continues the trace that the headers name, and is what the peer gets", async () => {
  recorder = recordSpans();
  await outbound.request({
    method: "POST",
    url: `${peer.url}/base/v1/things/secret-token`,
    headers: { traceparent },
    trace: () => ({
      template: "/v1/things/{token}",
      base: `${peer.url}/base`,
      attributes: { "plinth.adapter.call": "poll" },
    }),
  });
  const [span] = recorder.spans;
  expect(span).toMatchObject({ kind: 2, traceId, parentId: spanId, status: undefined, hasEnded: true });
  expect(span?.name).toBe("POST /v1/things/{token}");
  expect(span?.attributes).toEqual({
    "http.request.method": "POST",
    "url.full": `${peer.url}/base/v1/things/{token}`,
    "url.template": "/v1/things/{token}",
    "server.address": "127.0.0.1",
    "server.port": peer.port,
    "plinth.outbound.purpose": "hooks",
    "plinth.adapter.call": "poll",
    "http.response.status_code": 200,
  });
  expect(received.at(-1)).toBe(`00-${traceId}-${span?.spanId}-01`);
});

it("is a child of the code that calls, and says nothing to a peer that was not to get trace context", async () => {
  recorder = recordSpans();
  await inSpan("work", { name: "work x" }, () =>
    outbound.stream({ method: "GET", url: `${peer.url}/secret?key=secret`, idleMs: 1_000 }),
  );
  const [work, span] = recorder.spans;
  expect(span).toMatchObject({ name: "GET", parentId: work?.spanId });
  expect(span?.attributes["url.full"]).toBe(`${peer.url}/REDACTED`);
  expect(received.at(-1)).toBeUndefined();
  expect(JSON.stringify(recorder.spans)).not.toContain("secret");
});

it("is an error for statuses of 400 and more, and for calls without an answer", async () => {
  recorder = recordSpans();
  await outbound.request({ method: "GET", url: `${peer.url}/broken` });
  const nobody = `http://127.0.0.1:${await freePort()}/`;
  await expect(outbound.request({ method: "GET", url: nobody })).rejects.toThrow("No connection");
  expect(recorder.spans).toMatchObject([
    { status: { code: 2 }, attributes: { "http.response.status_code": 502, "error.type": "502" } },
    { status: { code: 2 }, attributes: { "error.type": "connect" } },
  ]);
});

it("leaves the headers as they are without an SDK", async () => {
  await outbound.request({ method: "GET", url: `${peer.url}/`, headers: { traceparent } });
  expect(received.at(-1)).toBe(traceparent);
});
