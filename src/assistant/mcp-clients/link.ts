/** A server as this process knows it: connected when it can be, listed now and then, and honest about its state. */
import type { McpServerSettings } from "../../platform/config/schema-mcp.ts";
import { systemActor, type Actor } from "../../platform/lib/actor.ts";
import type { ServerHealth } from "../tools/tool-source.ts";
import { connect, type Connection, type ConnectionDeps } from "./connection.ts";
import { fingerprint, acceptTools, type OfferedTool } from "./fingerprint.ts";

export interface KnownTool extends OfferedTool {
  fingerprint: string;
}

export interface Link {
  readonly server: McpServerSettings;
  /** As last listed; none while it is not connected. */
  tools(): readonly KnownTool[];
  health(): ServerHealth;
  /** Resolves when the first attempt has ended, well or not. */
  readonly tried: Promise<void>;
  /** A connection that acts as this actor, where the server is told who asks. */
  connectionFor(actor: Actor): Promise<Connection>;
  /** Looks at the server soon: a call has failed. */
  suspect(): void;
  /** Gives up a connection that the server does not know any more; resolves when another was tried. */
  renew(connection: Connection): Promise<void>;
  close(): Promise<void>;
}

export interface LinkOptions extends ConnectionDeps {
  server: McpServerSettings;
  /** Told of each listing before its tools are offered. */
  onListed: (tools: readonly OfferedTool[]) => Promise<void>;
}

/** Between two looks: a server that changes its tools all the time is not asked all the time. */
const shortestWaitMs = 500;
const firstWaitMs = 1_000;
const longestWaitMs = 60_000;

/** What servers are told who lists their tools: the platform itself, which may do nothing. */
const lister: Actor = { ref: systemActor.ref, roles: [], provider: "system" };

export function createLink(options: LinkOptions): Link {
  const { server, log, now } = options;
  const tried = Promise.withResolvers<void>();
  const users = createUserConnections((actor) => open(actor));
  let known: readonly KnownTool[] = [];
  let main: Connection | null = null;
  let isOlder = false;
  let closed = false;
  let failures = 0;
  let endWait: () => void = () => undefined;
  let mustList = true;
  let looked = tried;
  let state: Omit<ServerHealth, "name" | "transport" | "tools"> = {
    status: "connecting",
    since: now(),
    protocol: null,
    message: null,
    nextAttemptAt: null,
  };

  const open = async (actor: Actor): Promise<Connection> => {
    const attempt = (older: boolean): Promise<Connection> => {
      const opening: { made?: Connection } = {};
      return connect({
        ...options,
        actor,
        isOlder: older,
        onClose: () => {
          users.forget(opening.made);
          if (opening.made === main) lost();
        },
        onToolsChanged: () => wake(),
      }).then((made) => (opening.made = made));
    };
    if (isOlder || server.transport !== "stdio") return attempt(isOlder);
    // Some programs end at a message that they do not know.
    return attempt(false).catch(async () => {
      const made = await attempt(true);
      isOlder = true;
      return made;
    });
  };
  const wake = (): void => {
    mustList = true;
    endWait();
  };
  const lost = (): void => {
    if (main === null) return;
    main = null;
    known = [];
    state = { ...state, status: "connecting", since: now(), message: "The connection ended." };
    wake();
  };
  const look = async (): Promise<void> => {
    const connection = main ?? (await open(lister));
    main = connection;
    mustList = false;
    const { accepted, dropped } = acceptTools(await connection.listTools());
    await options.onListed(accepted);
    if (main !== connection) throw new Error("The connection ended.");
    known = accepted.map((tool) => ({ ...tool, fingerprint: fingerprint(tool) }));
    failures = 0;
    const message = dropped.length === 0 ? null : `Left out: ${dropped.join("; ")}`;
    const since = state.status === "connected" ? state.since : now();
    state = { status: "connected", since, protocol: connection.protocol, message, nextAttemptAt: null };
  };
  const fail = async (error: Error): Promise<number> => {
    const broken = main;
    main = null;
    known = [];
    await broken?.close();
    failures += 1;
    const waitMs = Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs);
    if (failures === 1)
      log.warn({ server: server.name, reason: error.message }, "an MCP server is not there");
    const nextAttemptAt = new Date(now().getTime() + waitMs);
    const since = state.status === "waiting" ? state.since : now();
    state = { status: "waiting", since, protocol: null, message: error.message, nextAttemptAt };
    mustList = false;
    return waitMs;
  };
  const run = async (): Promise<void> => {
    while (!closed) {
      const waitMs = await look().then(() => server.refreshSeconds * 1_000, fail);
      tried.resolve();
      looked.resolve();
      await sleep(shortestWaitMs, () => closed);
      await sleep(waitMs - shortestWaitMs, () => closed || mustList);
    }
    looked.resolve();
  };
  const sleep = async (ms: number, isOver: () => boolean): Promise<void> => {
    const end = performance.now() + ms;
    while (!isOver() && performance.now() < end) {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, end - performance.now());
        endWait = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
  };
  const running = run();

  return {
    server,
    tried: tried.promise,
    tools: () => known,
    health: () => ({ name: server.name, transport: server.transport, tools: known.length, ...state }),
    async connectionFor(actor) {
      if (server.userIdentity !== undefined) return users.get(actor);
      if (main === null) throw new Error(state.message ?? "It is not connected.");
      return main;
    },
    suspect: () => {
      if (main !== null) wake();
    },
    async renew(connection) {
      users.forget(connection);
      if (connection === main) {
        const next = Promise.withResolvers<void>();
        looked = next;
        await connection.close();
        lost();
        await next.promise;
      } else await connection.close();
    },
    async close() {
      closed = true;
      wake();
      await users.close();
      await main?.close();
      await running;
      await main?.close();
    },
  };
}

interface UserConnections {
  get(actor: Actor): Promise<Connection>;
  forget(connection: Connection | undefined): void;
  close(): Promise<void>;
}

const mostUsers = 200;
const idleMs = 5 * 60_000;

/** Where a server is told who asks, each user has a connection of their own: sessions there may belong to somebody. */
function createUserConnections(open: (actor: Actor) => Promise<Connection>): UserConnections {
  const held = new Map<string, { connection: Promise<Connection>; timer: NodeJS.Timeout }>();
  let closed = false;
  const drop = (key: string): void => {
    const entry = held.get(key);
    if (entry === undefined) return;
    held.delete(key);
    clearTimeout(entry.timer);
    void entry.connection.then((connection) => connection.close()).catch(() => undefined);
  };
  return {
    get(actor) {
      if (closed) return Promise.reject(new Error("The connections are closed."));
      const key = JSON.stringify([actor.ref, actor.provider, [...actor.roles].sort()]);
      const entry = held.get(key) ?? {
        connection: open(actor),
        timer: setTimeout(() => drop(key), idleMs).unref(),
      };
      entry.timer.refresh();
      // The one that was used longest ago comes first.
      held.delete(key);
      held.set(key, entry);
      entry.connection.catch(() => {
        if (held.get(key) === entry) drop(key);
      });
      const [oldest] = held.keys();
      if (held.size > mostUsers && oldest !== undefined) drop(oldest);
      return entry.connection;
    },
    forget(connection) {
      for (const [key, entry] of held) {
        void entry.connection.then(
          (made) => {
            if (made === connection && held.get(key) === entry) drop(key);
          },
          () => undefined,
        );
      }
    },
    async close() {
      closed = true;
      for (const key of held.keys()) drop(key);
    },
  };
}
