import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

/** What a run leaves for the next one: the product's build and what Node.js has compiled. */
export const cacheFolder = join(import.meta.dirname, "node_modules/.cache/plinth");

/**
 * V8 loses count of the pages of compiled code where many threads come and go (nodejs/node#64500), and ends the process:
 * `Check failed: jit_page.has_value()`, when it compiles a call from WebAssembly to JavaScript anew. `npm test` has the flags too.
 */
const execArgv = ["--no-memory-protection-keys", "--wasm-wrapper-tiering-budget=2147483647"];
const inForks = { pool: "forks" as const, execArgv, env: { NODE_COMPILE_CACHE: cacheFolder } };
const postgres = "test/support/global-setup.ts";
const program = "test/support/built-program.ts";

/** The settings of each lane; CONTRIBUTING.md says which test belongs where. */
const lanes: Record<string, TestProjectInlineConfiguration["test"]> = {
  // A process per file: Node.js forks to start a program, and the larger the process, the longer its fork takes.
  spawn: { include: ["*.spawn.test.ts"], ...inForks, isolate: true },
  unit: { include: ["!(*.db|*.slow|*.nightly|*.spawn).test.ts"], pool: "threads" },
  database: { include: ["*.db.test.ts"], ...inForks, globalSetup: [postgres] },
  slow: { include: ["*.slow.test.ts"], ...inForks, globalSetup: [postgres, program], testTimeout: 600_000 },
  nightly: {
    include: ["*.nightly.test.ts"],
    ...inForks,
    globalSetup: [postgres, program],
    testTimeout: 900_000,
  },
};

export const run = (...names: string[]) =>
  defineConfig({
    test: {
      // The files of a worker share its loaded modules: loading them takes longer than most tests.
      isolate: false,
      // Tests of a database or of processes wait for much of their time; docs/decisions/2026-11-22-test-lanes.md has the figures.
      maxWorkers: availableParallelism() + 5,
      // Limits end a test that hangs. A machine with twenty times the load is no defect.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { interval: 20, timeout: 120_000 } },
      projects: names.map((name) => {
        const { include = [], ...lane } = lanes[name] ?? {};
        const files = include.map((pattern) => `{src,test,packages,console/src}/**/${pattern}`);
        return { extends: true, test: { name, include: files, ...lane } };
      }),
    },
  });

export default run("unit", "spawn", "database", "slow");
