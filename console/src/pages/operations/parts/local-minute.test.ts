import { expect, test } from "vitest";
import { isoOf, localMinute } from "./local-minute.ts";

test("a time and the text of its field are the same minute", () => {
  expect(isoOf(localMinute("2026-11-28T10:30:45.000Z"))).toBe("2026-11-28T10:30:00.000Z");
  expect(localMinute("no time")).toBe("");
});

test.each(["", "0002-11-28T10:30", "0020-11-28T10:30", "0202-11-28T10:30"])(
  "“%s” is a field that is still being typed",
  (text) => expect(isoOf(text)).toBeNull(),
);
