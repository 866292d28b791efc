/** MCP servers that answer requests of a session which they have lost with 400 instead of 404, as many published ones do. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { newId } from "../../../src/platform/lib/ids.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { startHttpPeer } from "../../support/http-peer.ts";
import { mcpServer, openPool, type PoolFixture } from "./pool-fixture.ts";

let db: TestDatabase;
let peer: { url: string; close(): Promise<void> };
let fixture: PoolFixture;
/** Sessions that the server knows. */
let sessions: Set<string>;
let begun: number;
/** What it says with the status 400 to other sessions. */
let refusal: string;
/** Calls of the tool that it was sent, in whatever session. */
let sent: number;
/** Whether each call is refused with 400, whatever its session. */
let refusesCalls: boolean;

beforeAll(async () => {
  db = await testDatabase();
  peer = await startHttpPeer((request, response) => void answer(request, response));
});
afterAll(async () => {
  await peer.close();
  await db.drop();
});
beforeEach(() => {
  sessions = new Set();
  begun = 0;
  sent = 0;
  refusesCalls = false;
});
afterEach(() => fixture.close());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "GET") return void response.writeHead(405).end();
  if (request.method === "DELETE") return void response.writeHead(200).end();
  const { id, method, params } = (await json(request)) as { id?: number; method: string; params: any };
  const given = request.headers["mcp-session-id"];
  const send = (result: object, session = {}): void =>
    void response
      .writeHead(200, { "content-type": "application/json", ...session })
      .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  if (method === "initialize") {
    const session = newId();
    sessions.add(session);
    begun += 1;
    const { protocolVersion } = params;
    const own = { capabilities: { tools: {} }, serverInfo: { name: "lost", version: "1" } };
    return send({ protocolVersion, ...own }, { "mcp-session-id": session });
  }
  if (method === "tools/call") sent += 1;
  const isRefused = method === "tools/call" && refusesCalls;
  if (typeof given !== "string" || !sessions.has(given) || isRefused)
    return void response.writeHead(400).end(refusal);
  if (id === undefined) return void response.writeHead(202).end();
  if (method === "tools/list")
    return send({ tools: [{ name: "act", description: "Acts.", inputSchema: { type: "object" } }] });
  return send({ content: [{ type: "text", text: "done" }] });
}

const open = async (more: object): Promise<void> => {
  fixture = await openPool([mcpServer({ name: "lost", url: `${peer.url}/mcp`, ...more })], { db });
  await fixture.pool.list();
  expect(await fixture.call("lost:act")).toEqual({ text: "done", isError: false });
};
const identity = { userIdentity: { secret: "s".repeat(32) } };

it.each([
  ["all", {}],
  ["each user", identity],
])("a lost session of %s is begun anew, and the call made once", async (_who, more) => {
  refusal = "Bad Request: No valid session ID provided";
  await open(more);
  sessions.clear();
  expect(await fixture.call("lost:act")).toEqual({ text: "done", isError: false });
  expect(await fixture.call("lost:act")).toEqual({ text: "done", isError: false });
  // One call was refused.
  expect(sent).toBe(4);
});

it("a connection of a user that was refused without a word is not used again", async () => {
  refusal = "";
  await open(identity);
  sessions.clear();
  expect(await fixture.call("lost:act")).toMatchObject({ isError: true });
  expect(sent).toBe(2);
  await eventually("an answer", async () => !(await fixture.call("lost:act")).isError);
});

it("a server that refuses each call for its session is asked twice for each, and no more", async () => {
  refusal = "Bad Request: session";
  await open(identity);
  refusesCalls = true;
  const before = begun;
  expect(await fixture.call("lost:act")).toMatchObject({ isError: true });
  expect([sent, begun - before]).toEqual([3, 1]);
});
