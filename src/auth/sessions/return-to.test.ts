import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { returnPath } from "./return-to.ts";

describe("where a sign-in may lead", () => {
  test.each(["/", "/units", "/units?a=b&c=%2F#x", "/.//evil.example", "/a:b@c", "/%5Cevil"])(
    "to %s",
    (path) => {
      expect(returnPath(path)).toBe(path);
    },
  );

  test.each([
    undefined,
    "",
    "units",
    "//evil",
    "///evil",
    "/\\evil",
    "\\/evil",
    "/a\\..\\..\\evil",
    "https://evil",
    "https:evil",
    "javascript:alert(1)",
    " /units",
    "/\t/evil",
    "/\n/evil",
    "/é",
    `/${"a".repeat(500)}`,
  ])("to / instead of %j", (wanted) => {
    expect(returnPath(wanted)).toBe("/");
  });

  test("always to this server, whatever is wanted", () => {
    const part = fc.constantFrom(
      "/",
      "\\",
      ":",
      "@",
      ".",
      "//",
      "http",
      "evil.example",
      "\t",
      "?",
      "#",
      "%2f",
      "a",
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }).map((parts) => parts.join("")),
        (wanted) => {
          expect(new URL(returnPath(wanted), "https://own.example/deep/page").origin).toBe(
            "https://own.example",
          );
        },
      ),
    );
  });
});
