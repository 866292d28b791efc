/** Configured MCP servers, as the operations of the assistant show them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startWholeServer, until, type WholeServer } from "../../support/server.ts";
import { plainTool, startHostileServer, type HostileServer } from "./hostile-server.ts";
import { mcpServer } from "./pool-fixture.ts";

let other: HostileServer;
let server: WholeServer;

beforeAll(async () => {
  other = await startHostileServer();
  server = await startWholeServer({
    workers: "off",
    configure(config) {
      config.assistant.mcpServers = [
        mcpServer({ name: "other", url: other.url, refreshSeconds: 5 }),
        mcpServer({ name: "away", url: "http://127.0.0.1:9/mcp" }),
      ];
    },
  });
});
afterAll(async () => {
  await server.close();
  await other.close();
});

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

it("tells the health of each", async () => {
  const { body } = await until(
    () => server.assistant({ path: "/mcp-servers", as: "viewer" }),
    ({ body: { data } }) => data.every(({ status }: any) => status !== "connecting"),
  );
  expect(body).toEqual({
    data: [
      {
        name: "other",
        transport: "http",
        status: "connected",
        since: time,
        protocol: "2025-11-25",
        tool_count: 1,
        message: null,
        next_attempt_at: null,
      },
      {
        name: "away",
        transport: "http",
        status: "waiting",
        since: time,
        protocol: null,
        tool_count: 0,
        message: expect.stringContaining("127.0.0.1:9"),
        next_attempt_at: time,
      },
    ],
  });
  expect((await server.assistant({ path: "/mcp-servers", as: null })).status).toBe(401);
});

it("lists their tools and our own, and shows what has changed until a person approves it", async () => {
  const ids = async (): Promise<string[]> => {
    const { body } = await server.assistant({ path: "/mcp-tools?limit=100" });
    return body.data.map(({ id }: any) => id);
  };
  expect(await ids()).toEqual(expect.arrayContaining(["other:act", "platform:start_provisioning"]));
  other.tools = [plainTool("act", "Does something else.")];
  const { body } = await until(
    () => server.assistant({ path: "/mcp-tools/changed" }),
    ({ body: { data } }) => data.length > 0,
  );
  expect(body.data).toMatchObject([{ id: "other:act", description: "Does something else.", is_new: false }]);
  expect(await ids()).not.toContain("other:act");
  const { id, fingerprint } = body.data[0];
  const approval = { method: "POST", path: "/mcp-tools/approve", body: { tools: [{ id, fingerprint }] } };
  expect((await server.assistant({ ...approval, as: "service" })).status).toBe(403);
  expect((await server.assistant({ ...approval, as: "operator" })).status).toBe(200);
  expect(await ids()).toContain("other:act");
});
