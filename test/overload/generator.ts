/** The process that makes the load: one request after another at the times that the rate gives, come what may. */
import { setPriority } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { openConnection, type Connection } from "./connection.ts";
import { quantile, type Answered, type Kind, type Load, type Outcome } from "./load.ts";

/** It is to measure the server and not the queue for the processor; only root may have this. */
const favouredPriority = -10;

async function run(load: Load): Promise<Outcome> {
  const next = weightedRoundRobin(load.kinds);
  const idle: Connection[] = [];
  const answered: Answered[] = [];
  const late: number[] = [];
  const counts = { sent: 0, timedOut: 0, broken: 0 };
  let open = 0;
  let wake: (() => void) | undefined;
  const began = performance.now();
  const send = (number: number): void => {
    const connection = takeOpen(idle) ?? openConnection(load.port);
    const sentAt = performance.now();
    const settle = (): void => {
      clearTimeout(timer);
      open -= 1;
      if (open === 0) wake?.();
    };
    let isSettled = false;
    const timer = setTimeout(() => {
      isSettled = true;
      counts.timedOut += 1;
      connection.destroy();
      settle();
    }, load.timeoutMs);
    open += 1;
    counts.sent += 1;
    const kind = next();
    connection.send(requestText(kind, number, load), (answer) => {
      if (isSettled) return;
      isSettled = true;
      settle();
      if (answer === null) {
        counts.broken += 1;
        return;
      }
      answered.push({ kind: kind.name, atMs: sentAt - began, ms: performance.now() - sentAt, ...answer });
      if (connection.isOpen) idle.push(connection);
    });
  };
  const total = Math.round((load.perSecond * load.ms) / 1000);
  const gapMs = 1000 / load.perSecond;
  for (let number = 0; number < total;) {
    const dueMs = number * gapMs;
    const nowMs = performance.now() - began;
    if (dueMs > nowMs) {
      await pause(Math.max(1, dueMs - nowMs));
      continue;
    }
    late.push(nowMs - dueMs);
    send(load.firstNumber + number);
    number += 1;
  }
  if (open > 0) await new Promise<void>((done) => (wake = done));
  for (const connection of idle) connection.destroy();
  return { answered, ...counts, lateMs: { worst: quantile(late, 1), p99: quantile(late, 0.99) } };
}

const takeOpen = (idle: Connection[]): Connection | undefined => {
  for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
    if (connection.isOpen) return connection;
  }
  return undefined;
};

/** Gives the kinds in an even mix: the one that is furthest behind its share comes next. */
function weightedRoundRobin(kinds: readonly Kind[]): () => Kind {
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0);
  const credit = kinds.map(() => 0);
  return () => {
    let chosen = 0;
    kinds.forEach(({ weight }, index) => {
      credit[index] = (credit[index] ?? 0) + weight;
      if ((credit[index] ?? 0) > (credit[chosen] ?? 0)) chosen = index;
    });
    credit[chosen] = (credit[chosen] ?? 0) - total;
    return kinds[chosen]!;
  };
}

function requestText({ method, path, body }: Kind, number: number, { token }: Load): string {
  const own = String(number);
  const head = `${method} ${path.replaceAll("#", own)} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  const text = body.replaceAll("#", own);
  return `${head}content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
}

try {
  setPriority(favouredPriority);
} catch {
  // Then the figures are a little worse than what the server does.
}
process.on("message", (load: Load) => void run(load).then((outcome) => process.send?.(outcome)));
