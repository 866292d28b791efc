/**
 * Answers of the assistant beside AI SDK's streamText piped to a response: 200 streams at once, each with 100 tokens of a
 * scripted model, one every 50 ms, each side as a process of its own on the same Node, in turn in one run. Ours keeps every
 * event in PostgreSQL and can be resumed; the peer does none of that. No token may be lost. Goals: a quarter of its CPU time
 * per 1,000 tokens and a fifth of its memory per stream.
 *
 * The peer is no dependency of the project: `npm ci --prefix bench/peers` first.
 *   node bench/peers/streams.ts [--rounds 3] [--streams 200] [--tokens 100] [--token-ms 50] [--alone]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { Pool } from "undici";
import { startEmbedded } from "../../src/platform/db/start/embedded.ts";
import { databaseVariables } from "../../test/crash/processes.ts";
import { benchCommand } from "../support/command.ts";
import { median } from "../support/fixtures.ts";
import { cpuOf, residentMb } from "../support/process-use.ts";
import {
  buildBundle,
  bundle,
  callJson,
  patientServer,
  startServerProcess,
} from "../support/server-process.ts";

const { sizes, isAlone, report } = benchCommand({
  rounds: { usual: 3, quick: 3 },
  streams: { usual: 200, quick: 200 },
  tokens: { usual: 100, quick: 60 },
  "token-ms": { usual: 50, quick: 50 },
});
const { rounds, streams, tokens, "token-ms": tokenMs } = sizes;

interface Side {
  name: string;
  pid: number;
  calls: Pool;
  path: string;
  /** Fields of the request's body besides the message. */
  body: object;
  /** What a record of the stream adds to the text. */
  textOf: (record: string) => string;
  close: () => Promise<void>;
}

interface Sample {
  cpuMs: number;
  streamKb: number;
  firstMs: number[];
  tokensPerSecond: number;
}

interface Program {
  url: string;
  pid: number;
  close: () => Promise<void>;
}

async function startProgram(file: string, args: string[]): Promise<Program> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    pid: child.pid ?? 0,
    async close() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

const deltaOf = (record: string, type: string): string => {
  const data = /^data: (\{.*)$/m.exec(record)?.[1];
  const event = data === undefined ? {} : (JSON.parse(data) as { type?: string; delta?: string });
  return event.type === type ? (event.delta ?? "") : "";
};

async function startPeer(modelUrl: string, path: string): Promise<Side> {
  const { url, pid, close } = await startProgram("ai-sdk.mjs", [modelUrl]);
  const calls = new Pool(url, { connections: streams });
  const textOf = (record: string): string => deltaOf(record, "text-delta");
  return {
    name: `AI SDK ${path}`,
    pid,
    calls,
    path,
    body: {},
    textOf,
    async close() {
      await calls.destroy();
      await close();
    },
  };
}

/** An agent without tools, as the peer is, and the shipped one that a new installation answers with. */
async function startOurs(variables: Record<string, string>, modelUrl: string): Promise<[Side, Side]> {
  const home = await mkdtemp(join(tmpdir(), "plinth-bench-config-"));
  const config = join(home, "plinth.json");
  const settings = {
    assistant: { parallelRuns: streams, titles: "message" },
    server: patientServer,
  };
  await writeFile(config, JSON.stringify(settings));
  const server = await startServerProcess(variables, ["--config", config, "--areas", "assistant"], bundle);
  const model = { provider: "openai-compatible", endpoint: modelUrl, model: "scripted", api_key: "none" };
  await callJson(`${server.url}/api/assistant/v2/llm/config`, "POST", model);
  // The peer has no tools either; those of the shipped agent go to the model with each question.
  const agent = { name: "bare", label: "Bare", instructions: "Answer." };
  const { id } = (await callJson(`${server.url}/api/assistant/v2/agents`, "POST", agent)) as { id: string };
  const calls = new Pool(server.url, { connections: streams });
  const side = {
    pid: server.pid,
    calls,
    path: "/api/assistant/v2/task",
    textOf: (record: string) => deltaOf(record, "TEXT_MESSAGE_CONTENT"),
    async close() {
      await calls.destroy();
      await server.close();
      await rm(home, { recursive: true, force: true });
    },
  };
  return [
    { ...side, name: "Plinth", body: { agent_id: id } },
    { ...side, name: "Plinth, the shipped agent", body: {}, close: async () => {} },
  ];
}

const expected = Array.from({ length: tokens }, (_, n) => `word${n} `).join("");

/** Reads one answer to its end; the time until its first token. */
async function readOne({ calls, path, body, textOf, name }: Side): Promise<number> {
  const began = performance.now();
  const answer = await calls.request({
    method: "POST",
    path,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message: "Tell me about it.", ...body }),
    bodyTimeout: 120_000,
    headersTimeout: 120_000,
  });
  if (answer.statusCode !== 200)
    throw new Error(`${name} answers ${answer.statusCode}: ${await answer.body.text()}`);
  const decoder = new TextDecoder();
  let text = "";
  let first = Number.NaN;
  const add = (more: string): void => {
    if (more !== "" && Number.isNaN(first)) first = performance.now() - began;
    text += more;
  };
  let rest = "";
  for await (const chunk of answer.body) {
    const piece = decoder.decode(chunk as Buffer, { stream: true });
    if (path === "/text") {
      add(piece);
      continue;
    }
    const records = (rest + piece).split("\n\n");
    rest = records.pop() ?? "";
    for (const record of records) add(textOf(record));
  }
  if (text !== expected)
    throw new Error(`${name} lost something: ${text.length} of ${expected.length} characters`);
  return first;
}

async function sample(side: Side, idleMb: number): Promise<Sample> {
  const cpu = await cpuOf(side.pid);
  let peak = 0;
  const watch = setInterval(() => {
    // The server may be gone when the bench has failed.
    void residentMb(side.pid).then(
      (now) => (peak = Math.max(peak, now)),
      () => undefined,
    );
  }, 200);
  const began = performance.now();
  const firstMs = await Promise.all(Array.from({ length: streams }, () => readOne(side)));
  clearInterval(watch);
  const tokensPerSecond = (streams * tokens * 1_000) / (performance.now() - began);
  return {
    cpuMs: ((await cpuOf(side.pid)) - cpu) / ((streams * tokens) / 1_000),
    streamKb: (Math.max(0, peak - idleMb) * 1_024) / streams,
    firstMs,
    tokensPerSecond,
  };
}

function printRatio([what, unit]: [string, string], ours: number, theirs: number, goal: number | null): void {
  const ratio = ours / theirs;
  const isMet = goal === null || ratio <= goal;
  if (!isMet) process.exitCode = 1;
  const verdict = goal === null ? "" : ` (goal at most ${goal}: ${isMet ? "met" : "MISSED"})`;
  console.log(
    `  ${what.padEnd(22)} ${ours.toFixed(1)} ${unit}, AI SDK ${theirs.toFixed(1)} ${unit}`.padEnd(66) +
      ` ratio ${ratio.toFixed(3)}${verdict}`,
  );
}

await buildBundle();
const dataDir = await mkdtemp(join(tmpdir(), "plinth-bench-"));
const postgres = await startEmbedded({ dataDir });
const model = await startProgram("streams-model.ts", [String(tokens), String(tokenMs)]);
const { host, port, user, password } = postgres;
const admin = new pg.Client({ host, port, user, password, database: "postgres" });
await admin.connect();
await admin.query("create database plinth");
await admin.end();
const connection = { host, port, user, password, dbname: "plinth", schema: "cgp" };
const sides = [
  ...(await startOurs(databaseVariables(connection), model.url)),
  ...(isAlone ? [] : [await startPeer(model.url, "/ui"), await startPeer(model.url, "/text")]),
];
try {
  const samples = new Map<Side, Sample[]>(sides.map((side) => [side, []]));
  const idle = new Map<Side, number>();
  for (const side of sides) {
    await readOne(side);
    idle.set(side, await residentMb(side.pid));
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      samples.get(side)?.push(await sample(side, idle.get(side) ?? 0));
  }
  console.log(`${streams} streams of ${tokens} tokens, one every ${tokenMs} ms, median of ${rounds} rounds`);
  const of = (side: Side, value: (each: Sample) => number): number =>
    median((samples.get(side) ?? []).map(value));
  const [ours, shipped, ...peers] = sides as [Side, Side, ...Side[]];
  for (const { side, name } of [
    { side: ours, name: "peers/streams" },
    { side: shipped, name: "peers/streams, the shipped agent" },
  ]) {
    const cpuMsPerUnit = of(side, ({ cpuMs }) => cpuMs) / 1_000;
    report({ name, unit: "token", cpuMsPerUnit, perSecond: of(side, (s) => s.tokensPerSecond) });
  }
  for (const peer of peers) {
    console.log(`beside ${peer.name}`);
    printRatio(
      ["CPU per 1,000 tokens", "ms"],
      of(ours, (s) => s.cpuMs),
      of(peer, (s) => s.cpuMs),
      0.25,
    );
    printRatio(
      ["memory per stream", "KB"],
      of(ours, (s) => s.streamKb),
      of(peer, (s) => s.streamKb),
      0.2,
    );
    printRatio(
      ["time to first token", "ms"],
      of(ours, (s) => median(s.firstMs)),
      of(peer, (s) => median(s.firstMs)),
      null,
    );
  }
  console.log(`${shipped.name}: ${of(shipped, (s) => s.cpuMs).toFixed(1)} ms per 1,000 tokens`);
  console.log("  no token was lost");
} finally {
  for (const side of sides) await side.close();
  await model.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
