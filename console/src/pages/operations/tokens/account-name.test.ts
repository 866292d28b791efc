import { expect, test } from "vitest";
import { nameFault } from "./account-name.ts";

const known = [{ name: "loader" }, { name: "Report.nightly" }];

test.each(["", " ", "loaders", "a", "9.x_y-z", "a".repeat(63), " new "])(
  "%j may be the name of a new service account",
  (name) => expect(nameFault(name, known)).toBeNull(),
);

test.each(["loader", " loader ", "Report.nightly"])("%j is taken", (name) => {
  expect(nameFault(name, known)).toMatch(/already/);
});

test.each([".x", "-x", "two words", "ä", "a/b", "a".repeat(64)])("%j is no name", (name) => {
  expect(nameFault(name, known)).toMatch(/letters/);
});
