/**
 * For the tests of the command line: a context that records the output, and a small server with prepared
 * responses.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Cli, Output } from "./context.ts";
import { stylesFor } from "./print/colors.ts";
import { runCli } from "./program.ts";

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  cwd?: string;
  input?: string;
  signal?: AbortSignal;
  /** The user's answers, one after the other; then the input ends. */
  answer?: (question: string) => string | null;
}

/** Runs one command line in this process. */
export async function run(args: string[], options: RunOptions = {}): Promise<Ran> {
  const [out, err] = [recordingOutput(), recordingOutput()];
  const cli: Cli = {
    out,
    err,
    env: options.env ?? {},
    cwd: options.cwd ?? import.meta.dirname,
    signal: options.signal ?? new AbortController().signal,
    now: () => performance.now(),
    readInput: async () => options.input ?? "",
    ask: async (question) => options.answer?.(question) ?? null,
    onForce: () => () => undefined,
    endWithin: () => undefined,
  };
  const code = await runCli(args, cli);
  return { code, out: out.text(), err: err.text() };
}

function recordingOutput(): Output & { text: () => string } {
  let printed = "";
  return {
    write: (text) => void (printed += text),
    text: () => printed,
    isTty: false,
    styles: stylesFor(false),
    size: () => undefined,
  };
}

export interface Received {
  method: string;
  /** The path with its query. */
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface Played {
  status?: number;
  body?: unknown;
  /** Instead of a body: as it stands. */
  text?: string;
  headers?: Record<string, string>;
  /** Instead of a body: events, after which the connection ends, or breaks with `breaks`. */
  events?: { id: number; type: string; data: unknown }[];
  breaks?: boolean;
}

/** Responses by `METHOD /path`; of a list, one for each call. Anything else is a 404. */
export async function playServer(answers: Record<string, Played | Played[]>) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const { method = "", url = "", headers } = request;
      received.push({ method, path: url, headers, body: bytes.toString("latin1") });
      const found = answers[`${method} ${url.split("?")[0]}`];
      const answer = (Array.isArray(found) ? found.shift() : found) ?? { status: 404, body: notThere };
      if (answer.events) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(": hello\n\n");
        for (const { id, type, data } of answer.events) {
          response.write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
        }
        if (answer.breaks) setTimeout(() => response.destroy(), 20);
        else response.end();
        return;
      }
      response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
      response.end(answer.text ?? JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((gone) => server.close(gone));
  };
  return { url, received, [Symbol.asyncDispose]: close };
}

const notThere = {
  errors: ["/x: nothing is there"],
  code: "PLATFORM_NOT_FOUND",
  userMessage: "Nothing is found.",
  input: "",
  inputErrorField: "",
  moreInfo: { problems: [], solutions: ["Look elsewhere."] },
};
