import { afterEach, describe, expect, test } from "vitest";
import { doubtSession, keepCaller, sessionReturns, sessionState } from "./session-state.ts";

afterEach(() => sessionState.set("present"));

interface Answer {
  caller: { ref: string } | null;
  version: string;
}

const ada: Answer = { caller: { ref: "user:default/ada" }, version: "1" };
const bea: Answer = { caller: { ref: "user:default/bea" }, version: "1" };
const nobody: Answer = { caller: null, version: "2" };

describe("the caller of a page", () => {
  test("is nobody until somebody has signed in", () => {
    expect(keepCaller(undefined, nobody)).toBe(nobody);
    expect(keepCaller(nobody, ada)).toBe(ada);
    expect(sessionState.get()).toBe("present");
  });

  test("stays when the session has ended", () => {
    expect(keepCaller(ada, nobody)).toBe(ada);
    expect(sessionState.get()).toBe("ended");
  });

  test("has the roles of the newest answer", () => {
    const again = { ...ada, version: "3" };
    expect(keepCaller(ada, again)).toBe(again);
    expect(sessionState.get()).toBe("present");
  });

  test("does not become somebody else", () => {
    expect(keepCaller(ada, bea)).toBe(ada);
    expect(sessionState.get()).toBe("doubtful");
  });
});

describe("who waits for the session", () => {
  test("goes on when it had ended and is back", async () => {
    doubtSession();
    const returned = sessionReturns(new AbortController().signal);
    sessionState.set("ended");
    doubtSession();
    sessionState.set("present");
    expect(await returned).toBe(true);
  });

  test("does not go on after a doubt that was none", async () => {
    doubtSession();
    const returned = sessionReturns(new AbortController().signal);
    sessionState.set("present");
    expect(await returned).toBe(false);
  });

  test("does not wait any longer when it is told to stop", async () => {
    doubtSession();
    const stop = new AbortController();
    const returned = sessionReturns(stop.signal);
    stop.abort();
    expect(await returned).toBe(false);
  });
});
