/** A ticketing system as third parties have one: keeps what it is asked, and answers as it is told to. */
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { startHttpPeer } from "../support/http-peer.ts";

export interface Ticket {
  /** `X-Request-ID`. */
  requestId: string;
  headers: Record<string, string | string[] | undefined>;
  respondToUrl: string;
  fields: any;
}

export interface ThirdParty {
  url: string;
  tickets: Ticket[];
  /** What it does with a call; a 202 with hookInfo unless told. */
  setReply(how: (ticket: Ticket, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

export const takesIn = (_ticket: Ticket, response: ServerResponse): void =>
  void response
    .writeHead(202, { "content-type": "application/json" })
    .end(JSON.stringify({ hookInfo: { ticket: "T-1" } }));

export async function startThirdParty(): Promise<ThirdParty> {
  const tickets: Ticket[] = [];
  let how: (ticket: Ticket, response: ServerResponse) => void = takesIn;
  const peer = await startHttpPeer((request, response) => {
    void text(request).then((body) => {
      const { respondToUrl, fields } = JSON.parse(body) as { respondToUrl: string; fields: unknown };
      const { headers } = request;
      const ticket = { requestId: String(headers["x-request-id"]), headers, respondToUrl, fields };
      tickets.push(ticket);
      how(ticket, response);
    });
  });
  return {
    url: `${peer.url}/tickets`,
    tickets,
    setReply: (wanted) => (how = wanted),
    close: peer.close,
  };
}
