/**
 * Bundles only the third of undici that we use, because a start evaluates everything in the bundle. It serves the CPU of a start
 * (bench/start.ts). A start costs 0.94 of what it costs with the whole of undici: `npm run bench:compare`, two pairs, 2026-11-22.
 */
import { join } from "node:path";
import type { Plugin } from "rolldown";

export const undiciInPart: Plugin = {
  name: "undici-in-part",
  load(id) {
    if (!id.endsWith(join("node_modules", "undici", "index.js"))) return null;
    return `
      const Dispatcher = require("./lib/dispatcher/dispatcher");
      Object.assign(Dispatcher.prototype, require("./lib/api"));
      module.exports.Agent = require("./lib/dispatcher/agent");`;
  },
};
