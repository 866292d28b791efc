/**
 * How much memory does the idle server hold, and how much more with 1,000 idle clients of an event stream?
 *
 * The server is a process of its own with its embedded database; resident memory is its own, without PostgreSQL's. The
 * baseline of the same run is a bare node:http process with 1,000 idle connections of the same kind.
 * `node bench/memory.ts`
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { startMockAdapter } from "../src/adapters/mock/server.ts";
import { residentMb } from "./support/process-use.ts";
import { startServerProcess, startUnit } from "./support/server-process.ts";

const clients = 1_000;
const settleMs = 3_000;

const bare = await startBare();
const mock = await startMockAdapter();
const server = await startServerProcess();
const unit = await startUnit(server.url, mock.url, [{ mode: "async", runningMs: 600_000 }]);
await sleep(settleMs);

const bareIdle = await residentMb(bare.pid);
const bareSockets = await openStreams(bare.url, "/");
await sleep(settleMs);
const bareBusy = await residentMb(bare.pid);

const idle = await server.residentMb();
const sockets = await openStreams(server.url, `/api/coordinator/v1/execution-plans/${unit.token}/events`);
await sleep(settleMs);
const busy = await server.residentMb();

const each = (all: number, none: number): string => `${(((all - none) * 1024) / clients).toFixed(1)} KB each`;
console.log(
  `bare node:http   idle ${bareIdle.toFixed(0)} MB   with ${clients} idle streams ${bareBusy.toFixed(0)} MB   ${each(bareBusy, bareIdle)}`,
);
console.log(
  `plinth           idle ${idle.toFixed(0)} MB   with ${clients} idle streams ${busy.toFixed(0)} MB   ${each(busy, idle)}`,
);
console.log(
  `ratio            idle ${(idle / bareIdle).toFixed(2)}   a stream ${((busy - idle) / (bareBusy - bareIdle)).toFixed(2)}`,
);

for (const socket of [...sockets, ...bareSockets]) socket.destroy();
bare.stop();
await server.close();
await mock.close();

async function openStreams(url: string, path: string): Promise<Socket[]> {
  const { hostname, port, host } = new URL(url);
  const open: Socket[] = [];
  for (let n = 0; n < clients; n++) {
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n\r\n`);
    const [head] = (await once(socket, "data")) as [Buffer];
    if (!head.toString().startsWith("HTTP/1.1 200"))
      throw new Error(`refused: ${head.toString().slice(0, 200)}`);
    socket.resume();
    open.push(socket);
  }
  return open;
}

async function startBare(): Promise<{ url: string; pid: number; stop: () => void }> {
  const program = `
    import { createServer } from "node:http";
    const server = createServer((request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": open\\n\\n");
    });
    server.listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { url: line.toString().trim(), pid: child.pid ?? 0, stop: () => child.kill() };
}
