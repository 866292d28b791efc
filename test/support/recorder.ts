/** An HTTP server that keeps every call word for word and answers as it is told; 200 `{}` unless told. */
import { startHttpPeer } from "./http-peer.ts";

export interface RecordedCall {
  method: string;
  path: string;
  headers: Record<string, unknown>;
  /** Parsed JSON; null without a body. */
  body: any;
}

export interface Recorder {
  url: string;
  calls: RecordedCall[];
  /** Status and JSON body by the path of the call; with `after`, it is answered once that has come. */
  answers: Map<string, { status: number; body: unknown; after?: Promise<unknown> }>;
  close(): Promise<void>;
}

export async function startRecorder(): Promise<Recorder> {
  const calls: RecordedCall[] = [];
  const answers: Recorder["answers"] = new Map();
  const peer = await startHttpPeer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const { method = "", url: path = "", headers } = request;
      calls.push({ method, path, headers, body: text === "" ? null : JSON.parse(text) });
      const { status, body, after } = answers.get(path) ?? { status: 200, body: {} };
      void Promise.resolve(after).then(() => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
    });
  });
  return {
    url: peer.url,
    calls,
    answers,
    close: peer.close,
  };
}
