/** An adapter as a process of its own. */
import { createAdapterServer } from "./server.ts";
import type { AdapterServerOptions } from "./server.ts";

export interface ServeOptions extends AdapterServerOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  /** Default 127.0.0.1; others need a secret. */
  host?: string;
}

/**
 * Listens, says so with one line of JSON on standard output, and on SIGTERM or SIGINT lets running operations finish
 * and ends the process.
 */
export async function serveAdapter({ port = 0, host, ...options }: ServeOptions): Promise<void> {
  const server = createAdapterServer(options);
  const url = await server.listen({ port, ...(host === undefined ? {} : { host }) });
  runUntilStopped({ url, close: () => server.close() });
}

/** The same for a server that listens already. */
export function runUntilStopped(adapter: { url: string; close: () => Promise<void> }): void {
  const stop = (): void => void adapter.close().then(() => process.exit(0));
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  process.stdout.write(`${JSON.stringify({ listening: adapter.url })}\n`);
}
