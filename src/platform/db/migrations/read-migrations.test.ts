import { describe, expect, it } from "vitest";
import { declaredOldest, readMigrations, shownNumber } from "./read-migrations.ts";
import { migrationsFolder } from "./service.ts";

/** The first one that had to say it; those before were applied by programs that did not look. */
const firstToSay = 16;

describe("our migrations", async () => {
  const migrations = await readMigrations(migrationsFolder);

  it.each(migrations.filter(({ number }) => number >= firstToSay))(
    "$name says which programs may run on the schema afterwards",
    ({ number, text }) => {
      const oldest = declaredOldest(text);
      expect(
        oldest,
        "add the header `-- compatible_from: <number>`; docs/decisions has what it means",
      ).not.toBeNull();
      expect(oldest).toBeLessThanOrEqual(number);
    },
  );

  it("rise in their numbers", () => {
    const numbers = migrations.map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers.at(-1)).toBeGreaterThanOrEqual(firstToSay);
  });
});

it.each([
  ["-- compatible_from: 0016\nselect 1;", 16],
  ["-- What it does.\n-- compatible_from: 0002\n", 2],
  ["-- compatible_from: 2.2.0\n", null],
  ["--compatible_from: 0016\n", null],
  ["select 'compatible_from: 0016';\n", null],
  ["", null],
])("the header of %j says %s", (text, expected) => {
  expect(declaredOldest(text)).toBe(expected);
});

it("numbers are shown as files have them", () => {
  expect(shownNumber(7)).toBe("0007");
});
