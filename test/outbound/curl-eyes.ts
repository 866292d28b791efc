/**
 * What libcurl, by which git calls http addresses, reads in a text: the curl program is sent through a proxy on this
 * machine that answers nothing and writes down for which host and port it was asked.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** `host:port`, or null where it refuses the text. */
export type Seen = string | null;

const markerOf = (index: number): string => `marker-${index}.invalid:80`;

export async function seenByCurl(texts: readonly string[]): Promise<Seen[]> {
  const asked: string[] = [];
  const proxy = createServer((socket) => {
    let head = "";
    socket.on("error", () => {});
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      head += chunk;
      for (let end = head.indexOf("\r\n\r\n"); end !== -1; end = head.indexOf("\r\n\r\n")) {
        const [line = ""] = head.split("\r\n");
        head = head.slice(end + 4);
        asked.push(authorityOf(line));
        const isTunnel = line.startsWith("CONNECT");
        socket.write(`HTTP/1.1 ${isTunnel ? 403 : 200} x\r\ncontent-length: 0\r\n\r\n`);
        if (isTunnel) socket.end();
      }
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  // A marker after each text tells which requests were for it, whatever curl makes of it.
  const config = texts.flatMap((text, index) => [text, `http://${markerOf(index)}/`]).map(lineOf);
  const args = [
    "-q",
    "-s",
    "-g",
    "-K",
    "-",
    "--proxy",
    `http://127.0.0.1:${port}`,
    "--proto",
    "=http,https",
    "--max-time",
    "5",
  ];
  const curl = spawn("curl", args, {
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = once(curl, "close");
  curl.stdin.on("error", () => {});
  curl.stdin.end(config.join("\n"));
  await ended;
  proxy.close();
  return readSeen(asked, texts.length);
}

/** The first request before each marker. */
function readSeen(asked: readonly string[], count: number): Seen[] {
  const seen: Seen[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const end = asked.indexOf(markerOf(index), at);
    if (end === -1) throw new Error(`curl has not come to text ${index}.`);
    seen.push(end > at ? (asked[at] ?? null) : null);
    at = end + 1;
  }
  return seen;
}

/** `GET http://host:port/x HTTP/1.1` or `CONNECT host:port HTTP/1.1`. */
function authorityOf(line: string): string {
  const target = line.slice(line.indexOf(" ") + 1, line.lastIndexOf(" "));
  if (line.startsWith("CONNECT")) return target.toLowerCase();
  const authority = (/^[a-z]+:\/\/([^/]*)/i.exec(target)?.[1] ?? target).toLowerCase();
  return /:\d+$/.test(authority) ? authority : `${authority}:80`;
}

const lineOf = (text: string): string => {
  const escapes: Record<string, string> = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r" };
  // A zero byte can't be written in curl's file; such texts are refused by everyone and are tried without it.
  const quoted = text.replaceAll("\u0000", "").replaceAll(/[\\"\n\t\r]/g, (char) => escapes[char] ?? char);
  return `url = "${quoted}"`;
};
