/** What a step made is removed after a failure, unless another attempt goes on with it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Action } from "../../src/builder/actions/action.ts";
import { holdWorkerLease } from "../../src/platform/jobs/worker-lease.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { startBuilder, type BuilderFixture } from "./builder-fixture.ts";
import { eventually } from "../support/eventually.ts";

const happened: string[] = [];
const undone: boolean[] = [];
let fails = true;
let fail: (error: Error) => void = () => {};
/** Lets removals go on. */
let finish: () => void = () => {};

const makes: Action = {
  id: "test:make",
  description: "Makes something, waits, and removes it when it fails.",
  supportsDryRun: false,
  input: { type: "object" },
  async run({ signal, undo }) {
    happened.push("made");
    if (!fails) return;
    try {
      await new Promise<never>((_, reject) => {
        fail = reject;
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
    } catch (error) {
      const work = async (): Promise<void> => {
        happened.push("removing");
        await new Promise<void>((done) => (finish = done));
        happened.push("removed");
      };
      await beforeUndo();
      undone.push(await undo(work));
      throw error;
    }
  },
};

let beforeUndo: () => Promise<void> = async () => {};
let fixture: BuilderFixture;

beforeAll(async () => {
  fixture = await startBuilder({ actions: [makes] });
  fixture.addTemplate("makes", { steps: [{ id: "make", action: "test:make" }] });
});
afterAll(() => fixture.close());

async function start(): Promise<string> {
  happened.length = 0;
  undone.length = 0;
  fails = true;
  beforeUndo = async () => {};
  const id = await fixture.instantiate("makes");
  await eventually("the step", async () => happened.includes("made"));
  return id;
}

const post = (id: string, what: "cancel" | "retry") =>
  fixture.call({ method: "POST", path: `/api/builder/templates/tasks/${id}/${what}` });
const removing = () => eventually("the removal", async () => happened.includes("removing"));
const ended = () => eventually("the end of the attempt", async () => undone.length === 1);
const query = (text: string, ...values: string[]) => fixture.db.database.pool.query(text, values);

it.each<[string, (id: string) => Promise<unknown>]>([
  ["has failed", async () => fail(new Error("no"))],
  ["was cancelled", (id) => post(id, "cancel")],
])("a step that %s removes it, and the next attempt waits for that", async (_case, end) => {
  const id = await start();
  await end(id);
  await removing();
  fails = false;
  if (_case === "was cancelled") {
    expect((await post(id, "retry")).status).toBe(200);
    await eventually("the next attempt", async () => {
      const { rows } = await query(
        "select 1 from events where stream = 'instantiation:' || $1 and data ->> 'message' like 'An earlier attempt %'",
        id,
      );
      return rows.length > 0;
    });
  }
  finish();
  await ended();
  if (_case === "has failed") {
    await fixture.events(id);
    await post(id, "retry");
  }
  await fixture.events(id);
  expect([happened, undone]).toEqual([["made", "removing", "removed", "made"], [true]]);
});

it("a step whose task was tried again meanwhile leaves it", async () => {
  const id = await start();
  beforeUndo = async () => {
    fails = false;
    expect((await post(id, "retry")).status).toBe(200);
  };
  await post(id, "cancel");
  await ended();
  await fixture.events(id);
  expect([happened, undone]).toEqual([["made", "made"], [false]]);
});

it("a step whose task another worker has taken over leaves it", async () => {
  const id = await start();
  // It lives: otherwise the worker of this process could take the task back at once.
  const other = await holdWorkerLease(fixture.db.database, 60_000, silentLogger);
  try {
    await query("update instantiations set fence = fence + 1, worker_id = $2 where id = $1", id, other.id);
    fail(new Error("no"));
    await ended();
    expect([happened, undone]).toEqual([["made"], [false]]);
    await post(id, "cancel");
  } finally {
    await other.close();
  }
});

it("a step whose process stops leaves it", async () => {
  const own = await startBuilder({ actions: [makes], idle: true });
  own.addTemplate("makes", { steps: [{ id: "make", action: "test:make" }] });
  happened.length = 0;
  undone.length = 0;
  fails = true;
  beforeUndo = async () => {};
  const { worker } = await own.startWorker();
  await own.instantiate("makes");
  await eventually("the step", async () => happened.includes("made"));
  await worker.close(0);
  await ended();
  expect([happened, undone]).toEqual([["made"], [false]]);
  await own.close();
});
