import { describe, expect, it } from "vitest";
import { DatabaseWait, withinDatabaseWait } from "../lib/database-wait.ts";
import { DatabaseTimeout } from "./failures.ts";
import { sharedRead } from "./shared-read.ts";

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
