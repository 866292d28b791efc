/** A server of somebody else on this machine: a page of its own for each thing that it tries. */
import { startHttpPeer, type HttpPeer } from "../../support/http-peer.ts";
import type { ChangingOperation } from "./operations.ts";

export const startAttacker = (): Promise<HttpPeer> =>
  startHttpPeer((request, response) => {
    request.resume();
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(`<!doctype html><link rel=icon href="data:,"><title>Of somebody else</title><h1>Hello</h1>`);
  });

export interface Attack {
  server: string;
  operations: readonly ChangingOperation[];
}

/** Runs in the attacker's page: everything that a page can send by itself, with whatever cookies the browser adds. */
export async function attackFromPage({ server, operations }: Attack): Promise<number> {
  const { document, Blob, navigator, Image } = globalThis as any;
  let sent = 0;
  const quiet = (asked: Promise<unknown>): Promise<unknown> => {
    sent += 1;
    return asked.catch(() => undefined);
  };
  const frames = (count: number): void => {
    for (let index = 0; index < count; index += 1) {
      const frame = document.createElement("iframe");
      frame.name = `frame-${index}`;
      document.body.append(frame);
    }
  };
  frames(4);
  const submit = async (address: string, enctype: string, index: number): Promise<void> => {
    const form = document.createElement("form");
    Object.assign(form, { action: address, method: "POST", enctype, target: `frame-${index % 4}` });
    const field = document.createElement("input");
    // As text/plain this is a JSON document.
    Object.assign(field, { name: '{"name":"x","x":"', value: '"}' });
    form.append(field);
    document.body.append(form);
    const frame = document.querySelector(`iframe[name=frame-${index % 4}]`);
    const done = new Promise((next) => frame.addEventListener("load", next, { once: true }));
    form.submit();
    sent += 1;
    await Promise.race([done, new Promise((next) => setTimeout(next, 3_000))]);
  };
  const body = JSON.stringify({ name: "x", roles: ["admin"] });
  for (const [index, { method, path }] of operations.entries()) {
    const address = server + path;
    const json = { "content-type": "application/json" };
    const credentials = "include";
    const tries: Promise<unknown>[] = [
      quiet(fetch(address, { method, credentials, headers: json, body })),
      quiet(fetch(address, { method, credentials, headers: { ...json, "x-plinth-console": "1" }, body })),
      quiet(fetch(address, { method: "POST", mode: "no-cors", credentials, body })),
      quiet(
        fetch(address, {
          method: "POST",
          mode: "no-cors",
          credentials,
          body: new Blob([body]),
          keepalive: true,
        }),
      ),
      quiet(
        fetch(`${address}?_method=${method}`, {
          method: "POST",
          mode: "no-cors",
          credentials,
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: `_method=${method}&name=x`,
        }),
      ),
      quiet(
        new Promise((next) => {
          const image = new Image();
          image.addEventListener("error", next);
          image.addEventListener("load", next);
          image.src = `${address}?name=x&_method=${method}`;
        }),
      ),
    ];
    navigator.sendBeacon(address, new Blob([body], { type: "text/plain" }));
    sent += 1;
    await Promise.all(tries);
    if (method === "POST")
      for (const enctype of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
        await submit(address, enctype, index);
  }
  return sent;
}
