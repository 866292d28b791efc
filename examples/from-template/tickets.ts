/**
 * A small ticketing system, as a process of its own: Plinth sends it a request, a person answers it here, and
 * it sends the decision to Plinth. Prints `{"listening": "<url>"}` once it listens.
 *
 * *   POST /hook                    what Plinth calls: {respondToUrl, fields}; answers 202 with the ticket
 *   GET  /tickets                 all tickets
 *   POST /tickets/<id>/approve    or /reject
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

interface Ticket {
  id: string;
  status: "open" | "approved" | "rejected";
  fields: unknown;
  respondToUrl: string;
}

const tickets = new Map<string, Ticket>();
/** By the id of the request: the same request that comes twice is one ticket. */
const byRequest = new Map<string, Ticket>();

async function handle(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const { pathname } = new URL(request.url ?? "/", "http://tickets");
  if (request.method === "POST" && pathname === "/hook") {
    const { respondToUrl, fields } = (await json(request)) as { respondToUrl: string; fields: unknown };
    const requestId = String(request.headers["x-request-id"]);
    const known = byRequest.get(requestId);
    const ticket: Ticket = known ?? { id: `T-${tickets.size + 1}`, status: "open", fields, respondToUrl };
    tickets.set(ticket.id, ticket);
    byRequest.set(requestId, ticket);
    return { status: 202, body: { hookInfo: { ticket: ticket.id } } };
  }
  if (request.method === "GET" && pathname === "/tickets") return { status: 200, body: [...tickets.values()] };
  const [, id, answer] = /^\/tickets\/([^/]+)\/(approve|reject)$/.exec(pathname) ?? [];
  const ticket = tickets.get(id ?? "");
  if (request.method !== "POST" || !ticket) return { status: 404, body: { message: "no such thing" } };
  ticket.status = answer === "approve" ? "approved" : "rejected";
  const answered = await fetch(ticket.respondToUrl, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ status: answer === "approve" ? "OK" : "KO", hookInfo: { ticket: ticket.id } }),
  });
  return { status: 200, body: { ticket: ticket.id, status: ticket.status, platformAnswered: answered.status } };
}

const send = (response: ServerResponse, { status, body }: { status: number; body: unknown }): void => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
};

const server = createServer((request, response) => {
  handle(request).then(
    (answer) => send(response, answer),
    (error: Error) => send(response, { status: 500, body: { message: error.message } }),
  );
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ listening: `http://127.0.0.1:${port}` }));
});
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    server.closeAllConnections();
    server.close();
  });
}
