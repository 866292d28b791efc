import { expect, it } from "vitest";
import { silentLogger } from "../lib/logger.ts";
import {
  createDrivenWorks,
  type ClaimedWork,
  type DrivenWork,
  type DrivenWorkOptions,
} from "./driven-work.ts";

interface Work extends ClaimedWork {
  owner?: string;
}

/** Driven work of which a test says how it goes on. */
interface FakeDrive extends DrivenWork {
  end: (how: "over" | "unfinished") => void;
  fail: (error: Error) => void;
  seen: string[];
}

function stage(more: Partial<DrivenWorkOptions<Work, FakeDrive>> = {}) {
  const driven = new Map<string, FakeDrive>();
  const released: string[] = [];
  const logged: unknown[] = [];
  const works = createDrivenWorks<Work, FakeDrive>({
    log: { ...silentLogger, error: (fields: unknown) => void logged.push(fields) },
    name: "a work",
    idField: "workId",
    parallel: 2,
    drive({ id }) {
      const { promise: done, resolve: end, reject: fail } = Promise.withResolvers<"over" | "unfinished">();
      const seen: string[] = [];
      const handle = {
        done,
        end,
        fail,
        seen,
        handOver: () => void seen.push("hand over"),
        halt: () => void seen.push("halt"),
      };
      driven.set(id, handle);
      return handle;
    },
    release: async ({ id, fence }, error) =>
      void released.push(`${id}@${fence}${error instanceof Error ? ` ${error.message}` : ""}`),
    async control(asked) {
      for (const handle of asked.values()) handle.seen.push("control");
    },
    ...more,
  });
  const take = (id: string, owner?: string) =>
    works.take(id, async () => ({ id, fence: 1, ...(owner !== undefined && { owner }) }), owner);
  return { works, driven, released, logged, take, of: (id: string) => driven.get(id)! };
}

it("drives what is claimed until it is over, and claims nothing twice", async () => {
  let ended = 0;
  const { works, driven, released, take, of } = stage({ onOver: () => ended++ });
  await take("a");
  await works.take("a", () => expect.unreachable());
  await works.take("b", async () => null);
  expect([works.ids(), works.count(), works.capacity(), driven.size]).toEqual([["a"], 1, 1, 1]);
  of("a").end("over");
  await expect.poll(() => works.count()).toBe(0);
  expect([released, ended]).toEqual([[], 1]);
});

it("the end of an old drive leaves the place of the drive that has replaced it", async () => {
  const { works, driven, of } = stage({ parallelPerOwner: 1, ownerOf: ({ owner = "" }) => owner });
  const takeOpen = (fence: number) => works.takeAll(async () => [{ id: "a", fence, owner: "ada" }]);
  await takeOpen(1);
  const old = of("a");
  await takeOpen(2);
  old.end("over");
  await old.done;
  await works.take("b", async () => null);
  expect([works.ids(), works.driven(), works.capacityOfOwners().full]).toEqual([["a"], [of("a")], ["ada"]]);
  await works.take("a", () => expect.unreachable());
  of("a").end("over");
  await expect.poll(() => [works.count(), works.capacityOfOwners().full]).toEqual([0, []]);
  expect(driven.size).toBe(1);
});

it("a claim that fails leaves its place to others", async () => {
  const { works } = stage();
  await expect(works.take("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(works.count()).toBe(0);
});

it("releases what is unfinished, and what failed, which is logged", async () => {
  let ended = 0;
  const { works, released, logged, take, of } = stage({ onOver: () => ended++ });
  await take("a");
  await take("b");
  of("a").end("unfinished");
  of("b").fail(new Error("defect"));
  await expect.poll(() => works.count()).toBe(0);
  expect(released.toSorted()).toEqual(["a@1", "b@1 defect"]);
  expect(logged).toEqual([{ workId: "b", reason: expect.stringContaining("defect") }]);
  expect(ended).toBe(0);
});

it("a work counts until its release has been written", async () => {
  let failures = 1;
  const { works, take, of } = stage({
    async release() {
      if (failures-- > 0) throw new Error("away");
    },
  });
  await take("a");
  of("a").end("unfinished");
  await expect.poll(() => failures).toBe(0);
  expect(works.ids()).toEqual(["a"]);
  await expect.poll(() => failures).toBe(-1);
  await expect.poll(() => works.ids()).toEqual([]);
});

it("whoever waits for capacity gets the next place, in order", async () => {
  const { works, take, of } = stage();
  await take("a");
  await take("b");
  expect(works.capacity()).toBe(0);
  const order: string[] = [];
  const waiting = ["c", "d"].map(async (id) => {
    await works.untilCapacity();
    order.push(id);
    await take(id);
  });
  of("a").end("over");
  await expect.poll(() => order).toEqual(["c"]);
  of("b").end("over");
  await Promise.all(waiting);
  expect(works.ids()).toEqual(["c", "d"]);
});

it("one owner gets no more than the limit, claims under way included", async () => {
  const { works, take, of } = stage({
    parallel: 5,
    parallelPerOwner: 2,
    ownerOf: ({ owner = "" }) => owner,
  });
  await take("a", "ada");
  const claim = Promise.withResolvers<Work>();
  const claiming = works.take("b", () => claim.promise, "ada");
  expect(works.capacityOfOwners()).toEqual({ limit: 2, full: ["ada"] });
  claim.resolve({ id: "b", fence: 1, owner: "ada" });
  await claiming;
  expect(works.capacityOfOwners()).toEqual({ limit: 2, full: ["ada"] });
  of("b").end("over");
  await expect.poll(() => works.capacityOfOwners()).toEqual({ limit: 1, full: [] });
});

it.each([["a"], [null]])("passes on a notice for %s that comes during the claim", async (noticed) => {
  const { works, of } = stage();
  const claim = Promise.withResolvers<Work[]>();
  const claiming = works.takeAll(() => claim.promise);
  await works.notice(noticed);
  claim.resolve([
    { id: "a", fence: 1 },
    { id: "b", fence: 1 },
  ]);
  expect(await claiming).toBe(2);
  expect([of("a").seen, of("b").seen]).toEqual([["control"], noticed === null ? ["control"] : []]);
});

it("passes on a notice for what it drives, and none for other work", async () => {
  const { works, take, of } = stage();
  await take("a");
  await works.notice("b");
  expect(of("a").seen).toEqual([]);
  await works.notice("a");
  await works.notice(null);
  expect(of("a").seen).toEqual(["control", "control"]);
});

it("hands everything over at a stop, and halts what takes longer than the grace", async () => {
  const { works, released, take, of } = stage();
  await take("quick");
  await take("slow");
  const closing = works.close(1);
  expect([of("quick").seen, of("slow").seen]).toEqual([["hand over"], ["hand over"]]);
  of("quick").end("over");
  await expect.poll(() => of("slow").seen).toEqual(["hand over", "halt"]);
  of("slow").end("unfinished");
  await closing;
  expect([released, works.count()]).toEqual([["slow@1"], 0]);
});

it("work that is claimed when the stop has begun is released at once, and nothing more is claimed", async () => {
  const { works, driven, released, take } = stage();
  const claim = Promise.withResolvers<Work>();
  const claiming = works.take("a", () => claim.promise);
  const waiting = works.untilCapacity();
  const closing = works.close(60_000);
  claim.resolve({ id: "a", fence: 7 });
  await Promise.all([claiming, closing, waiting]);
  await take("b");
  expect(await works.takeAll(() => expect.unreachable())).toBe(0);
  expect([driven.size, released]).toEqual([0, ["a@7"]]);
});
