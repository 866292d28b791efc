/** One user's tasks do not keep all others waiting. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Action } from "../../src/builder/actions/action.ts";
import { startBuilder, type BuilderFixture } from "./builder-fixture.ts";
import { eventually } from "../support/eventually.ts";

const begun: string[] = [];
const gates = new Map<string, () => void>();

const holds: Action = {
  id: "test:hold",
  description: "Waits until the test lets it go.",
  supportsDryRun: false,
  input: { type: "object" },
  run: ({ input, signal }) =>
    new Promise((done, fail) => {
      const name = String(input["name"]);
      begun.push(name);
      gates.set(name, done);
      signal.addEventListener("abort", () => fail(new Error("aborted")), { once: true });
    }),
};

let fixture: BuilderFixture;

beforeAll(async () => {
  fixture = await startBuilder({ actions: [holds], limits: { parallel: 4, parallelPerUser: 2 } });
  fixture.addTemplate("holds", {
    parameters: { properties: { name: { type: "string" } } },
    steps: [{ id: "hold", action: "test:hold", each: [1], input: { name: "${{ parameters.name }}" } }],
  });
});
afterAll(async () => {
  for (const open of gates.values()) open();
  await fixture.close();
});

async function start(name: string, as: string): Promise<string> {
  const body = { templateRef: "holds", values: { name } };
  const { status, body: answer } = await fixture.call({
    method: "POST",
    path: "/api/builder/templates/instantiate",
    body,
    as,
  });
  expect(status).toBe(200);
  return answer.id;
}

const task = async (id: string) =>
  (await fixture.call({ path: `/api/builder/templates/tasks/${id}`, as: "operator" })).body;

it("who has enough under way waits, visibly, and goes on as soon as one of them ends", async () => {
  const ids: string[] = [];
  for (const name of ["ada-1", "ada-2", "ada-3", "ada-4"]) ids.push(await start(name, "developer:ada"));
  await eventually("two of them", async () => begun.length === 2);
  await start("bob-1", "developer:bob");
  await eventually("somebody else's", async () => begun.includes("bob-1"));
  expect(begun.toSorted()).toEqual(["ada-1", "ada-2", "bob-1"]);
  expect(await task(ids[2]!)).toMatchObject({
    status: "open",
    waiting: "user:default/ada has 2 tasks under way, and all workers together take 2 of one user at a time.",
  });
  gates.get("ada-1")?.();
  await eventually("the next", async () => begun.length === 4);
  expect(begun.at(-1)).toBe("ada-3");
  // One that is cancelled while it waits for its turn lets the one behind it go on.
  const path = `/api/builder/templates/tasks/${ids[1]!}/cancel`;
  expect((await fixture.call({ method: "POST", path, as: "developer:ada" })).status).toBe(200);
  await eventually("the last", async () => begun.includes("ada-4"));
  for (const open of gates.values()) open();
  for (const id of [ids[0]!, ids[2]!, ids[3]!]) {
    await eventually("its end", async () => (await task(id)).status === "completed");
  }
});
