/** The address in an agent's card is one that clients can call. */
import { expect, it, onTestFinished } from "vitest";
import { send, startWholeServer, type WholeServerOptions } from "../../support/server.ts";

const path = "/.well-known/agent-card.json";

async function cardOf(options: WholeServerOptions = {}) {
  const server = await startWholeServer(options);
  onTestFinished(() => server.close());
  const { status, body } = await send(server.url, { path });
  expect(status).toBe(200);
  return { server, card: body };
}

it("names the port that the server really listens on, where the configuration leaves it open", async () => {
  const { server, card } = await cardOf();
  const url = `${server.url}/api/assistant/a2a`;
  expect([card.url, card.provider.url]).toEqual([url, server.url]);
  expect(card.supportedInterfaces.map((each: { url: string }) => each.url)).toEqual([url, url]);
  const { status, body } = await send(card.url, {
    method: "POST",
    path: "",
    headers: { "a2a-version": "1.0" },
    body: { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "none" } },
  });
  expect([status, body.error.code]).toEqual([200, -32001]);
});

it("names the public address where one is configured", async () => {
  const { card } = await cardOf({
    configure: (config) => void (config.server.baseUrl = "https://plinth.example.com/platform/"),
  });
  expect(card.url).toBe("https://plinth.example.com/platform/api/assistant/a2a");
});
