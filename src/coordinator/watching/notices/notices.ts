/** Notices as a part of a process. */
import { systemContext } from "../../../platform/lib/request-context.ts";
import type { Platform } from "../../../platform/runtime/platform.ts";
import type { CoordinatorDeps } from "../../context.ts";
import { countAttempts } from "./metrics.ts";
import type { NoticeSource } from "../../ports.ts";

export interface Notices {
  /** Returns how it is ended. */
  start(workerId: string): Promise<() => Promise<void>>;
}

/** How long messages that are under way may take at a stop; what is cut off is sent again. */
const graceMs = 2_000;

export function createNotices(
  platform: Platform,
  coordinator: CoordinatorDeps,
  sources: () => readonly NoticeSource[],
): Notices {
  const { config, reloads, instruments, log, now, outbound } = platform;
  const { notices: settings, server } = config;
  const isOn = settings.mail !== undefined || settings.chats.length > 0;
  const attempts = countAttempts(instruments);
  return {
    async start(workerId) {
      const { people } = coordinator;
      if (!isOn || people === undefined) return async () => undefined;
      const { startNotices } = await import("./worker.ts");
      const { ownSources } = await import("./collecting/own-sources.ts");
      const ctx = { ...systemContext(log, now), coordinator };
      const worker = await startNotices({
        ctx,
        // Asked for each message: what the mail server wants may change.
        get settings() {
          return reloads.config().notices;
        },
        sources: [...ownSources(ctx), ...sources()],
        people,
        outbound: outbound.notices,
        serverUrl: server.baseUrl?.replace(/\/+$/, "") ?? null,
        workerId,
        count: (channel, result) => attempts.add([channel, result]),
      });
      return () => worker.close(graceMs);
    },
  };
}
