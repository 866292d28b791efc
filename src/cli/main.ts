#!/usr/bin/env -S node --max-semi-space-size=8 --heap-growing-percent=30
/** Where `plinth` begins. What was compiled once is kept, so the next command, or the next worker, starts sooner. */
import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Beside the dependencies, where build leftovers belong; the system's temporary folder is not ours to fill.
// Where that folder is not writable Node goes on without a cache.
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/plinth"));
// Not a static import: that would be compiled before the line above.
await import("./command-process.ts");
