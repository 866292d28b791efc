import { setTimeout as wait } from "node:timers/promises";
import { builderFailure } from "../errors.ts";
import type { Action } from "./action.ts";

const longestMs = 10 * 60_000;

export const debugWait: Action = {
  id: "debug:wait",
  description: "Waits, ten minutes at most.",
  supportsDryRun: true,
  staysInWorkspace: true,
  onlyReads: true,
  input: {
    type: "object",
    properties: {
      minutes: { type: "number", minimum: 0 },
      seconds: { type: "number", minimum: 0 },
      milliseconds: { type: "number", minimum: 0 },
    },
  },
  async run({ input, say, signal, isDryRun }) {
    const { minutes = 0, seconds = 0, milliseconds = 0 } = input as Record<string, number | undefined>;
    const ms = minutes * 60_000 + seconds * 1_000 + milliseconds;
    if (ms > longestMs) {
      throw builderFailure("BUILDER_ACTION_INPUT", {
        message: `debug:wait waits for ${longestMs / 60_000} minutes at most, not for ${ms} ms.`,
      });
    }
    say(`Waiting for ${ms} ms.`);
    if (!isDryRun) await wait(ms, undefined, { signal });
  },
};
