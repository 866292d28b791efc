import { startWholeServer, type WholeServer } from "../support/server.ts";

/** Longest call of the adapters that have to miss it, also by being late; the others have all the time that a busy machine takes. */
export const shortCallMs = 4_000;

/** Three attempts with short pauses, fast polls, and little patience with the adapters that are named. */
export const startImpatientServer = (impatientWith: Record<string, number> = {}): Promise<WholeServer> =>
  startWholeServer({
    configure({ coordinator: { execution } }) {
      const adapters = Object.entries(impatientWith).map(([name, callTimeoutMs]) => ({
        id: `urn:test:itm:${name}:1`,
        callTimeoutMs,
      }));
      const pace = { pollInitialMs: 10, pollMaxMs: 30, retryDelayMs: 10, terminateGraceMs: 5_000 };
      Object.assign(execution, { callAttempts: 3, callTimeoutMs: 120_000, ...pace, adapters });
    },
  });
