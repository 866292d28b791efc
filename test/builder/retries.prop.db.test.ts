/**
 * However often its steps fail, its worker changes or somebody cancels it, a task that is tried again ends with the files of one that has
 * not failed.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Action } from "../../src/builder/actions/action.ts";
import type { InstantiationWorker } from "../../src/builder/instantiations/running/worker.ts";
import { startBuilder, type BuilderFixture } from "./builder-fixture.ts";

/** Failures still to come, by task and file. */
const failures = new Map<string, number>();

/** Fails as often as the input says, after what a failing attempt does first. */
async function failSomeTimes(
  name: string,
  { input, taskId }: Parameters<Action["run"]>[0],
  beforeFailure?: () => Promise<unknown>,
): Promise<void> {
  const key = `${taskId} ${name}`;
  const left = failures.get(key) ?? (input["failures"] as number);
  failures.set(key, left - 1);
  if (left > 0) await beforeFailure?.();
  await setTimeout(input["pauseMs"] as number);
  if (left > 0) throw new Error("not yet");
}

const write: Action["run"] = async (context) => {
  const { input, workspace, signal } = context;
  const name = input["name"] as string;
  const file = (path: string, text: string) => ({ path, content: Buffer.from(text), isExecutable: false });
  const put = (...files: ReturnType<typeof file>[]) =>
    workspace.write({ files, folders: [] }, { targetPath: "", replace: true, signal });
  if (input["isOnDisk"] === true) await workspace.folder();
  await failSomeTimes(name, context, () => put(file(`partial-${name}`, ""), file("latest", "partial")));
  await put(file(name, name), file("latest", name));
};
const list: Action["run"] = async (context) => {
  await failSomeTimes("list", context);
  const folder = await context.workspace.folder();
  const names = (await readdir(folder)).toSorted();
  const entries = names.map(async (name) => [name, await readFile(join(folder, name), "utf8")]);
  context.output("files", Object.fromEntries(await Promise.all(entries)));
};
const action = (id: string, run: Action["run"], more: Partial<Action> = {}): Action => ({
  id,
  description: "For tests.",
  supportsDryRun: false,
  input: { type: "object" },
  run,
  ...more,
});

let fixture: BuilderFixture;
let worker: InstantiationWorker;
beforeAll(async () => {
  fixture = await startBuilder({
    idle: true,
    actions: [
      action("test:put", write, { staysInWorkspace: true }),
      action("test:send", write),
      action("test:list", list, { staysInWorkspace: true }),
    ],
  });
  ({ worker } = await fixture.startWorker());
});
afterAll(() => fixture.close());

/** The tasks under way go to another worker, and their actions end later. */
async function changeWorker(): Promise<void> {
  const before = worker;
  ({ worker } = await fixture.startWorker());
  await before.close(0);
}

const outcome = {
  failures: fc.constantFrom(0, 0, 0, 1, 2),
  // Progress is stored every 50 ms.
  pauseMs: fc.constantFrom(0, 0, 60),
};
const step = fc.record({
  ...outcome,
  action: fc.constantFrom("test:put", "test:put", "test:send"),
  isOnDisk: fc.boolean(),
  rounds: fc.constantFrom(0, 0, 0, 2),
  isAlways: fc.constantFrom(false, false, false, true),
});

const nameOf = (index: number): string => `s${index}`;
/** The files of a step with `each`. */
const namesOf = (index: number, rounds: number): string[] =>
  Array.from({ length: rounds }, (_, round) => `${nameOf(index)}-${round}`);

const drawn = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  last: fc.record(outcome),
  /** Each after so many milliseconds. */
  changes: fc.array(fc.record({ afterMs: fc.nat(80), isCancelled: fc.boolean() }), { maxLength: 2 }),
});

it("has the files of a task without failures", async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(drawn, async ({ steps, last, changes }) => {
      const template = `drawn-${(count += 1)}`;
      fixture.addTemplate(template, {
        steps: [
          ...steps.map(({ action: id, rounds, isAlways, ...input }, index) => ({
            id: nameOf(index),
            action: id,
            ...(isAlways && { if: "${{ always() }}" }),
            ...(rounds > 0 && { each: namesOf(index, rounds) }),
            input: { ...input, name: rounds > 0 ? "${{ each.value }}" : nameOf(index) },
          })),
          { id: "list", action: "test:list", input: last },
        ],
        output: { files: "${{ steps.list.output.files }}" },
      });
      const names = steps.flatMap(({ rounds }, index) =>
        rounds > 0 ? namesOf(index, rounds) : [nameOf(index)],
      );
      const id = await fixture.instantiate(template);
      const path = `/api/builder/templates/tasks/${id}`;
      for (const { afterMs, isCancelled } of changes) {
        await setTimeout(afterMs);
        if (isCancelled) await fixture.call({ method: "POST", path: `${path}/cancel` });
        else await changeWorker();
      }
      let task = await ended(id);
      for (let attempt = 0; attempt < 30 && task.status !== "completed"; attempt += 1) {
        expect((await fixture.call({ method: "POST", path: `${path}/retry`, body: {} })).status).toBe(200);
        task = await ended(id);
      }
      const files = Object.fromEntries(names.map((name) => [name, name]));
      expect(task.status).toBe("completed");
      expect(task.output.files).toEqual({ ...files, latest: names.at(-1) });
    }),
    { numRuns: 30 },
  );
});

async function ended(id: string) {
  await fixture.events(id);
  return (await fixture.call({ path: `/api/builder/templates/tasks/${id}`, as: "operator" })).body;
}
