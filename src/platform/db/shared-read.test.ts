import { describe, expect, it } from "vitest";
import { DatabaseWait } from "../lib/database-wait.ts";
import { withinDatabaseWait } from "../lib/request-scope.ts";
import { DatabaseTimeout } from "./failures.ts";
import { batchedRead, sharedRead } from "./shared-read.ts";

/** Statements that end when the test says so. */
const startStage = () => {
  const begun: PromiseWithResolvers<string>[] = [];
  const read = sharedRead(() => {
    const one = Promise.withResolvers<string>();
    begun.push(one);
    return one.promise;
  });
  return { begun, read };
};

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

describe("a read that is shared", () => {
  it("is one statement for all who ask before it begins, and the next for all who ask while it is under way", async () => {
    const { begun, read } = startStage();
    const first = [read(), read()];
    await settled();
    const later = [read(), read(), read()];
    await settled();
    expect(begun).toHaveLength(1);
    begun[0]?.resolve("before");
    expect(await Promise.all(first)).toEqual(["before", "before"]);
    await settled();
    begun[1]?.resolve("after");
    expect(await Promise.all(later)).toEqual(["after", "after", "after"]);
    expect(begun).toHaveLength(2);
  });

  it("fails for those who share it, and for nobody after them", async () => {
    const { begun, read } = startStage();
    const first = [read(), read()];
    await settled();
    const later = read();
    begun[0]?.reject(new Error("refused"));
    expect((await Promise.allSettled(first)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await settled();
    begun[1]?.resolve("after");
    expect(await later).toBe("after");
  });

  it("goes on for the others when the time of one who asked is over", async () => {
    const { begun, read } = startStage();
    const inHaste = withinDatabaseWait(new DatabaseWait(1), () => read());
    const patient = withinDatabaseWait(new DatabaseWait(60_000), () => read());
    await expect(inHaste).rejects.toThrow(DatabaseTimeout);
    begun[0]?.resolve("found");
    expect(await patient).toBe("found");
    expect(begun).toHaveLength(1);
  });
});

describe("reads of different things", () => {
  interface Begun {
    keys: readonly string[];
    query: PromiseWithResolvers<string[]>;
  }
  const startBatches = (most = 3) => {
    const begun: Begun[] = [];
    const read = batchedRead(
      (keys: readonly string[]) => {
        const query = Promise.withResolvers<string[]>();
        begun.push({ keys, query });
        return query.promise;
      },
      { most },
    );
    /** Ends the last query. */
    const answer = async (): Promise<void> => {
      const { keys, query } = begun.at(-1)!;
      query.resolve(keys.map((key) => `found ${key}`));
      await settled();
    };
    return { begun, read, answer };
  };
  const keysOf = (begun: Begun[]): string[] => begun.map(({ keys }) => keys.join(" "));

  it("that are asked for while a query runs are in the next one, and everyone gets their own", async () => {
    const { begun, read, answer } = startBatches(5);
    const first = [read("a"), read("b")];
    await settled();
    const later = ["c", "d", "c", "e"].map((key) => read(key));
    await answer();
    await answer();
    expect(keysOf(begun)).toEqual(["a b", "c d c e"]);
    expect(await Promise.all([...first, ...later])).toEqual(
      ["a", "b", "c", "d", "c", "e"].map((key) => `found ${key}`),
    );
    const last = read("f");
    await settled();
    await answer();
    expect(await last).toBe("found f");
  });

  it("have a query more for each so many that wait", async () => {
    const { begun, read } = startBatches(2);
    const asked = ["a", "b", "c", "d", "e"].map((key) => read(key));
    await settled();
    const later = read("f");
    await settled();
    expect(keysOf(begun)).toEqual(["a b", "c d", "e f"]);
    for (const { keys, query } of begun) query.resolve(keys.map((key) => `found ${key}`));
    expect(await Promise.all([...asked, later])).toEqual(
      ["a", "b", "c", "d", "e", "f"].map((key) => `found ${key}`),
    );
  });

  it("are each made alone where the database refuses them together, and only the one at fault fails", async () => {
    const { begun, read } = startBatches();
    const asked = Promise.allSettled([read("good"), read("bad"), read("better")]);
    await settled();
    const refusal = new Error("value out of range");
    begun[0]?.query.reject(refusal);
    for (const result of [["1"], refusal, ["3"]]) {
      await settled();
      if (result instanceof Error) begun.at(-1)?.query.reject(result);
      else begun.at(-1)?.query.resolve(result);
    }
    expect(await asked).toEqual([
      { status: "fulfilled", value: "1" },
      { status: "rejected", reason: refusal },
      { status: "fulfilled", value: "3" },
    ]);
    expect(keysOf(begun)).toEqual(["good bad better", "good", "bad", "better"]);
  });

  it("fail together while the database is away, and the next ones are made", async () => {
    const { begun, read, answer } = startBatches();
    const asked = Promise.allSettled([read("a"), read("b")]);
    await settled();
    begun[0]?.query.reject(new DatabaseTimeout());
    expect((await asked).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const next = read("c");
    await settled();
    await answer();
    expect(await next).toBe("found c");
    expect(keysOf(begun)).toEqual(["a b", "c"]);
  });

  it("go on for the others when the time of one who asked is over", async () => {
    const { read, answer } = startBatches();
    const inHaste = withinDatabaseWait(new DatabaseWait(1), () => read("a"));
    const patient = withinDatabaseWait(new DatabaseWait(60_000), () => read("b"));
    await expect(inHaste).rejects.toThrow(DatabaseTimeout);
    await answer();
    expect(await patient).toBe("found b");
  });
});
