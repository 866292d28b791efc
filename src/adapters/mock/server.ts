/**
 * A tech adapter that simulates deployments and, on request, misbehaves. It implements the whole adapter
 * protocol, records every call and acts once for each idempotency key, so that tests can check a coordinator
 * against it.
 */
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { decodeJwt } from "jose";
import { isAuthorised, secretsOf, type SharedSecrets } from "../kit/auth.ts";
import { handleControl } from "./control.ts";
import type { RequestedBehaviour } from "./behaviour.ts";
import type { Effect, JournalEntry } from "./journal.ts";
import { createJournal } from "./journal.ts";
import type { MockState } from "./protocol.ts";
import { handleProtocol } from "./protocol.ts";
import { createBehaviourReader } from "./identify.ts";
import { json, send } from "./reply.ts";
import { createTasks } from "./tasks.ts";

export interface MockAdapterOptions {
  /** Default 0: a free one. */
  port?: number;
  host?: string;
  /** Calls must then carry it, raw or as the key of an HS256 token, as bearer; one of a list suffices. */
  secret?: SharedSecrets;
  /** Appended to, one JSON line for each call, before the call is answered. */
  journalFile?: string | undefined;
  /** Whether `specific.mock` of a component in the descriptor sets its behaviour. Default true. */
  behavioursFromDescriptor?: boolean;
  behaviours?: { default?: RequestedBehaviour; components?: Record<string, RequestedBehaviour> };
  now?: () => Date;
}

export interface MockAdapter {
  url: string;
  /** Replaces what was set before; the same as PUT /_mock/behaviours without its checks. */
  setBehaviours(behaviours: {
    default?: RequestedBehaviour;
    components?: Record<string, RequestedBehaviour>;
  }): void;
  journal(): JournalEntry[];
  effects(): Effect[];
  /** Forgets all tokens and idempotency keys, as a restart does. */
  forget(): void;
  /** Ends the work under all tokens. */
  finish(): void;
  clearJournal(): void;
  close(): Promise<void>;
}

/** A unit of 10,000 components fits. */
const bodyLimitBytes = 16 * 1024 * 1024;
const keepAliveMs = 30_000;

export async function startMockAdapter(options: MockAdapterOptions = {}): Promise<MockAdapter> {
  const now = options.now ?? (() => new Date());
  const state: MockState = {
    now,
    tasks: createTasks(),
    journal: createJournal(now, options.journalFile),
    requestedOf: options.behavioursFromDescriptor === false ? null : createBehaviourReader(),
    fallback: options.behaviours?.default,
    components: new Map(Object.entries(options.behaviours?.components ?? {})),
    oddCounts: new Map(),
  };
  const setBehaviours: MockAdapter["setBehaviours"] = (behaviours) => {
    state.fallback = behaviours.default;
    state.components = new Map(Object.entries(behaviours.components ?? {}));
    state.oddCounts.clear();
  };
  const secrets = secretsOf(options.secret);
  const authenticate = secrets.length === 0 ? null : createAuthentication(secrets, () => now().getTime());

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request);
    if (body === null) return send(response, json(413, { errors: ["The body is too large."] }));
    const isOpen = authenticate === null || isProbe(request);
    const allowed = isOpen || authenticate(request.headers.authorization);
    // Awaited only when there is something to wait for; this runs thousands of times a second.
    if (allowed !== true && !(await allowed)) {
      return send(response, json(401, { error: "The call carries no valid bearer token." }));
    }
    const call = {
      method: request.method ?? "GET",
      path: request.url ?? "/",
      headers: request.headers,
      body,
    };
    const isControl = call.path.startsWith("/_mock/");
    const reply = isControl ? handleControl(state, setBehaviours, call) : handleProtocol(state, call);
    return send(response, reply);
  };

  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    handle(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else send(response, json(500, { error: "The mock failed; this is a defect of its own." }));
    });
  });
  server.listen(options.port ?? 0, options.host ?? "127.0.0.1");
  await once(server, "listening");

  return {
    url: urlOf(server),
    setBehaviours,
    journal: () => state.journal.entries(),
    effects: () => state.journal.effects(),
    forget: () => state.tasks.forget(),
    finish: () => state.tasks.finish(),
    clearJournal: () => state.journal.clear(),
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      state.journal.close();
    },
  };
}

/** The whole body, or null when it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    request.on("data", (part: Buffer) => {
      bytes += part.length;
      // Beyond the limit the body is read to its end but not stored, so that the response can still be
      // delivered.
      if (bytes <= bodyLimitBytes) parts.push(part);
    });
    request.on("end", () => {
      if (bytes > bodyLimitBytes) return resolve(null);
      return resolve(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts));
    });
    request.on("error", reject);
  });
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The mock listens on no port.");
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

const rememberedTokens = 1_000;

/** A probe of its health, which has no credentials. */
const isProbe = ({ method, url }: IncomingMessage): boolean => method === "GET" && url === "/healthz";

/**
 * Whether a call may come in: it carries the shared secret, raw or as the key of a signed token. Tokens that
 * were good are remembered until they expire, because checking a signature costs more than the whole answer.
 */
function createAuthentication(secrets: readonly string[], nowMs: () => number) {
  const goodUntilMs = new Map<string, number>();
  return (header: string | undefined): boolean | Promise<boolean> => {
    if (header === undefined) return false;
    const until = goodUntilMs.get(header);
    if (until !== undefined && nowMs() < until) return true;
    return isAuthorised(header, secrets).then((good) => {
      if (good && goodUntilMs.size >= rememberedTokens) goodUntilMs.clear();
      if (good) goodUntilMs.set(header, expiryMs(header));
      return good;
    });
  };
}

/** When the header's token expires, in ms; the raw secret never does. */
function expiryMs(header: string): number {
  try {
    const { exp } = decodeJwt(header.replace(/^Bearer +/i, ""));
    return exp === undefined ? Number.MAX_SAFE_INTEGER : exp * 1_000;
  } catch {
    return Number.MAX_SAFE_INTEGER;
  }
}
