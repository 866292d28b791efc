import { createServer } from "node:http";
import { expect, it } from "vitest";
import { startOnce } from "./start-once.ts";

type ServerReply = "cut" | "cut in the body" | number;

/** Gives each request the next answer; the last one repeats. */
async function startReplyingServer(...replies: ServerReply[]) {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    const reply = replies[Math.min(keys.length, replies.length - 1)]!;
    keys.push(request.headers["idempotency-key"]);
    request.resume().on("end", () => {
      if (reply === "cut") return request.socket.destroy();
      if (reply === "cut in the body") {
        response.writeHead(200, { "content-type": "application/json", "content-length": 100 });
        response.write('"to', () => request.socket.destroy());
        return undefined;
      }
      const body =
        reply < 300 ? '"token"' : JSON.stringify({ error: { code: "X", message: "No.", solutions: [] } });
      return response.writeHead(reply, { "content-type": "application/json" }).end(body);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  const close = () => new Promise((done) => server.close(done));
  const url = `http://127.0.0.1:${port}`;
  const call = () =>
    startOnce<string>(
      { url, signal: new AbortController().signal },
      { method: "POST", path: "/", body: {} },
      { repeats: 3, firstDelayMs: 1 },
    );
  return { keys, call, close, [Symbol.asyncDispose]: async () => void (await close()) };
}

it.each<ServerReply[]>([["cut", 202], ["cut in the body", "cut", 202], ["cut", 503, 202], [202]])(
  "sends again under the same key until the answer comes: %s, %s, %s",
  async (...replies) => {
    await using server = await startReplyingServer(...replies);
    expect((await server.call()).body).toBe("token");
    expect(server.keys).toHaveLength(replies.length);
    expect(new Set(server.keys).size).toBe(1);
    expect(server.keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  },
);

it("takes another key for another start", async () => {
  await using server = await startReplyingServer(202);
  await server.call();
  await server.call();
  expect(new Set(server.keys).size).toBe(2);
});

it.each([400, 409, 429, 503])("does not repeat what is refused with %i", async (status) => {
  await using server = await startReplyingServer(status);
  await expect(server.call()).rejects.toThrow();
  expect(server.keys).toHaveLength(1);
});

it("says at once that nobody is there", async () => {
  const server = await startReplyingServer(202);
  await server.close();
  await expect(server.call()).rejects.toThrow(/^No server answers at .*: the connection was refused\.$/);
});

it("says that nothing is known when the server does not come back", async () => {
  await using server = await startReplyingServer("cut");
  await expect(server.call()).rejects.toThrow(
    /its answer was lost: whether it has started is not known\. No server/,
  );
  expect(server.keys).toHaveLength(4);
});
