import { expect, it } from "vitest";
import { watchAttention } from "./attention.ts";

const minuteMs = 60_000;

it.each(["pointerdown", "keydown", "wheel", "click"])(
  "a page has attention for a minute after it was opened and after each %s",
  (sign) => {
    const page = new EventTarget();
    let nowMs = 1_000;
    const hasAttention = watchAttention(page, () => nowMs);
    const after = (ms: number): boolean => {
      nowMs += ms;
      return hasAttention();
    };
    expect([after(0), after(minuteMs - 1), after(1)]).toEqual([true, true, false]);
    page.dispatchEvent(new Event(sign));
    expect([after(minuteMs - 1), after(1)]).toEqual([true, false]);
  },
);

it("what happens to a page by itself is no attention", () => {
  const page = new EventTarget();
  let nowMs = 0;
  const hasAttention = watchAttention(page, () => nowMs);
  nowMs = minuteMs;
  // Logs that follow their end scroll, and what moves below a resting pointer is entered by it.
  for (const type of ["scroll", "pointerover", "pointermove", "focus", "visibilitychange", "online"])
    page.dispatchEvent(new Event(type));
  expect(hasAttention()).toBe(false);
});
