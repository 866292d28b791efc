#!/usr/bin/env -S MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144 node --max-semi-space-size=8 --heap-growing-percent=30 --no-memory-protection-keys --wasm-wrapper-tiering-budget=2147483647
/**
 * Entry of `plinth`. Uses a compile cache, so that the next command, or the next worker, starts sooner.
 *
 * The variables and flags of the first line, which scripts/with-runtime.mjs and the bundle take from here. The two variables let glibc give
 * back what it has freed: an idle process holds about 132 MB and without them 148 MB (docs/decisions/2026-11-29-memory-of-glibc.md). The two flags of the
 * heap let garbage be a third of it at most, for half of Backstage's memory at a quarter of its CPU per task (bench/peers/backstage.ts). After 600
 * tasks the process holds 193 MB and without them 265 MB, at the same CPU: docs/decisions/2026-11-21-a-bundle.md. The last two are against a
 * defect of V8: docs/decisions/2026-11-22-threads-and-protection-keys.md.
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
