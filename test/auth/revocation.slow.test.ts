/** A token that is revoked while it is used, in two processes: requests and streams of both end in the promised time. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseVariables, servedUrl, startServer, stopChild, type Child } from "../crash/processes.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { send, type Answer } from "../support/server.ts";

/** What docs/guides/tokens.md promises of requests. */
const promisedMs = 3_000;
const admin = "token-of-the-admin-0123";

let db: TestDatabase;
let home: string;
let children: Child[];
let urls: string[];

beforeAll(async () => {
  db = await testDatabase();
  home = await mkdtemp(join(tmpdir(), "plinth-revocation-"));
  const tokens = [{ name: "admin", secret: admin, roles: ["admin"] }];
  const settings = {
    server: { rateLimitPerMinute: 1_000_000 },
    auth: { providers: { service: { default: { tokens } } } },
    mesh: { builder: { instantiations: { secretKey: Buffer.alloc(32, 1).toString("base64") } } },
  };
  await writeFile(join(home, "plinth.yaml"), JSON.stringify(settings));
  const env = databaseVariables(db.connection);
  children = ["one", "two"].map((name) => startServer({ cwd: home, env }, ["--data-dir", join(home, name)]));
  urls = await Promise.all(children.map((child) => servedUrl(child)));
});
afterAll(async () => {
  await Promise.all(children.map((child) => stopChild(child)));
  await db.drop();
  await rm(home, { recursive: true, force: true });
});

const call = (
  url: string,
  bearer: string,
  { method = "GET", path, body }: { method?: string; path: string; body?: unknown },
): Promise<Answer> =>
  send(url, { method, path, body, as: null, headers: { authorization: `Bearer ${bearer}` } });

it("all requests are answered or refused, and refused everywhere after three seconds", async () => {
  const [one = "", two = ""] = urls;
  const { token, id } = (
    await call(one, admin, { method: "POST", path: "/api/auth/v1/tokens", body: { name: "used" } })
  ).body;
  const { jwt } = (await call(two, token, { method: "POST", path: "/api/auth/session-tokens/jwt", body: {} }))
    .body;
  const answers: { status: number; sentAt: number; url: string }[] = [];
  let isOver = false;
  const ask = async (url: string, bearer: string): Promise<void> => {
    while (!isOver) {
      const sentAt = performance.now();
      const { status } = await call(url, bearer, { path: "/api/coordinator/v1/environments" });
      answers.push({ status, sentAt, url });
      await pause(20);
    }
  };
  const asking = urls.flatMap((url) =>
    [token, jwt].flatMap((bearer) => Array.from({ length: 4 }, () => ask(url, bearer))),
  );
  await expect.poll(() => answers.length).toBeGreaterThan(200);
  expect((await call(one, admin, { method: "DELETE", path: `/api/auth/v1/tokens/${id}` })).status).toBe(204);
  const revokedAt = performance.now();
  await expect
    .poll(() => performance.now() - revokedAt, { timeout: 10_000 })
    .toBeGreaterThan(promisedMs + 1_500);
  isOver = true;
  await Promise.all(asking);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
  for (const url of urls) {
    const later = (afterMs: number) =>
      answers.filter((answer) => answer.url === url && answer.sentAt > revokedAt + afterMs);
    expect(later(promisedMs).length).toBeGreaterThan(10);
    expect(later(promisedMs).filter(({ status }) => status !== 401)).toEqual([]);
    // The process that has revoked it does not wait.
    if (url === one) expect(later(0).filter(({ status }) => status !== 401)).toEqual([]);
  }
});
