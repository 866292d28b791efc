/** SIGHUP to real processes: what they take, what they refuse, and that it ends none of them. */
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { platform } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  databaseVariables,
  servedUrl,
  startServer,
  startWorker,
  stopChild,
  type Child,
} from "../crash/processes.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

const key = (byte: number): string => Buffer.alloc(32, byte).toString("base64");

let db: TestDatabase;
let home: string;
let children: Child[];
beforeEach(async () => {
  db = await testDatabase();
  home = await mkdtemp(join(tmpdir(), "plinth-reload-"));
  children = [];
  await write({ token: "first-token-0123456789", installationKey: key(1) });
});
afterEach(async () => {
  await Promise.all(children.map((child) => stopChild(child)));
  await db.drop();
  await rm(home, { recursive: true, force: true });
});

interface Written {
  token?: string;
  installationKey?: string;
  former?: string[];
  more?: object;
}

/** Secrets are in files of their own, as a cluster mounts them. */
async function write({ token, installationKey, former = [], more = {} }: Written): Promise<void> {
  if (token !== undefined) await writeFile(join(home, "token"), `${token}\n`);
  if (installationKey !== undefined) await writeFile(join(home, "installation-key"), installationKey);
  const settings = {
    log: { level: "info" },
    auth: {
      providers: {
        service: {
          default: {
            tokens: [
              { name: "ci", secret: { $file: "token" }, roles: ["admin"] },
              { name: "always", secret: "another-token-0123456789", roles: ["viewer"] },
            ],
          },
        },
      },
    },
    mesh: {
      builder: { instantiations: { secretKey: { $file: "installation-key" }, formerSecretKeys: former } },
    },
    ...more,
  };
  await writeFile(join(home, "plinth.yaml"), JSON.stringify(settings));
}

const options = () => ({ cwd: home, env: databaseVariables(db.connection) });

async function serve(): Promise<{ child: Child; status: (token: string) => Promise<number> }> {
  const child = startServer(options());
  children.push(child);
  const url = await servedUrl(child);
  const status = async (token: string): Promise<number> => {
    const answer = await fetch(`${url}/api/coordinator/v1/tech-adapters`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await answer.text();
    return answer.status;
  };
  return { child, status };
}

/**
 * Waits until a program has said what SIGHUP does: until then it is Node.js that starts, and the system ends the
 * process. Linux shows the signals that a process handles; elsewhere a second is long enough.
 */
async function takesHangups({ process: { pid } }: Child): Promise<void> {
  if (platform !== "linux") return sleep(1_000);
  const handled = async (): Promise<bigint> => {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return BigInt(`0x${/^SigCgt:\s*(\w+)/m.exec(status)![1]}`);
  };
  while (((await handled()) & 1n) === 0n) await sleep(1);
}

const hangUp = (child: Child): void => void child.process.kill("SIGHUP");

/** The line with that message, after so many others of it. */
function line(child: Child, message: RegExp, nth = 1): Promise<Record<string, unknown>> {
  let seen = 0;
  const known = new Set<object>();
  return child.waitForLine((each) => {
    if (known.has(each) || !message.test(String(each["message"]))) return undefined;
    known.add(each);
    seen += 1;
    return seen === nth ? each : undefined;
  });
}

const readAgain = /^the configuration was read again$/;

it("a process takes tokens, keys and the log level, and names what needs a restart", async () => {
  const { child, status } = await serve();
  expect(await status("first-token-0123456789")).toBe(200);
  await write({ token: "second-token-0123456789", installationKey: key(2), former: [key(1)] });
  hangUp(child);
  const taken = await line(child, readAgain);
  expect((taken["changed"] as string[]).toSorted()).toEqual([
    "auth.providers.service.default.tokens",
    "mesh.builder.instantiations.formerSecretKeys",
    "mesh.builder.instantiations.secretKey",
  ]);
  expect(await status("first-token-0123456789")).toBe(401);
  expect(await status("second-token-0123456789")).toBe(200);
  expect(await line(child, /sealed with another key/)).toMatchObject({
    opening: [expect.any(String), expect.any(String)],
  });

  await write({
    more: { log: { level: "error" }, server: { bodyLimitBytes: 1_000_000 } },
    installationKey: key(2),
    former: [key(1)],
  });
  hangUp(child);
  // The line about what was taken is below the level that was taken with it.
  await expect.poll(() => status("second-token-0123456789")).toBe(200);
  await write({
    more: { log: { level: "warn" }, server: { bodyLimitBytes: 1_000_000 } },
    installationKey: key(2),
    former: [key(1)],
  });
  hangUp(child);
  expect(await line(child, /^restart to apply/)).toMatchObject({
    message: "restart to apply: server.bodyLimitBytes",
    settings: ["server.bodyLimitBytes"],
  });
});

it("a configuration with problems changes nothing, and the log has all of them without a value", async () => {
  const { child, status } = await serve();
  await write({ token: "short", more: { nonsense: 1, log: { level: "loud" } } });
  hangUp(child);
  const refused = await line(child, /^the configuration was not taken/);
  expect(refused).toMatchObject({ level: "error", code: "PLATFORM_CONFIG" });
  expect(refused["problems"]).toHaveLength(3);
  expect(JSON.stringify(refused)).not.toContain('"short"');
  expect([await status("first-token-0123456789"), await status("short")]).toEqual([200, 401]);
  // A key that the database does not know, beside a token that could be taken: neither is.
  await write({ token: "third-token-0123456789", installationKey: key(9) });
  hangUp(child);
  const unknown = await line(child, /^the configuration was not taken/, 2);
  expect(unknown).toMatchObject({ code: "PLATFORM_INSTALLATION_KEY" });
  expect([await status("first-token-0123456789"), await status("third-token-0123456789")]).toEqual([
    200, 401,
  ]);
  await write({ token: "third-token-0123456789", installationKey: key(1) });
  hangUp(child);
  await line(child, readAgain);
  expect(await status("third-token-0123456789")).toBe(200);
});

it("a process of workers only reads it too", async () => {
  const { child } = startWorker(options());
  children.push(child);
  await line(child, /^plinth is up$/);
  await write({ installationKey: key(2), former: [key(1)] });
  hangUp(child);
  expect((await line(child, readAgain))["changed"]).toHaveLength(2);
});

it("ends no process, at no moment between the start and the end of a stop", async () => {
  const child = startServer(options());
  children.push(child);
  let isUp = false;
  const up = servedUrl(child).then(() => (isUp = true));
  await takesHangups(child);
  for (let times = 0; !isUp; times += 1) {
    hangUp(child);
    await Promise.race([up, sleep(20)]);
  }
  await line(child, readAgain);
  for (let times = 0; times < 20; times += 1) hangUp(child);
  await line(child, readAgain, 2);
  // A request that is under way holds the stop up. At its very end Node.js gives signals back to the system, when nothing is left to do.
  const headers = {
    authorization: "Bearer first-token-0123456789",
    "content-type": "application/json",
    "content-length": "100",
    expect: "100-continue",
  };
  const held = request(`${await servedUrl(child)}/api/coordinator/v1/tech-adapters`, {
    method: "POST",
    headers,
  });
  held.on("error", () => undefined);
  held.flushHeaders();
  await once(held, "continue");
  held.write("x");
  child.process.kill("SIGTERM");
  for (let times = 0; times < 30; times += 1) {
    hangUp(child);
    await sleep(10);
  }
  expect([child.process.exitCode, child.process.signalCode]).toEqual([null, null]);
  held.destroy();
  await child.gone;
  expect([child.process.exitCode, child.process.signalCode]).toEqual([0, null]);
});
