/**
 * A client process for HTTP benches: keep-alive connections over raw sockets, one request at a time each, so that the
 * client costs as little as it can. Both servers of a comparison live in the bench's own process and take turns.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { median } from "./fixtures.ts";

/** One GET over and over against a server of this process. */
export interface Load {
  port: number;
  path: string;
  token: string;
  ms: number;
  connections: number;
}

export interface Sample {
  perSecond: number;
  /** CPU time of this process, which other load on the machine does not change. */
  cpuMicros: number;
}

export interface LoadClient {
  measure(load: Load): Promise<Sample>;
  close(): void;
}

export function startLoadClient(): LoadClient {
  const client = fork(import.meta.filename, { stdio: "inherit" });
  const ended = once(client, "exit").then(() => Promise.reject(new Error("the client has ended")));
  ended.catch(() => undefined);
  return {
    async measure(load) {
      const before = process.cpuUsage();
      client.send(load);
      const [count]: unknown[] = await Promise.race([once(client, "message"), ended]);
      const { user, system } = process.cpuUsage(before);
      return { perSecond: (Number(count) * 1000) / load.ms, cpuMicros: (user + system) / Number(count) };
    },
    close: () => client.disconnect(),
  };
}

/** Prints the medians of a side, and returns its requests per second. */
export function report(name: string, samples: readonly Sample[]): number {
  const perSecond = median(samples.map((sample) => sample.perSecond));
  const cpuMicros = median(samples.map((sample) => sample.cpuMicros));
  const figures = `${String(Math.round(perSecond)).padStart(7)} requests/s ${cpuMicros.toFixed(1).padStart(7)} us`;
  console.log(`  ${name.padEnd(28)}${figures} of CPU each`);
  return perSecond;
}

/** Sends requests for the given time and counts the answers. */
async function send({ port, path, token, ms, connections }: Load): Promise<number> {
  const request = Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\nauthorization: Bearer ${token}\r\naccept: application/json\r\n\r\n`,
  );
  const endAt = performance.now() + ms;
  stayAwake(endAt);
  const counts = await Promise.all(Array.from({ length: connections }, () => hammer(port, request, endAt)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Waking a client that sleeps costs the server's write more than the write itself, and the slower server more often. */
function stayAwake(endAt: number): void {
  if (performance.now() < endAt) {
    setImmediate(() => stayAwake(endAt));
  }
}

/** One connection. Answers to the same request have the same length, so counting bytes finds their ends. */
async function hammer(port: number, request: Buffer, endAt: number): Promise<number> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let answers = 0;
  let answerBytes = 0;
  let pending = 0;
  socket.on("data", (chunk) => {
    if (answerBytes === 0) {
      answerBytes = lengthOf(chunk);
    }
    pending += chunk.length;
    if (pending < answerBytes) {
      return;
    }
    pending -= answerBytes;
    answers += 1;
    if (performance.now() >= endAt) {
      socket.destroy();
      resolve(answers);
    } else {
      socket.write(request);
    }
  });
  socket.on("error", reject);
  socket.write(request);
  return promise;
}

function lengthOf(first: Buffer): number {
  const text = first.toString("latin1");
  const head = text.indexOf("\r\n\r\n");
  const body = /content-length: (\d+)/i.exec(text);
  if (!text.startsWith("HTTP/1.1 200 ") || head === -1 || body === null) {
    throw new Error(`unexpected answer: ${text.slice(0, 500)}`);
  }
  return head + 4 + Number(body[1]);
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  process.on("message", (load) => void send(load as Load).then((count) => process.send?.(count)));
}
