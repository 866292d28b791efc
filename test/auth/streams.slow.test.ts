/** Event streams of every kind end with the token that they were opened with: in five seconds, whichever process revoked it. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeFiles } from "../../src/builder/actions/testdata.ts";
import { endlessAnswer, startModelServer } from "../assistant/model-server.ts";
import { start } from "../coordinator/ships.ts";
import { eventually } from "../support/eventually.ts";
import { startHttpPeer, type HttpPeer } from "../support/http-peer.ts";
import { startIdentityProvider, type IdentityProvider } from "../support/identity-provider/server.ts";
import {
  mockAdapterId,
  registerAdapter,
  send,
  startWholeServer,
  tokenOf,
  type Answer,
  type WholeServer,
} from "../support/server.ts";

/** What docs/guides/tokens.md promises, with the time that a busy machine takes. */
const promisedMs = 5_000 + 2_000;
const lookEveryMs = 100;
/** By how much timers of this process, which runs the servers too, were late in all; and when the next one is due. */
const timers = { lateMs: 0, dueAt: 0 };
let looking: NodeJS.Timeout;
const lateness = (): number => Math.max(0, performance.now() - timers.dueAt);
/** Milliseconds without those in which this process did not get to run because the machine had other work. */
const ownClock = (): number => performance.now() - timers.lateMs - lateness();

const audience = "plinth";

const waits = {
  apiVersion: "scaffolder.backstage.io/v1beta3",
  kind: "Template",
  metadata: { name: "wait", title: "Wait" },
  spec: {
    owner: "user:default/ada",
    type: "service",
    parameters: {},
    steps: Array.from({ length: 20 }, (_, n) => ({
      id: `wait-${n}`,
      action: "debug:wait",
      input: { seconds: 30 },
    })),
  },
};

let folder = "";
let provider: IdentityProvider;
let silentAdapter: HttpPeer;
let server: WholeServer;
let beside: WholeServer;
/** What goes on for as long as the tests, and who answers them. */
let plan = "";
let task = "";
let run = "";
let agent = "";

const call = (bearer: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  send(server.url, { method, path, body, as: null, headers: { authorization: `Bearer ${bearer}` } });

beforeAll(async () => {
  timers.dueAt = performance.now() + lookEveryMs;
  looking = setInterval(() => {
    timers.lateMs += lateness();
    timers.dueAt = performance.now() + lookEveryMs;
  }, lookEveryMs);
  folder = await mkdtemp(join(tmpdir(), "plinth-streams-"));
  await writeFiles(folder, { "template.yaml": JSON.stringify(waits) });
  provider = await startIdentityProvider({ registration: false });
  silentAdapter = await startHttpPeer(() => undefined);
  const oidc = { issuer: provider.issuer, audience, rolesClaim: "roles", defaultRoles: [] };
  ({ server } = await startModelServer(endlessAnswer, {
    configure(config) {
      config.mesh.builder.catalogue.folders = [folder];
      // The silent adapter must not end the plan while the tests run.
      config.coordinator.execution.callTimeoutMs = 3_600_000;
      config.auth.providers = { ...config.auth.providers, oidc: { default: oidc } };
    },
  }));
  beside = await startWholeServer({ workers: "off", db: { ...server.db, drop: async () => undefined } });
  await registerAdapter(server, { id: mockAdapterId, url: silentAdapter.url });
  plan = `/api/coordinator/v1/execution-plans/${await start(server)}`;
  const target = join(folder, "template.yaml");
  const registered = await call(tokenOf("admin"), "POST", "/api/catalog/locations", { type: "file", target });
  expect(registered.status, registered.text).toBe(201);
  const begun = await call(tokenOf("admin"), "POST", "/api/builder/templates/instantiate", {
    templateRef: "template:default/wait",
    values: {},
  });
  task = begun.body.id;
  agent = (await call(tokenOf("admin"), "GET", "/api/assistant/v1/models")).body.data[0].id;
  const asked = await open(tokenOf("admin"), "POST", "/api/assistant/v2/task", { message: "Talk" });
  const runId = await eventually("The run", async () => /"runId":"([^"]+)"/.exec(asked.text())?.[1] ?? null);
  run = `/api/assistant/v2/runs/${runId}`;
});
afterAll(async () => {
  clearInterval(looking);
  await beside.close();
  await server.close();
  await silentAdapter.close();
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

interface Open {
  status: number;
  text(): string;
  /** When the server ended it, by `ownClock`; null while it goes on. */
  endedAt(): number | null;
}

async function open(bearer: string, method: string, path: string, body?: unknown): Promise<Open> {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  let text = "";
  let endedAt: number | null = null;
  void (async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>)
      text += decoder.decode(piece, { stream: true });
  })()
    .catch(() => undefined)
    .finally(() => (endedAt = ownClock()));
  return { status: response.status, text: () => text, endedAt: () => endedAt };
}

const newToken = async (): Promise<{ token: string; id: string }> =>
  (await call(tokenOf("admin"), "POST", "/api/auth/v1/tokens", { name: "of a stream" })).body;

const revokeAt = async (at: WholeServer, id: string): Promise<void> => {
  const headers = { authorization: `Bearer ${tokenOf("admin")}` };
  const path = `/api/auth/v1/tokens/${id}`;
  expect((await send(at.url, { method: "DELETE", path, as: null, headers })).status).toBe(204);
};

const ended = (stream: Open): Promise<number> =>
  eventually("The end of the stream", async () => stream.endedAt());

const talk = [{ role: "user", content: "Talk" }];

const kinds: [string, string, () => string, (() => unknown)?][] = [
  ["a plan", "GET", () => `${plan}/events`],
  ["an instantiation", "GET", () => `/api/builder/templates/tasks/${task}/eventstream`],
  ["a task of the scaffolder", "GET", () => `/api/scaffolder/v2/tasks/${task}/eventstream`],
  ["a run", "GET", () => `${run}/events`],
  ["a run that it asks for", "POST", () => "/api/assistant/v2/task", () => ({ message: "Talk" })],
  [
    "AG-UI",
    "POST",
    () => "/api/assistant/agui",
    () => ({ threadId: randomUUID(), runId: randomUUID(), messages: talk }),
  ],
  [
    "Chat Completions",
    "POST",
    () => "/api/assistant/v1/chat/completions",
    () => ({ model: agent, messages: talk, stream: true }),
  ],
  [
    "Responses",
    "POST",
    () => "/api/assistant/v1/responses",
    () => ({ model: agent, input: "Talk", stream: true }),
  ],
  [
    "AI SDK UI",
    "POST",
    () => "/api/assistant/chat",
    () => ({ id: randomUUID(), messages: [{ role: "user", parts: [{ type: "text", text: "Talk" }] }] }),
  ],
  [
    "A2A",
    "POST",
    () => "/api/assistant/a2a",
    () => ({
      jsonrpc: "2.0",
      id: 1,
      method: "message/stream",
      params: { message: { messageId: randomUUID(), role: "user", parts: [{ kind: "text", text: "Talk" }] } },
    }),
  ],
];

describe("the stream of", () => {
  it.each(kinds)(
    "%s ends when its token is revoked, and another's goes on",
    async (_what, method, path, body) => {
      const [one, other] = await Promise.all([newToken(), newToken()]);
      const mine = await open(one.token, method, path(), body?.());
      const theirs = await open(other.token, method, path(), body?.());
      expect([mine.status, theirs.status]).toEqual([200, 200]);
      await revokeAt(server, one.id);
      const revokedAt = ownClock();
      expect((await ended(mine)) - revokedAt).toBeLessThan(promisedMs);
      expect(mine.text()).toMatch(/: the credentials are not accepted any more\n\n$/);
      expect(theirs.endedAt()).toBe(null);
      await revokeAt(server, other.id);
      await ended(theirs);
    },
  );

  it("a plan ends also when another process revokes the token, or the session of a JWT", async () => {
    const { token, id } = await newToken();
    const exchanged = await call(token, "POST", "/api/auth/session-tokens/jwt", {});
    const streams = await Promise.all(
      [token, exchanged.body.jwt].map((bearer) => open(bearer, "GET", `${plan}/events`)),
    );
    await revokeAt(beside, id);
    const revokedAt = ownClock();
    for (const stream of streams) {
      expect((await ended(stream)) - revokedAt).toBeLessThan(promisedMs);
      expect([stream.status, stream.text()]).toEqual([200, expect.stringContaining("not accepted any more")]);
    }
  });

  it("a plan ends when the JWT has expired, of the platform and of an identity provider", async () => {
    const { token } = await newToken();
    const openFor = async (seconds: number) => {
      const path = "/api/auth/session-tokens/jwt";
      const { jwt } = (await call(token, "POST", path, { duration_seconds: seconds })).body;
      const roles = ["viewer"];
      const signed = await provider.sign({ sub: "ada", aud: audience, roles, expiresIn: seconds });
      const streams = await Promise.all([jwt, signed].map((bearer) => open(bearer, "GET", `${plan}/events`)));
      return { signed, streams };
    };
    const isOpen = ({ status }: Open): boolean => status === 200;
    let { signed, streams } = await openFor(2);
    // On a slow machine the time of the JWTs may be over before.
    if (!streams.every(isOpen)) ({ signed, streams } = await openFor(60));
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    await Promise.all(streams.map((stream) => ended(stream)));
    const again = await call(signed, "GET", `${plan}/status`);
    expect([again.status, again.body.code]).toEqual([401, "PLATFORM_TOKEN_EXPIRED"]);
  });

  it("a run ends, and the run goes on", async () => {
    const { token, id } = await newToken();
    const stream = await open(token, "GET", `${run}/events`);
    await revokeAt(server, id);
    await ended(stream);
    expect((await call(tokenOf("admin"), "GET", run)).body.status).toBe("running");
  });
});
