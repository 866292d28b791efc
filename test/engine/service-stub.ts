/** An external service that acts once for each idempotency key, and fails or breaks the line when it is told to. */
import { createHash } from "node:crypto";
import type { JournalEntry } from "../../src/adapters/mock/journal.ts";
import { startHttpPeer } from "../support/http-peer.ts";

export interface ServiceStub {
  url: string;
  journal: JournalEntry[];
  /** What calls are answered whose path has the text in it; the others get 200. */
  failing: { path: string; status: number } | null;
  /** Acts upon the first call of each key, and then breaks the line instead of answering. */
  breaksFirst: boolean;
  close(): Promise<void>;
}

export async function startServiceStub(): Promise<ServiceStub> {
  const acted = new Map<string, string>();
  const seen = new Set<string>();
  const peer = await startHttpPeer((request, response) => {
    const hash = createHash("sha256");
    request.on("data", (chunk: Buffer) => hash.update(chunk));
    request.on("end", () => {
      const bodyHash = hash.digest("hex");
      const key = String(request.headers["idempotency-key"]);
      const { method = "", url: path = "" } = request;
      const failure = stub.failing && path.includes(stub.failing.path) ? stub.failing.status : null;
      const before = acted.get(key);
      if (failure === null && before === undefined) acted.set(key, bodyHash);
      stub.journal.push({
        sequence: stub.journal.length,
        time: new Date().toISOString(),
        method,
        path,
        operation: "other",
        componentId: null,
        idempotencyKey: key,
        traceparent: null,
        bodyHash,
        acted: failure === null && before === undefined,
        repeat: before !== undefined,
        otherBody: before !== undefined && before !== bodyHash,
        token: null,
        odd: null,
      });
      if (stub.breaksFirst && !seen.has(key)) {
        seen.add(key);
        request.socket.destroy();
      } else response.writeHead(failure ?? 200).end();
    });
  });
  const stub: ServiceStub = {
    url: peer.url,
    journal: [],
    failing: null,
    breaksFirst: false,
    close: peer.close,
  };
  return stub;
}
