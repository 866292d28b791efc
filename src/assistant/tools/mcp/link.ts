/** The link of this process to one MCP server: keeps it connected, lists its tools at intervals, and reports its state. */
import type { McpServerSettings } from "../../../platform/config/schema/schema-mcp.ts";
import { systemActor, type Actor } from "../../../platform/lib/actor.ts";
import type { ServerHealth } from "../tool-source.ts";
import { connect, type Connection, type ConnectionDeps } from "./connection.ts";
import { fingerprint, acceptTools, type OfferedTool } from "./fingerprint.ts";
import { createUserConnections } from "./user-connections.ts";

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
  /** A connection that acts as this actor where the server receives the user's identity, else the common one. */
  connectionFor(actor: Actor): Promise<Connection>;
  /** Gives a connection of one user to no other call, after it has failed; the common one is looked at by `relist`. */
  forget(connection: Connection): void;
  /** Lists the tools again soon, after a call has failed. */
  relist(): void;
  /** Replaces a connection that the server does not know any more, once for all calls by it; resolves when another was tried. */
  renew(connection: Connection): Promise<void>;
  close(): Promise<void>;
}

export interface LinkOptions extends ConnectionDeps {
  server: McpServerSettings;
  /** Called with each listing before its tools are offered. */
  onListed: (tools: readonly OfferedTool[]) => Promise<void>;
}

/** Between two listings, also of a server that changes its tools all the time. */
const shortestWaitMs = 500;
const firstWaitMs = 1_000;
const longestWaitMs = 60_000;

/** Tools are listed as the platform itself, without any role. */
const listingActor: Actor = { ref: systemActor.ref, roles: [], provider: "system" };

export function createLink(options: LinkOptions): Link {
  const { server } = options;
  const tried = Promise.withResolvers<void>();
  const pause = createPause();
  let closed = false;
  let mustList = true;
  const renewal = createRenewal();
  const wake = (): void => {
    mustList = true;
    pause.end();
  };
  const open = createOpener(options, {
    onClose: (connection) => {
      users.forget(connection);
      if (connection === listing.connection() && listing.lose()) wake();
    },
    onToolsChanged: wake,
  });
  const users = createUserConnections(open);
  const listing = createListing(options, open);
  const refresh = async (): Promise<number> => {
    try {
      await listing.connect();
      mustList = false;
      await listing.list();
      return server.refreshSeconds * 1_000;
    } catch (error) {
      const waitMs = await listing.fail(error as Error);
      mustList = false;
      return waitMs;
    }
  };
  const run = async (): Promise<void> => {
    while (!closed) {
      const endRenewal = renewal.begin();
      const waitMs = await refresh();
      tried.resolve();
      endRenewal();
      await pause.wait(shortestWaitMs, () => closed);
      await pause.wait(waitMs - shortestWaitMs, () => closed || mustList || renewal.isWanted());
    }
    renewal.begin()();
  };
  const running = run();

  return {
    server,
    tried: tried.promise,
    tools: () => listing.tools(),
    health: () => listing.health(),
    async connectionFor(actor) {
      if (server.userIdentity !== undefined) return users.get(actor);
      await renewal.ended();
      const connection = listing.connection();
      if (connection === null) throw new Error(listing.health().message ?? "It is not connected.");
      return connection;
    },
    forget: (connection) => users.forget(connection),
    relist: () => {
      if (listing.connection() !== null) wake();
    },
    async renew(connection) {
      users.forget(connection);
      if (connection === listing.connection()) {
        renewal.want();
        listing.detach();
        wake();
      }
      connection.retire();
      await renewal.ended();
    },
    async close() {
      closed = true;
      wake();
      await users.close();
      await listing.connection()?.close();
      await running;
      await listing.connection()?.close();
    },
  };
}

type OpenConnection = (actor: Actor) => Promise<Connection>;

interface ConnectionEvents {
  /** Undefined for a connection that ended before it was open. */
  onClose: (connection: Connection | undefined) => void;
  onToolsChanged: () => void;
}

function createOpener(options: LinkOptions, { onClose, onToolsChanged }: ConnectionEvents): OpenConnection {
  let isOlder = false;
  const attempt = (actor: Actor, older: boolean): Promise<Connection> => {
    const opening: { made?: Connection } = {};
    return connect({
      ...options,
      actor,
      isOlder: older,
      onClose: () => onClose(opening.made),
      onToolsChanged,
    }).then((made) => (opening.made = made));
  };
  return async (actor) => {
    if (isOlder || options.server.transport !== "stdio") return attempt(actor, isOlder);
    // Some programs exit at a message that they do not know: they are started again and spoken to in the older protocol.
    return attempt(actor, false).catch(async () => {
      const made = await attempt(actor, true);
      isOlder = true;
      return made;
    });
  };
}

interface Listing {
  /** The connection by which the tools are listed; null while there is none. */
  connection(): Connection | null;
  tools(): readonly KnownTool[];
  health(): ServerHealth;
  connect(): Promise<void>;
  /** Reads the tools again; requires a connection. */
  list(): Promise<void>;
  /** Notes a failure of `connect` or `list` and answers how long to wait before the next attempt. */
  fail(error: Error): Promise<number>;
  /** Notes that the connection has ended; false when there was none. */
  lose(): boolean;
  /** Leaves the connection to the calls that are under way by it. Tools are offered meanwhile: calls wait for the next connection. */
  detach(): void;
}

function createListing({ server, log, now, onListed }: LinkOptions, open: OpenConnection): Listing {
  let known: readonly KnownTool[] = [];
  let main: Connection | null = null;
  let failures = 0;
  let state: Omit<ServerHealth, "name" | "transport" | "tools"> = {
    status: "connecting",
    since: now(),
    protocol: null,
    message: null,
    nextAttemptAt: null,
  };
  return {
    connection: () => main,
    tools: () => known,
    health: () => ({ name: server.name, transport: server.transport, tools: known.length, ...state }),
    async connect() {
      main ??= await open(listingActor);
    },
    async list() {
      const connection = main;
      if (connection === null) throw new Error("The connection ended.");
      const { accepted, dropped } = acceptTools(await connection.listTools());
      await onListed(accepted);
      if (main !== connection) throw new Error("The connection ended.");
      known = accepted.map((tool) => ({ ...tool, fingerprint: fingerprint(tool) }));
      failures = 0;
      const message = dropped.length === 0 ? null : `Left out: ${dropped.join("; ")}`;
      const since = state.status === "connected" ? state.since : now();
      state = { status: "connected", since, protocol: connection.protocol, message, nextAttemptAt: null };
    },
    async fail(error) {
      const broken = main;
      main = null;
      known = [];
      await broken?.close();
      failures += 1;
      const waitMs = Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs);
      if (failures === 1)
        log.warn({ server: server.name, reason: error.message }, "an MCP server cannot be reached");
      const nextAttemptAt = new Date(now().getTime() + waitMs);
      const since = state.status === "waiting" ? state.since : now();
      state = { status: "waiting", since, protocol: null, message: error.message, nextAttemptAt };
      return waitMs;
    },
    detach() {
      main = null;
      state = { ...state, status: "connecting", since: now(), message: "The server has started anew." };
    },
    lose() {
      if (main === null) return false;
      main = null;
      known = [];
      state = { ...state, status: "connecting", since: now(), message: "The connection ended." };
      return true;
    },
  };
}

/** That another connection is tried in place of one that the server does not know any more. */
interface Renewal {
  isWanted(): boolean;
  want(): void;
  /** Resolves when it was tried; at once when none is wanted. */
  ended(): Promise<void>;
  /** Called at the beginning of an attempt; returns what ends the renewal. One that is wanted meanwhile needs the next attempt. */
  begin(): () => void;
}

function createRenewal(): Renewal {
  let wanted: PromiseWithResolvers<void> | null = null;
  return {
    isWanted: () => wanted !== null,
    want: () => void (wanted ??= Promise.withResolvers<void>()),
    ended: () => wanted?.promise ?? Promise.resolve(),
    begin() {
      const present = wanted;
      return () => {
        present?.resolve();
        if (wanted === present) wanted = null;
      };
    },
  };
}

interface Pause {
  /** Resolves after a time, or as soon as `isOver` holds after an `end`. */
  wait(ms: number, isOver: () => boolean): Promise<void>;
  /** Makes the wait that is under way look whether it is over. */
  end(): void;
}

function createPause(): Pause {
  let endWait: () => void = () => undefined;
  return {
    end: () => endWait(),
    async wait(ms, isOver) {
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
    },
  };
}
