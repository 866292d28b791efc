import { startWholeServer, type WholeServer } from "../support/server.ts";

/** Longest call of the adapters that have to miss it; the others have all the time that a busy machine takes. */
export const shortCallMs = 1_500;

/** Three attempts with short pauses, fast polls, and little patience with the adapters that are named. */
export const startImpatientServer = (impatientWith: string[] = []): Promise<WholeServer> =>
  startWholeServer({
    configure({ coordinator: { execution } }) {
      const adapters = impatientWith.map((name) => ({
        id: `urn:test:itm:${name}:1`,
        callTimeoutMs: shortCallMs,
      }));
      const pace = { pollInitialMs: 10, pollMaxMs: 30, retryDelayMs: 10, terminateGraceMs: 5_000 };
      Object.assign(execution, { callAttempts: 3, ...pace, adapters });
    },
  });
