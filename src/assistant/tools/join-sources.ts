import type { ToolSource } from "./tool-source.ts";

/** One source of several: calls go to the one that has the server, and to `rest` for all others. */
export const joinSources = (named: Readonly<Record<string, ToolSource>>, rest: ToolSource): ToolSource => ({
  list: async () =>
    (await Promise.all([rest, ...Object.values(named)].map((source) => source.list()))).flat(),
  call: (ctx, call, options) => (named[call.server] ?? rest).call(ctx, call, options),
});
