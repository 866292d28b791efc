/** Two listeners on this machine: one that may be called, and one that never may. */
import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server } from "node:net";

export interface Listeners {
  /** `host:port` of the one that may be called. */
  allowed: string;
  /** Address of the listener that may not be called. */
  refused: string;
  port: number;
  /** What the allowed one was asked, besides the interface of a git host that it plays. */
  requests: string[];
  /** Connections that the other one got. */
  forbiddenCalls: () => number;
  /** What the git host says where a repository that it has made is. */
  cloneUrl: string;
  close: () => void;
}

const repository = (clone_url: string): string =>
  JSON.stringify({ clone_url, html_url: "http://host/a/b", full_name: "acme/made" });

export async function startListeners(): Promise<Listeners> {
  let forbiddenCalls = 0;
  const other = createTcpServer((socket) => {
    forbiddenCalls += 1;
    socket.on("error", () => {});
    socket.destroy();
  });
  const web = createServer((request, response) => {
    const { method = "", url = "" } = request;
    if (method === "GET" && url.startsWith("/users/")) response.end('{"type":"User"}');
    else if (method === "POST" && url === "/user/repos")
      response.writeHead(201).end(repository(listeners.cloneUrl));
    else if (url.startsWith("/repos/acme/made"))
      response.writeHead(method === "DELETE" ? 204 : 404).end("{}");
    else {
      listeners.requests.push(`${method} ${request.headers.host}${url}`);
      response.writeHead(404).end();
    }
  });
  // TLS to it is an attempt to call it as well.
  web.on("clientError", (_error, socket) => {
    listeners.requests.push("something that is no HTTP");
    socket.destroy();
  });
  const allowed = await listen(web, "127.0.0.1");
  const refused = await listen(other, "127.0.0.2");
  const listeners: Listeners = {
    allowed,
    refused,
    port: Number(allowed.split(":")[1]),
    requests: [],
    forbiddenCalls: () => forbiddenCalls,
    cloneUrl: "",
    close() {
      web.closeAllConnections();
      web.close();
      other.close();
    },
  };
  return listeners;
}

async function listen(server: Server, address: string): Promise<string> {
  server.listen(0, address);
  await once(server, "listening");
  return `${address}:${(server.address() as AddressInfo).port}`;
}
