/** A proxy as people put in front of the server: below a path of its own, and before several processes. */
import { request, type IncomingMessage, type ServerResponse } from "node:http";
import { startHttpPeer, type HttpPeer } from "../../support/http-peer.ts";

export interface ProxyOptions {
  /** Where the processes listen, as they are at each request: `http://127.0.0.1:<port>`. They are taken in turns. */
  targets: () => readonly string[];
  /** The path that it serves them below, such as `/plinth`; other paths are 404. */
  below?: string;
  port?: number;
}

export async function startProxy({ targets, below = "", port = 0 }: ProxyOptions): Promise<HttpPeer> {
  let asked = 0;
  return startHttpPeer((incoming, answer) => {
    const path = incoming.url ?? "/";
    if (below !== "" && path !== below && !path.startsWith(`${below}/`)) return refuse(answer, 404);
    const own = path.slice(below.length);
    const all = targets();
    asked += 1;
    const order = all.map((_, index) => all[(asked + index) % all.length] as string);
    pass({ incoming, answer, path: own.startsWith("/") ? own : `/${own}` }, order);
  }, port);
}

interface Passed {
  incoming: IncomingMessage;
  answer: ServerResponse;
  path: string;
}

/** A process that refuses the connection has seen nothing of the request: the next one gets it. */
function pass(passed: Passed, [target, ...others]: readonly string[]): void {
  const { incoming, answer, path } = passed;
  if (target === undefined) return refuse(answer, 502);
  const { hostname, port } = new URL(target);
  const { method, headers } = incoming;
  const outgoing = request({ hostname, port, path, method, headers, agent: false });
  outgoing.once("response", (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
    response.once("error", () => answer.destroy());
  });
  outgoing.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "ECONNREFUSED" && !incoming.readableDidRead) pass(passed, others);
    else if (answer.headersSent) answer.destroy();
    else refuse(answer, 502);
  });
  answer.once("close", () => outgoing.destroy());
  outgoing.once("socket", (socket) => socket.once("connect", () => incoming.pipe(outgoing)));
}

function refuse(answer: ServerResponse, status: number): void {
  if (answer.headersSent) return void answer.destroy();
  answer.writeHead(status, { "content-type": "text/html" }).end("<h1>The proxy has nobody to ask</h1>");
}
