/** Secrets that a running process takes with SIGHUP: the database's password, what webhooks are signed with, tokens of MCP servers. */
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectTo } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import type { Config } from "../../src/platform/config/schema/schema.ts";
import { mcpServer, openPool } from "../assistant/mcp/pool-fixture.ts";
import { startHostileServer } from "../assistant/mcp/hostile-server.ts";
import { ended, ships, start } from "../coordinator/ships.ts";
import { testDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startHttpPeer, type HttpPeer } from "../support/http-peer.ts";
import { startWholeServer, until, type WholeServer } from "../support/server.ts";

const role = `rotated_${process.pid}`;
const webhookSecret = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
const [firstSecret, secondSecret] = [webhookSecret(1), webhookSecret(2)];
/** What a receiver of webhooks got, and which of these two secrets it was signed with. */
const signed: { by: string; subject: string }[] = [];

let server: WholeServer;
let receiver: HttpPeer;
let config: Config;
beforeAll(async () => {
  receiver = await startHttpPeer((request, response) => {
    void text(request).then((body) => {
      const headers = request.headers as Record<string, string>;
      const by = [firstSecret, secondSecret].filter((secret) => isSignedBy(secret, { body, headers }));
      signed.push({ by: by.join(), subject: JSON.parse(body).subject });
      response.writeHead(204).end();
    });
  });
  const db = await testDatabase();
  await sql`create role ${sql.ref(role)} superuser login password 'the-first-one'`.execute(db.database.db);
  server = await startWholeServer({
    db,
    configure(settings) {
      const { coordinator } = settings.database;
      settings.database.coordinator = { ...coordinator, user: role, password: "the-first-one" };
      const hook = {
        name: "all",
        url: receiver.url,
        timeoutMs: 60_000,
        parallel: 4,
        retryDelaysMs: [50],
      };
      settings.coordinator.webhooks = [{ ...hook, secrets: [firstSecret] }];
    },
  });
  config = server.config;
  await server.registerMock();
});
afterAll(async () => {
  const { connection } = server.db;
  await server.close();
  await receiver.close();
  const client = await connectTo({ ...connection, dbname: "postgres" });
  await client.query(`drop role ${role}`);
  await client.end();
});

function isSignedBy(
  secret: string,
  { body, headers }: { body: string; headers: Record<string, string> },
): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

/** As SIGHUP does, with a configuration that differs in this. */
async function reload(change: (next: Config) => void): Promise<{ changed: string[]; needRestart: string[] }> {
  const next = structuredClone(config);
  change(next);
  const taken = await server.reload(next);
  config = next;
  return taken;
}

describe("the password of the database", () => {
  const setPassword = (password: string): Promise<unknown> =>
    sql`alter role ${sql.ref(role)} password ${sql.lit(password)}`.execute(server.db.database.db);
  /** What is open stays open, whatever the password is now. */
  const closeConnections = (): Promise<unknown> =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${role}`.execute(
      server.db.database.db,
    );
  const withPassword = (password: string) => (next: Config) => {
    next.database.coordinator.password = password;
  };

  it("is refused with what the database says where it does not fit, and the former one stays", async () => {
    await expect(reload(withPassword("a-mistyped-one"))).rejects.toMatchObject({
      code: "PLATFORM_DATABASE_UNAVAILABLE",
      message: expect.stringContaining("password authentication failed"),
      solutions: [expect.stringContaining("database.coordinator.user and .password")],
    });
    await closeConnections();
    await until(
      () => server.coordinator({ path: "/v1/tech-adapters" }),
      ({ status }) => status === 200,
    );
  });

  it("is that of each new connection once it was taken: pools, the listener, the job queue, the data layer", async () => {
    await setPassword("the-second-one");
    const taken = await reload(withPassword("the-second-one"));
    expect(taken).toEqual({ changed: ["database.coordinator.password"], needRestart: [] });
    await closeConnections();
    const kinds = async (): Promise<string[]> => {
      const { rows } = await sql<{ kind: string }>`select distinct application_name as kind
        from pg_stat_activity where usename = ${role} order by 1`.execute(server.db.database.db);
      return rows.map(({ kind }) => kind);
    };
    await until(
      () => server.graphql("{ allMarketplaceProducts(first: 1) { totalCount } }"),
      ({ status }) => status === 200,
    );
    await eventually("connections of the pools and of the job queue", async () => {
      const open = await kinds();
      return ["plinth", "plinth-jobs"].every((kind) => open.includes(kind)) ? true : null;
    });
    const plan = await start(server, ships("urn:dmb:dp:sea:after:0"));
    expect(await ended(server, plan)).toBe("COMPLETED");
  });
});

it("webhooks: events are signed with the secrets that were taken last", async () => {
  const signedFor = async (unit: string): Promise<Set<string>> => {
    await start(server, ships(unit));
    const of = () => signed.filter(({ subject }) => subject === `development/${unit}`).map(({ by }) => by);
    await eventually("an event", async () => (of().length > 0 ? true : null));
    return new Set(of());
  };
  expect(await signedFor("urn:dmb:dp:sea:signed:0")).toEqual(new Set([firstSecret]));
  const taken = await reload((next) => {
    next.coordinator.webhooks[0]!.secrets = [secondSecret];
  });
  expect(taken).toEqual({ changed: ["coordinator.webhooks[0].secrets"], needRestart: [] });
  expect(await signedFor("urn:dmb:dp:sea:signed:1")).toEqual(new Set([secondSecret]));
});

it("MCP servers: a server whose token has changed is connected to anew, and a call under way ends as it would", async () => {
  const hostile = await startHostileServer();
  const settings = mcpServer({ name: "h", url: hostile.url, token: "the-first-one" });
  const fixture = await openPool([settings]);
  try {
    await eventually("the tools", async () => ((await fixture.offered("h")).length === 1 ? true : null));
    expect((await fixture.call("h:act")).text).toBe("did act");
    expect(new Set(hostile.seen.map(({ authorization }) => authorization))).toEqual(
      new Set(["Bearer the-first-one"]),
    );
    hostile.said = () => {
      // Between the beginning of the call and its answer.
      fixture.pool.renew([{ ...settings, token: "the-second-one" }]);
      return "did it all the same";
    };
    expect(await fixture.call("h:act")).toEqual({ text: "did it all the same", isError: false });
    hostile.said = () => "did it anew";
    await eventually("a call with the other token", async () => {
      expect(await fixture.call("h:act")).toMatchObject({ isError: false });
      return hostile.seen.at(-1)?.authorization === "Bearer the-second-one" ? true : null;
    });
    const seen = hostile.seen.length;
    fixture.pool.renew([{ ...settings, token: "the-second-one" }]);
    expect(await fixture.call("h:act")).toEqual({ text: "did it anew", isError: false });
    expect(hostile.seen.slice(seen).map(({ method }) => method)).not.toContain("initialize");
  } finally {
    await fixture.close();
    await hostile.close();
  }
});
