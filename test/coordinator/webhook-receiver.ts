/** A receiver of webhooks as others have one: it verifies with the official library and answers what it is told to. */
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { startHttpPeer } from "../support/http-peer.ts";

export const secret = `whsec_${Buffer.from("a secret of twenty-four or more bytes").toString("base64")}`;

export interface Received {
  id: string;
  type: string;
  subject: string;
  headers: Record<string, string | string[] | undefined>;
  event: any;
  /** What was answered. */
  status: number;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Decides what is answered; 204 unless told. */
  answer(reply: (event: any, response: ServerResponse) => number | null): void;
  close(): Promise<void>;
}

/** With a status of null the reply function answers itself. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let reply: (event: any, response: ServerResponse) => number | null = () => 204;
  const peer = await startHttpPeer((request, response) => {
    void text(request).then((body) => {
      const headers = request.headers as Record<string, string>;
      const event: any = new Webhook(secret).verify(body, headers);
      const status = reply(event, response);
      const { id, type, subject } = event;
      received.push({ id, type, subject, headers, event, status: status ?? 0 });
      if (status !== null) response.writeHead(status).end();
    });
  }, port);
  return {
    url: `${peer.url}/hook`,
    received,
    answer: (wanted) => (reply = wanted),
    close: peer.close,
  };
}
