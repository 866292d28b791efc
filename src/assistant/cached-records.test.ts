import { expect, test } from "vitest";
import { cacheRecords } from "./cached-records.ts";

/** A store whose looks and loads are counted, and end when the test says so. */
function store() {
  let version = 1;
  let content = "first";
  const counts = { looks: 0, loads: 0 };
  const records = cacheRecords(async () => {
    counts.looks += 1;
    return version;
  });
  const read = (key = "agent"): Promise<string | null> =>
    records.read(key, async () => {
      counts.loads += 1;
      return content === "" ? null : content;
    });
  const change = (to: string): void => {
    content = to;
    version += 1;
  };
  return { read, change, counts };
}

test("what is known is not loaded again until something changes", async () => {
  const { read, change, counts } = store();
  expect([await read(), await read(), await read("other")]).toEqual(["first", "first", "first"]);
  expect(counts.loads).toBe(2);
  change("second");
  expect([await read(), await read()]).toEqual(["second", "second"]);
  expect(counts.loads).toBe(3);
});

test("those who ask at once share a look and a load", async () => {
  const { read, counts } = store();
  const answers = await Promise.all(Array.from({ length: 50 }, () => read()));
  expect(new Set(answers)).toEqual(new Set(["first"]));
  expect(counts).toEqual({ looks: 1, loads: 1 });
});

test("a change is seen by whoever asks after it, though a look is under way", async () => {
  let answerLook = Promise.withResolvers<number>();
  let version = 1;
  const records = cacheRecords(() => answerLook.promise);
  const before = records.read("agent", async () => `as of ${version}`);
  await Promise.resolve();
  const first = answerLook;
  answerLook = Promise.withResolvers();
  version = 2;
  const after = records.read("agent", async () => `as of ${version}`);
  first.resolve(1);
  answerLook.resolve(2);
  await before;
  expect(await after).toBe("as of 2");
});

test("what is missing or fails is asked for again", async () => {
  const { read, change, counts } = store();
  change("");
  expect([await read(), await read()]).toEqual([null, null]);
  expect(counts.loads).toBe(2);
  const records = cacheRecords(async () => 1);
  await expect(records.read("agent", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  expect(await records.read("agent", async () => "there")).toBe("there");
});

test("a look that fails fails those who wait for it, and nobody after them", async () => {
  let isAway = true;
  const records = cacheRecords(async () => {
    if (isAway) throw new Error("away");
    return 1;
  });
  await expect(records.read("agent", async () => "there")).rejects.toThrow("away");
  isAway = false;
  expect(await records.read("agent", async () => "there")).toBe("there");
});
