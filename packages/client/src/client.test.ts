import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createClient, resultOf, type ClientOptions, type PlinthClient } from "./client.ts";

/** The header that a request and a stream are sent with. */
async function headersOf(token: ClientOptions["token"]): Promise<(string | null)[]> {
  const sent: (string | null)[] = [];
  const plinth = createClient({
    url: "http://plinth.test",
    ...(token !== undefined && { token }),
    fetch: async (request) => {
      sent.push(request.headers.get("authorization"));
      return request.url.endsWith("/events")
        ? new Response('id: 1\nevent: end\ndata: {"status":"COMPLETED"}\n\n')
        : Response.json({ data: [] });
    },
  });
  await resultOf(plinth.coordinator.GET("/api/coordinator/v1/environments", { params: {} }));
  const events = plinth.follow("/api/x/events");
  await events.next();
  await events.return(undefined);
  return sent;
}

describe("the token", () => {
  it.each<[string, ClientOptions["token"], string | null]>([
    ["is sent", "abc", "Bearer abc"],
    ["is asked for", async () => "abc", "Bearer abc"],
    ["may be absent", undefined, null],
    ["may be empty, as of a variable that is not set", "", null],
    ["may be answered empty", () => "", null],
  ])("%s", async (_case, token, expected) => {
    expect(await headersOf(token)).toEqual([expected, expected]);
  });
});

/** The limits that requests have set, each of which is over when the test says so. */
function heldLimits(): { ms: number; pass: () => void }[] {
  const limits: { ms: number; pass: () => void }[] = [];
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const limit = new AbortController();
    limits.push({ ms, pass: () => limit.abort(new DOMException("too late", "TimeoutError")) });
    return limit.signal;
  });
  onTestFinished(() => timeout.mockRestore());
  return limits;
}

async function clientOf(answer: (response: ServerResponse) => void): Promise<PlinthClient> {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return createClient({ url: `http://127.0.0.1:${port}`, timeoutMs: 5_000 });
}

describe("the limit of a request", () => {
  it("is the client's, or its own where it has one", async () => {
    const limits = heldLimits();
    const plinth = await clientOf((response) => {
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    await resultOf(plinth.coordinator.GET("/api/coordinator/v1/environments", { params: {} }));
    await resultOf(
      plinth.builder.POST("/api/builder/templates/dry-run", {
        body: { templateRef: "template:default/t", values: {} },
        fetch: plinth.within(90_000),
      }),
    );
    expect(limits.map(({ ms }) => ms)).toEqual([5_000, 90_000]);
  });

  it("ends with the headers of a stream of events", async () => {
    const limits = heldLimits();
    const opened = Promise.withResolvers<ServerResponse>();
    const plinth = await clientOf((response) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      response.write("id: 1\ndata: a\n\n");
      opened.resolve(response);
    });
    const { data } = await plinth.coordinator.GET("/api/coordinator/v1/execution-plans/{token}/events", {
      params: { path: { token: "t" } },
      parseAs: "stream",
    });
    for (const { pass } of limits) pass();
    (await opened.promise).end("id: 2\ndata: b\n\n");
    expect(await new Response(data).text()).toBe("id: 1\ndata: a\n\nid: 2\ndata: b\n\n");
    expect(limits).toHaveLength(1);
  });

  it("holds for the whole of any other answer", async () => {
    const limits = heldLimits();
    const plinth = await clientOf((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"data":');
    });
    const { data } = await plinth.coordinator.GET("/api/coordinator/v1/environments", {
      params: {},
      parseAs: "stream",
    });
    const text = new Response(data).text();
    for (const { pass } of limits) pass();
    await expect(text).rejects.toMatchObject({ name: "TimeoutError" });
  });
});
