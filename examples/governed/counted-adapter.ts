/** Stands before a tech adapter and writes down every call of its protocol. */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface CountedAdapter {
  url: string;
  /** `POST /v1/provision`, in the order of the calls. */
  calls: string[];
}

export async function countCalls(adapterUrl: string): Promise<CountedAdapter> {
  const calls: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = "", url = "", headers } = incoming;
    // When it is registered the platform asks who it is; that touches nothing.
    if (url !== "/") calls.push(`${method} ${url.split("?")[0]}`);
    const onward = request(new URL(url, adapterUrl), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.once("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  server.unref();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}
