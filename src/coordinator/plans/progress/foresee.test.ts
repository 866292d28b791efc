import { expect, it } from "vitest";
import type { TaskAction } from "../../execution/types.ts";
import { foresee, type TerminableTask } from "./foresee.ts";

const task = (action: TaskAction, more: Partial<TerminableTask> = {}): TerminableTask => ({
  taskId: action.toLowerCase(),
  action,
  componentId: "hull",
  status: "RUNNING",
  hasToken: false,
  mayHaveActed: true,
  ...more,
});
const begun = { terminateMode: null, hasBegun: true };

it.each<[string, TerminableTask, string, boolean]>([
  ["a call under way", task("PROVISION"), "ABORTED", true],
  ["a call that is repeated later", task("PROVISION", { mayHaveActed: false }), "ABORTED", false],
  ["accepted work", task("UNPROVISION", { hasToken: true }), "STOPPED", true],
  ["an accepted change of access", task("UPDATE_ACL", { hasToken: true }), "STOPPED", false],
  ["an accepted validation", task("VALIDATE_COMPONENT", { hasToken: true }), "ABORTED", false],
  ["an evaluation of policies", task("POLICY_VALIDATE_COMPONENT"), "ABORTED", false],
  ["a notice", task("PUBLISH"), "ABORTED", false],
  [
    "work that is stopped already",
    task("PROVISION", { hasToken: true, status: "TERMINATING" }),
    "STOPPED",
    true,
  ],
  ["a task that has not begun", task("PROVISION", { status: "WAITING" }), "NEVER_BEGUN", false],
])("a forced one ends %s", (_what, own, effect, mayCorrupt) => {
  const found = foresee(begun, [own], "forced");
  expect(found.tasks.map((each) => each.effect)).toEqual([effect]);
  expect(found.mayBecomeCorrupt).toEqual(mayCorrupt ? ["hull"] : []);
  expect(found.untouched).toEqual(effect === "NEVER_BEGUN" ? ["hull"] : []);
});

it("a safe one lets finish what is at work", () => {
  const found = foresee(
    begun,
    [
      task("PROVISION"),
      task("PROVISION", { status: "WAITING", componentId: "mast" }),
      task("UNPROVISION", { status: "COMPLETED" }),
    ],
    "safe",
  );
  expect(found).toMatchObject({
    summary: "1 task at work will finish; 1 task will not begin.",
    tasks: [{ effect: "FINISHES" }, { effect: "NEVER_BEGUN" }],
    mayBecomeCorrupt: [],
    untouched: ["mast"],
  });
});

it("a safe one after a forced one stays forced", () => {
  const asked = { terminateMode: "forced", hasBegun: true } as const;
  expect(foresee(asked, [task("PROVISION", { hasToken: true })], "safe").mayBecomeCorrupt).toEqual(["hull"]);
});

it("either ends a plan that has not begun without a call", () => {
  const found = foresee(
    { terminateMode: null, hasBegun: false },
    [task("PROVISION", { status: "WAITING" })],
    "forced",
  );
  expect(found.summary).toBe("The plan ends without having begun: no adapter has been called.");
});
