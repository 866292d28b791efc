/** What a retry begins with, and what a worker that takes a task over while it cleans up. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Action } from "../../src/builder/actions/action.ts";
import { startBuilder, type BuilderFixture } from "./builder-fixture.ts";
import { eventually } from "../support/eventually.ts";

const runs: string[] = [];
let isBroken = true;
let release: () => void = () => {};

const action = (id: string, run: Action["run"]): Action => ({
  id,
  description: "For tests.",
  supportsDryRun: false,
  input: { type: "object" },
  run,
});

const writes = action("test:write", async ({ input, workspace, stepId }) => {
  const name = (input["name"] as string | undefined) ?? stepId;
  runs.push(name);
  await writeFile(join(await workspace.folder(), name), "");
});
const publishes = action("test:publish", async ({ workspace, output }) => {
  if (isBroken) throw new Error("502");
  output("files", (await readdir(await workspace.folder())).toSorted());
});
const holds = action("test:hold", async ({ stepId, signal }) => {
  runs.push(stepId);
  await new Promise<void>((done, fail) => {
    release = done;
    signal.addEventListener("abort", () => fail(new Error("aborted")), { once: true });
  });
});

let fixture: BuilderFixture;

beforeAll(async () => {
  fixture = await startBuilder({ actions: [writes, publishes, holds] });
});
afterAll(() => fixture.close());

const task = async (id: string) =>
  (await fixture.call({ path: `/api/builder/templates/tasks/${id}`, as: "operator" })).body;

async function retry(id: string): Promise<void> {
  const path = `/api/builder/templates/tasks/${id}/retry`;
  expect((await fixture.call({ method: "POST", path, body: {} })).status).toBe(200);
}

const afterFailure = (...steps: object[]) => ({
  steps: [
    { id: "a", action: "test:write" },
    { id: "b", action: "test:write" },
    { id: "publish", action: "test:publish" },
    ...steps,
  ],
  output: { files: "${{ steps.publish.output.files }}" },
});

it("a retry has the files of before the step that failed, and repeats the rounds of later steps", async () => {
  fixture.addTemplate(
    "cleans",
    afterFailure(
      { id: "clean", action: "fs:delete", if: "${{ failure() }}", input: { files: ["a"] } },
      {
        id: "rounds",
        action: "test:write",
        if: "${{ always() }}",
        each: ["x", "y"],
        input: { name: "${{ each.value }}" },
      },
    ),
  );
  runs.length = 0;
  isBroken = true;
  const id = await fixture.instantiate("cleans");
  expect((await fixture.events(id)).at(-1)?.data.status).toBe("failed");
  expect(runs).toEqual(["a", "b", "x", "y"]);
  isBroken = false;
  await retry(id);
  await fixture.events(id);
  expect(await task(id)).toMatchObject({ status: "completed", output: { files: ["a", "b"] } });
  expect(runs).toEqual(["a", "b", "x", "y", "x", "y"]);
});

it("a worker that takes the task over while it cleans up repeats no step, and a retry has the same files", async () => {
  fixture.addTemplate(
    "cleans-slowly",
    afterFailure(
      { id: "clean", action: "test:write", if: "${{ always() }}" },
      { id: "held", action: "test:hold", if: "${{ failure() }}" },
    ),
  );
  runs.length = 0;
  isBroken = true;
  const id = await fixture.instantiate("cleans-slowly");
  await eventually("the last step", async () => runs.includes("held"));
  await fixture.db.database.pool.query(
    "update instantiations set worker_id = gen_random_uuid() where id = $1",
    [id],
  );
  const { worker } = await fixture.startWorker();
  await eventually("the other worker", async () => runs.filter((run) => run === "held").length === 2);
  release();
  expect((await fixture.events(id)).at(-1)?.data.status).toBe("failed");
  expect(runs).toEqual(["a", "b", "clean", "held", "held"]);
  isBroken = false;
  await retry(id);
  await fixture.events(id);
  expect(await task(id)).toMatchObject({ status: "completed", output: { files: ["a", "b"] } });
  await worker.close(0);
});

it("a task may be tried again as often as somebody wants", async () => {
  fixture.addTemplate("often", afterFailure());
  isBroken = true;
  const id = await fixture.instantiate("often");
  const messages = new Set<string>();
  for (let attempt = 0; attempt < 30; attempt += 1) {
    messages.add((await fixture.events(id)).at(-1)?.data.error.message);
    isBroken = attempt < 29;
    await retry(id);
  }
  expect([...messages]).toEqual([expect.stringContaining("failed unexpectedly")]);
  await fixture.events(id);
  expect(await task(id)).toMatchObject({ status: "completed", output: { files: ["a", "b"] } });
});

it("a retry has the files of a step that was not yet recorded when the last one failed", async () => {
  const entity = {
    apiVersion: "backstage.io/v1alpha1",
    kind: "Component",
    metadata: { name: "written" },
  };
  fixture.addTemplate("fails-at-once", {
    steps: [
      { id: "write", action: "catalog:write", input: { entity } },
      { id: "publish", action: "test:publish" },
    ],
    output: { files: "${{ steps.publish.output.files }}" },
  });
  isBroken = true;
  const id = await fixture.instantiate("fails-at-once");
  expect((await fixture.events(id)).at(-1)?.data.status).toBe("failed");
  isBroken = false;
  await retry(id);
  await fixture.events(id);
  expect(await task(id)).toMatchObject({ status: "completed", output: { files: ["catalog-info.yaml"] } });
});
