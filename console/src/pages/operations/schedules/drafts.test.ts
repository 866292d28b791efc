import { expect, test } from "vitest";
import {
  addWindow,
  beginEdit,
  changeWindow,
  withTheirs,
  overTheirs,
  removeWindow,
  windowsOf,
  type Stored,
} from "./drafts.ts";

const freeze = (name: string) => ({
  name,
  kind: "freeze" as const,
  cron: "0 18 * * fri",
  durationMinutes: 60,
});
const stored: Stored = { version: 3, windows: [freeze("a"), freeze("b")], updatedBy: "user:default/ada" };
const theirs: Stored = { version: 4, windows: [freeze("a"), freeze("theirs")], updatedBy: "user:default/bo" };

const mine = () => {
  const added = addWindow(beginEdit(stored), freeze("mine"));
  return removeWindow(changeWindow(added, 0, freeze("a changed")), 1);
};

test("windows are added, changed and removed by keys of their own", () => {
  expect(windowsOf(mine()).map(({ name }) => name)).toEqual(["a changed", "mine"]);
  const further = addWindow(mine(), freeze("further"));
  expect(further.drafts.map(({ key }) => key)).toEqual([0, 2, 3]);
  expect(addWindow(beginEdit({ ...stored, windows: [] }), freeze("first")).drafts[0]?.key).toBe(0);
});

test("a version of somebody else is shown beside the drafts, which stay", () => {
  const met = withTheirs(mine(), theirs);
  expect(windowsOf(met).map(({ name }) => name)).toEqual(["a changed", "mine"]);
  expect([met.version, met.theirs]).toEqual([3, theirs]);
  // Whoever goes on writing is still asked.
  expect(addWindow(met, freeze("more")).theirs).toEqual(theirs);
});

test("saving over it saves the drafts on that version", () => {
  const over = overTheirs(withTheirs(mine(), theirs));
  expect(windowsOf(over).map(({ name }) => name)).toEqual(["a changed", "mine"]);
  expect([over.version, over.theirs]).toEqual([4, null]);
});
