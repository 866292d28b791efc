import { describe, expect, it } from "vitest";
import { silentLogger, type Logger } from "./logger.ts";
import { createOpened, openTogether } from "./opened.ts";

const never = new Promise<never>(() => undefined);

/** Closers that note their names. */
function recorder() {
  const closed: string[] = [];
  return { closed, closing: (name: string) => () => void closed.push(name) };
}

/** The parts that were logged as not stopping in time, or not cleanly. */
function partsLogged(): { log: Logger; parts: string[] } {
  const parts: string[] = [];
  const error = (fields: object, message: string) =>
    void parts.push(`${String(Reflect.get(fields, "part"))}: ${message}`);
  return { log: { ...silentLogger, error }, parts };
}

describe("closing", () => {
  it("ends what is at work at once, then the rest, the last first", async () => {
    const { closed, closing } = recorder();
    const opened = createOpened({ log: silentLogger });
    for (const name of ["database", "queue"]) opened.add(name, closing(name));
    await opened.open("worker", () => "worker", closing("worker"), { isAtWork: true });
    opened.add("hub", closing("hub"));
    await opened.open("server", () => "server", closing("server"), { isAtWork: true });
    await opened.close();
    expect(closed).toEqual(["worker", "server", "hub", "queue", "database"]);
  });

  it("leaves a part that hangs and names it", async () => {
    const { closed, closing } = recorder();
    const { log, parts } = partsLogged();
    const opened = createOpened({ log });
    opened.add("first", closing("first"));
    opened.add("hanging", () => never);
    opened.add("broken", () => Promise.reject(new Error("no")));
    await opened.close({ partMs: 10 });
    expect(closed).toEqual(["first"]);
    expect(parts).toEqual(["broken: a part did not stop cleanly", "hanging: a part did not stop in time"]);
    expect(opened.underWay()).toEqual(["hanging"]);
  });

  it("keeps to the time for all of them", async () => {
    const { log, parts } = partsLogged();
    const opened = createOpened({ log });
    for (const name of ["one", "two", "three"]) opened.add(name, () => never);
    await opened.close({ totalMs: 20, partMs: 15 });
    expect(parts.map((each) => each.split(":")[0])).toEqual(["three", "two", "one"]);
  });

  it("closes a part that comes when the closing has begun", async () => {
    const { closed, closing } = recorder();
    const opened = createOpened({ log: silentLogger });
    const late = Promise.withResolvers<string>();
    const opening = opened.open("late", () => late.promise, closing("late"));
    opened.add("database", closing("database"));
    const closes = opened.close();
    late.resolve("here");
    await closes;
    await opening;
    expect(closed).toEqual(["database", "late"]);
    await expect(opened.open("more", () => 1, closing("more"))).rejects.toThrow(
      /after the closing had begun/,
    );
  });
});

describe("a signal", () => {
  it("ends the opening at once, and what was being opened is closed when it comes", async () => {
    const { closed, closing } = recorder();
    const stop = new AbortController();
    const opened = createOpened({ log: silentLogger, signal: stop.signal });
    const late = Promise.withResolvers<string>();
    const opening = opened.open("lease", () => late.promise, closing("lease"));
    const waiting = opened.wait("migrations", () => never);
    expect(opened.underWay()).toEqual(["lease", "migrations"]);
    stop.abort(new Error("stopped"));
    await expect(opening).rejects.toThrow("stopped");
    await expect(waiting).rejects.toThrow("stopped");
    await expect(opened.open("next", () => "next", closing("next"))).rejects.toThrow("stopped");
    const closes = opened.close();
    late.resolve("lease");
    await closes;
    expect(closed).toEqual(["lease"]);
  });
});

describe("a part that is opened in several steps", () => {
  it("closes what the others have opened when one fails, those that come later too", async () => {
    const { closed, closing } = recorder();
    const late = Promise.withResolvers<string>();
    const part = openTogether(silentLogger, (opened) =>
      Promise.all([
        opened.open("lease", () => late.promise, closing("lease")),
        opened.open("hub", () => "hub", closing("hub")),
        opened.open("listener", () => Promise.reject(new Error("too many connections")), closing("listener")),
      ]),
    );
    late.resolve("lease");
    await expect(part).rejects.toThrow("too many connections");
    expect(closed.toSorted()).toEqual(["hub", "lease"]);
  });

  it("keeps them when all is well", async () => {
    const { closed, closing } = recorder();
    expect(await openTogether(silentLogger, (opened) => opened.open("hub", () => 7, closing("hub")))).toBe(7);
    expect(closed).toEqual([]);
  });
});
