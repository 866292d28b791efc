#!/usr/bin/env -S MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144 node --max-semi-space-size=4 --heap-growing-percent=20 --no-allocation-site-pretenuring --flush-code-based-on-time --no-memory-protection-keys --wasm-wrapper-tiering-budget=2147483647
/**
 * Entry of `plinth`. Uses a compile cache, so that the next command, or the next worker, starts sooner.
 *
 * The first line has the variables and flags that a server runs with; scripts/with-runtime.mjs, the command, the image and the benches take them
 * from here:
 * - The two variables make glibc return freed memory to the system, which saves an idle process about 16 MB:
 *   docs/decisions/2026-11-29-memory-of-glibc.md.
 * - The first two flags keep V8's heap small: semi-spaces of at most 4 MB in the young generation, and an old generation that grows by a fifth between
 *   two full collections. Under tasks of templates a process has 156 to 167 MB of resident memory, 164 to 173 with 8 MB and 30 percent, and 265
 *   without flags (bench/peers/backstage.ts): docs/decisions/2026-11-30-memory-under-load.md.
 * - The third keeps V8 from allocating objects directly in the old generation, and the fourth lets it free code that has not run for 30 seconds:
 *   docs/decisions/2026-11-27-objects-of-a-request.md.
 * - The last two flags avoid a defect of V8: docs/decisions/2026-11-22-threads-and-protection-keys.md.
 */
import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Below node_modules, like other build caches. Where that folder is not writable Node continues without a
// cache.
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/plinth"));
// Until the process listens to signals itself, one that asks a server to read its configuration would end it.
if (process.argv[2] === "start") process.on("SIGHUP", () => undefined);
// Not a static import: that would be compiled before the line above.
await import("./command-process.ts");
