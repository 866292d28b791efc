/** Connections to the database that drop while a run is driven: the run goes on, and nothing that may have acted is repeated. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import { startWholeServer, type WholeServer } from "../../support/server.ts";
import { testPorts, testTools } from "./agents.ts";
import { allOf, openStream, readUntil } from "./stream.ts";

let server: WholeServer;
let withPool: WholeServer;
let model: ScriptedModel;
const tools = testTools();
/** The read of an agent or a model that fails as on a connection that is lost, counted down; never without a number. */
let readsToFailure = Infinity;

beforeAll(async () => {
  model = await startScriptedModel([]);
  const ports = testPorts(model.url);
  const failing = (): void => {
    if (--readsToFailure === 0) throw new Error("Connection terminated unexpectedly");
  };
  server = await startWholeServer({
    replaced: {
      tools,
      runs: {
        ...ports,
        async loadAgent(id) {
          failing();
          return ports.loadAgent(id);
        },
        async readModel() {
          failing();
          return ports.readModel();
        },
      },
    },
  });
  withPool = await startWholeServer({
    replaced: { runs: ports },
    configure(config) {
      config.assistant.titles = "message";
    },
  });
  await server.db.database.pool.query("create sequence drops");
});
beforeEach(() => {
  tools.calls.length = 0;
  model.requests.length = 0;
  readsToFailure = Infinity;
  model.follow([
    { system: "Write a title", turn: { text: "A fine title" } },
    { role: "user", turn: { text: "I look.", calls: [{ name: "unit__look", arguments: { a: 1 } }] } },
    { turn: { text: "It is blue." } },
  ]);
});
afterEach(() => server.db.database.pool.query("drop function if exists drop_connection cascade"));
afterAll(async () => {
  await server.close();
  await withPool.close();
  await model.close();
});

/** The first `times` updates of a run for which the condition holds lose their connection. */
async function dropAt(condition: string, times = 1): Promise<void> {
  await server.db.database.pool.query(`alter sequence drops restart;
    create function drop_connection() returns trigger language plpgsql as $$ begin
      if nextval('drops') <= ${times} then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new;
    end $$;
    create trigger drops before update on assistant_runs for each row when (${condition})
      execute function drop_connection()`);
}

const atCheckpoint = "new.status = 'running' and new.state::text is distinct from old.state::text";
const atActing = "new.acting is not null and new.acting::text is distinct from old.acting::text";
const atEnd = "new.status = 'completed'";

const dropped = async (): Promise<number> => {
  const { rows } = await server.db.database.pool.query("select last_value::int as n, is_called from drops");
  return rows[0].is_called ? rows[0].n : 0;
};

const ask = () => server.assistant({ method: "POST", path: "/task/sync", body: { message: "Look" } });
const untilEnd = (runId: string) =>
  expect
    .poll(async () => {
      const { body } = await server.assistant({ path: `/runs/${runId}` });
      return ["queued", "running", "waiting"].includes(body.status) ? "under way" : body.status;
    })
    .not.toBe("under way");

it.each([
  ["a checkpoint", atCheckpoint],
  ["the note that a tool is called", atActing],
  ["the end", atEnd],
])("a run goes on after a connection that dropped at %s", async (_, condition) => {
  await dropAt(condition);
  const { status, body } = await ask();
  expect(await dropped()).toBeGreaterThan(0);
  expect([status, body.message]).toEqual([200, "It is blue."]);
});

/** The first read is that of the request. */
it.each([
  ["model", 2],
  ["agent", 3],
])("a run goes on after the read of its %s failed", async (_, nth) => {
  readsToFailure = nth;
  const { status, body } = await ask();
  expect([status, body.message, readsToFailure < 0]).toEqual([200, "It is blue.", true]);
});

it("counts each call of the model once or, where its turn is repeated, twice", async () => {
  await dropAt(atEnd);
  const stream = await openStream(`${server.url}/api/assistant/v2/task`, { body: { message: "Look" } });
  const { runId, result } = (await allOf(stream)).at(-1)!.data;
  const { rows } = await server.db.database.pool.query(
    "select output_tokens::int as output from assistant_usage where run_id = $1 and agent = 'main'",
    [runId],
  );
  expect(rows).toHaveLength(3);
  expect(rows.reduce((sum, { output }) => sum + output, 0)).toBe(result.usage.output_tokens);
});

it("a run whose connections drop again and again ends, after the takeovers that are allowed", async () => {
  await dropAt(atCheckpoint, 1_000);
  const stream = await openStream(`${server.url}/api/assistant/v2/task`, { body: { message: "Look" } });
  const last = (await allOf(stream)).at(-1);
  expect(last).toMatchObject({ event: "RUN_ERROR", data: { code: "run_interrupted" } });
  expect(tools.calls.length).toBe(4);
});

it("a tool that may have acted is not called again", async () => {
  model.follow([
    { system: "Write a title", turn: { text: "A fine title" } },
    { role: "user", turn: { calls: [{ name: "unit__remove", arguments: { what: "x" } }] } },
    { turn: { text: "It is gone." } },
  ]);
  const stream = await openStream(`${server.url}/api/assistant/v2/task`, { body: { message: "Remove" } });
  const { data: started } = await readUntil(stream, ({ event }) => event === "RUN_STARTED");
  const { data: required } = await readUntil(stream, ({ data }) => data.name === "approval_required");
  await dropAt(atCheckpoint);
  const path = `/runs/${started.runId}/approvals/${required.value.approval_id}`;
  await server.assistant({ method: "POST", path, body: { approved: true } });
  await untilEnd(started.runId);
  stream.close();
  const { body } = await server.assistant({ path: `/runs/${started.runId}` });
  expect([body.status, tools.calls.map(({ name }) => name)]).toEqual(["interrupted", ["remove"]]);
});

it("a read of the approved tools that failed is not what the next runs get", async () => {
  model.follow([{ turn: { text: "It is blue." } }]);
  const { pool } = withPool.db.database;
  // Its first read loses its connection, once.
  await pool.query(`create sequence tool_drops;
    create function tool_drop() returns boolean language plpgsql volatile as $$ begin
      if nextval('tool_drops') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;
      return true;
    end $$;
    alter table mcp_tools rename to mcp_tools_stored;
    create view mcp_tools as select * from mcp_tools_stored where tool_drop()`);
  const request = { method: "POST", path: "/task/sync", body: { message: "Look" } };
  const { status, body } = await withPool.assistant(request);
  const { rows } = await pool.query("select last_value::int as n from tool_drops");
  expect(rows[0].n).toBeGreaterThan(1);
  expect([status, body.message]).toEqual([200, "It is blue."]);
});
