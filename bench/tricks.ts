/**
 * What does each performance trick save, beside the plain library that would do without it? Both sides run in turns in
 * this process; the CPU time of a unit is the median of the rounds. Tricks that only a whole process shows (heap flags,
 * the bundle) are measured by `npm run bench:compare` with a commit that lacks them.
 * docs/decisions/2026-11-22-performance-tricks.md has the figures and what follows from them.
 *
 *   node bench/tricks.ts [--rounds 9]
 */
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dump } from "js-yaml";
import { importSPKI, jwtVerify, SignJWT } from "jose";
import pg from "pg";
import { createTemplateRenderer } from "nunjitsu";
import { Agent } from "undici";
import { pino, type DestinationStream } from "pino";
import { createTemplateScope } from "../src/builder/templates/engine/render.ts";
import { descriptorText } from "../src/coordinator/execution/tasks/descriptor-text.ts";
import { createTokenCache, digestOf } from "../src/platform/auth/token-cache.ts";
import { startEmbedded } from "../src/platform/db/start/embedded.ts";
import { systemActor } from "../src/platform/lib/actor.ts";
import {
  readSmall,
  removeFolder,
  writeSmall,
  yieldToEventLoop,
} from "../src/platform/lib/files/small-files.ts";
import { copyBelowBytes } from "../src/platform/outbound/outbound.ts";
import { logDestination } from "../src/platform/telemetry/log-stream.ts";
import { createLogger } from "../src/platform/telemetry/logger.ts";
import { withTimeLimit } from "../src/platform/worker-pool/time-limit.ts";
import { benchCommand } from "./support/command.ts";
import { median } from "./support/fixtures.ts";

const { sizes } = benchCommand({ rounds: { usual: 9, quick: 3 } });

interface Sides {
  name: string;
  unit: string;
  /** Units of one call. */
  units: number;
  ours: () => Promise<void> | void;
  plain: () => Promise<void> | void;
}

/** CPU of this process in microseconds a unit. */
async function cpuOf({ units }: Sides, work: () => Promise<void> | void): Promise<number> {
  const before = process.cpuUsage();
  let calls = 0;
  for (const until = performance.now() + 100; performance.now() < until; calls += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (calls * units);
}

async function compare(sides: Sides): Promise<void> {
  const [ours, plain]: [number[], number[]] = [[], []];
  for (let round = -1; round < sizes.rounds; round += 1) {
    const [own, other] = [await cpuOf(sides, sides.ours), await cpuOf(sides, sides.plain)];
    // The first round is the warm-up.
    if (round < 0) continue;
    ours.push(own);
    plain.push(other);
  }
  const [own, other] = [median(ours), median(plain)];
  const figures = `${own.toFixed(2).padStart(9)} us, plain ${other.toFixed(2).padStart(9)} us`;
  console.log(`${`${sides.name} (${sides.unit})`.padEnd(44)}${figures}   ratio ${(own / other).toFixed(2)}`);
}

const repeat = (times: number, work: () => unknown) => (): void => {
  for (let n = 0; n < times; n += 1) work();
};

const nextTick = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/** A line for each request, with the fields of a request, a few of them in each tick. */
function logLines(): Sides {
  const settings = { level: "info", pretty: false };
  const linesTo = (to: DestinationStream) => {
    const log = createLogger(settings, to);
    const fields = {
      requestId: "0b7e4e0e-3f1c-4a53",
      method: "GET",
      operation: "getPlanStatus",
      status: 200,
      ms: 1.2,
    };
    return async (): Promise<void> => {
      for (let tick = 0; tick < 40; tick += 1) {
        for (let n = 0; n < 5; n += 1) log.info({ ...fields, actor: "service:bench" }, "request");
        await nextTick();
      }
    };
  };
  const plain = pino.destination({ dest: "/dev/null", sync: false, minLength: 8_192, periodicFlush: 100 });
  const ours = linesTo(logDestination("/dev/null"));
  return { name: "log lines", unit: "line", units: 200, ours, plain: linesTo(plain) };
}

/** The line of a request, by the logger's own way for it and by pino. */
function requestLines(): Sides {
  const log = createLogger({ level: "info", pretty: false }, logDestination("/dev/null"));
  const fields = {
    requestId: "0b7e4e0e-3f1c-4a53-9d0f-0d6e1f6f6a11",
    clientAddress: "127.0.0.1",
    method: "GET",
    path: "/api/coordinator/v1/execution-plans/0b7e4e0e-3f1c-4a53-9d0f-0d6e1f6f6a11/status",
    operation: "getPlanStatus",
    status: 200,
    ms: 1.2,
  };
  return {
    name: "lines of requests",
    unit: "line",
    units: 200,
    ours: repeat(200, () => log.plain("info", { ...fields, actor: "service:bench" }, "request")),
    plain: repeat(200, () => log.info({ ...fields, actor: "service:bench" }, "request")),
  };
}

function descriptors(): Sides {
  const component = {
    id: "urn:dmb:cmp:fleet:positions:0:part",
    name: "part",
    kind: "storage",
    description: "Measured positions of the fleet, part 7",
    infrastructureTemplateId: "urn:dmb:itm:postgres-storage:1",
    dependsOn: ["urn:dmb:cmp:fleet:positions:0:other"],
    tags: [{ tagFQN: "fleet", source: "Tag", labelType: "Manual" }],
    dataContract: {
      schema: Array.from({ length: 12 }, (_, n) => ({
        name: `column_${n}`,
        dataType: "TEXT",
        description: `Column ${n}.`,
      })),
    },
    specific: { schema: "positions", table: "part_7", rows: 7, isPublic: false },
  };
  return textOf("descriptor text", component);
}

/** As in bench/plan-execution.ts: words that need no quotes and little else. */
const plainWords = (): Sides =>
  textOf("descriptor text, plain words", { id: "l1-3", dependsOn: ["l0-3", "l0-34", "l0-65"] });

function textOf(name: string, component: object): Sides {
  return {
    name,
    unit: "component",
    units: 20,
    ours: repeat(20, () => descriptorText([component])),
    plain: repeat(20, () => dump([component], { noRefs: true, lineWidth: -1 })),
  };
}

function templates(): Sides {
  const template = `apiVersion: plinth/v1\nkind: Component\nmetadata:\n  name: \${{ values.name }}\nspec:\n  owner: \${{ values.owner | lower }}\n${`  column: { name: part, dataType: TEXT, description: "A column of the part" }\n`.repeat(24)}  schema: \${{ values.schema }}\n`;
  const values = { name: "fleet", owner: "group:default/Fleet", schema: "positions" };
  const engine = createTemplateRenderer({ allowRegexExecution: true });
  return {
    name: "template shortcuts",
    unit: "entity",
    units: 20,
    ours: repeat(20, () => createTemplateScope([], { values }).render(template)),
    plain: repeat(20, () => engine.render(template, engine.prepareContext({ values }))),
  };
}

function smallFiles(home: string): Sides {
  const content = Buffer.from("x".repeat(2_000));
  const names = Array.from({ length: 40 }, (_, n) => `file-${n}`);
  return {
    name: "small files (write, read, delete)",
    unit: "file",
    units: names.length,
    async ours() {
      const folder = join(home, "ours");
      await mkdir(folder);
      for (const name of names) {
        await yieldToEventLoop();
        await writeSmall(join(folder, name), content);
        await readSmall(join(folder, name), content.length);
      }
      await removeFolder(folder);
    },
    async plain() {
      const folder = join(home, "plain");
      await mkdir(folder);
      for (const name of names) {
        await writeFile(join(folder, name), content);
        await readFile(join(folder, name));
      }
      await rm(folder, { recursive: true });
    },
  };
}

/** A check of a value, with and without a limit of its time. */
function quickPatterns(): Sides {
  const pattern = /^[a-z0-9-]+$/;
  const check = (): boolean => pattern.test("fleet-positions");
  return {
    name: "quick patterns",
    unit: "check",
    units: 20,
    ours: repeat(20, check),
    plain: repeat(20, () => withTimeLimit(check, 700)),
  };
}

async function tokens(): Promise<Sides> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const token = await new SignJWT({ sub: "user:default/ada" })
    .setProtectedHeader({ alg: "RS256" })
    .sign(privateKey);
  const key = await importSPKI(String(publicKey.export({ type: "spki", format: "pem" })), "RS256");
  const cache = createTokenCache();
  cache.put(digestOf(token), systemActor, { nowMs: Date.now(), expiresAtMs: Date.now() + 60_000_000 });
  return {
    name: "token cache",
    unit: "request",
    units: 20,
    ours: repeat(20, () => cache.get(digestOf(token), 0)),
    async plain() {
      for (let n = 0; n < 20; n += 1) await jwtVerify(token, key);
    },
  };
}

/** A body of 256 KiB in eight parts, the largest that is copied, sent by the product's client in both ways. */
async function bodies(): Promise<{ sides: Sides; close: () => Promise<void> }> {
  const server = createServer((request, response) => request.resume().on("end", () => response.end("{}")));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = new Agent({ connections: 1 });
  const parts = Array.from({ length: 8 }, () => Buffer.alloc(copyBelowBytes / 8, "x"));
  const headers = { "content-length": String(copyBelowBytes) };
  const post = (body: () => Buffer | Readable) => async (): Promise<void> => {
    const answer = await agent.request({ origin, path: "/", method: "POST", headers, body: body() });
    await answer.body.dump();
  };
  return {
    sides: {
      name: "bodies in one piece",
      unit: "call",
      units: 1,
      ours: post(() => Buffer.concat(parts, copyBelowBytes)),
      plain: post(() => Readable.from(parts, { objectMode: false })),
    },
    async close() {
      await agent.close();
      server.close();
    },
  };
}

async function connections(dataDir: string): Promise<{ sides: Sides[]; close: () => Promise<void> }> {
  const server = await startEmbedded({ dataDir });
  const { host, port, user, password, socket } = server;
  const own = { host: socket ?? host, port, user, password, database: "postgres" };
  const admin = new pg.Client(own);
  await admin.connect();
  // The server makes the verifier with the number of iterations that its settings say.
  await admin.query(`set scram_iterations = 4096; create role many login password '${password}'`);
  const connectAs = (name: string) => async (): Promise<void> => {
    const client = new pg.Client({ ...own, user: name });
    await client.connect();
    await client.end();
  };
  const overTcp = new pg.Client({ ...own, host });
  await overTcp.connect();
  const ask = (client: pg.Client) => async (): Promise<void> => {
    for (let n = 0; n < 50; n += 1) await client.query({ name: "one", text: "select 1" });
  };
  return {
    sides: [
      {
        name: "one SCRAM iteration",
        unit: "connection",
        units: 1,
        ours: connectAs(user),
        plain: connectAs("many"),
      },
      { name: "Unix socket", unit: "statement", units: 50, ours: ask(admin), plain: ask(overTcp) },
    ],
    async close() {
      await overTcp.end();
      await admin.end();
      await server.stop();
    },
  };
}

const home = await mkdtemp(join(tmpdir(), "plinth-tricks-"));
try {
  const database = await connections(home);
  const large = await bodies();
  const tricks = [
    logLines(),
    requestLines(),
    descriptors(),
    plainWords(),
    templates(),
    smallFiles(home),
    quickPatterns(),
    await tokens(),
    large.sides,
    ...database.sides,
  ];
  for (const sides of tricks) await compare(sides);
  await large.close();
  await database.close();
} finally {
  await rm(home, { recursive: true, force: true });
}
