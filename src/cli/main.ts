#!/usr/bin/env -S node --max-semi-space-size=8 --heap-growing-percent=30 --no-memory-protection-keys
/** Entry of `plinth`. Uses a compile cache, so that the next command, or the next worker, starts sooner. */
import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Below node_modules, like other build caches. Where that folder is not writable Node continues without a
// cache.
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/plinth"));
// Not a static import: that would be compiled before the line above.
await import("./command-process.ts");
