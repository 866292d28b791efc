import { expect, test } from "vitest";
import { contextOf, contextText, withoutPanel } from "./page-context.ts";

test.each([
  ["/units", { page: "Units", path: "/units", environment: "development" }, "Units"],
  [
    "/units/urn%3Admb%3Adp%3Asea%3Aships%3A0?tab=history&env=production",
    {
      page: "Unit",
      path: "/units/urn%3Admb%3Adp%3Asea%3Aships%3A0?tab=history&env=production",
      unit: "urn:dmb:dp:sea:ships:0",
      environment: "production",
    },
    "Unit ships",
  ],
  [
    "/plans/7c9e6679-7425?task=a&task=b",
    {
      page: "Plan",
      path: "/plans/7c9e6679-7425?task=a&task=b",
      plan: "7c9e6679-7425",
      environment: "development",
      selection: ["a", "b"],
    },
    "Plan 7c9e6679",
  ],
  [
    "/hooks/h1",
    { page: "Approval", path: "/hooks/h1", environment: "development", selection: ["h1"] },
    "Approval h1",
  ],
])("%s", (path, context, text) => {
  const found = contextOf(path, "development");
  expect(found).toEqual(context);
  expect(found && contextText(found)).toBe(text);
});

test.each([
  ["", ""],
  ["?assistant=new", ""],
  ["?env=production&assistant=s1&tab=history", "?env=production&tab=history"],
  // A parameter of pages on which one asks for access.
  ["?ask=GRANT&assistant=new", "?ask=GRANT"],
])("the page of %j without the assistant beside it is %j", (searchStr, without) => {
  expect(withoutPanel(searchStr)).toBe(without);
});

test("pages of the assistant and unknown ones say nothing; a broken address is no error", () => {
  expect(contextOf("/assistant/approvals", "development")).toBeNull();
  expect(contextOf("/nothing", "development")).toBeNull();
  expect(contextOf("/units/%E0%A4%A", "development")).toMatchObject({ unit: "%E0%A4%A" });
});

test("keeps to the lengths that the interface takes", () => {
  const long = contextOf(`/plans/${"x".repeat(3000)}?${"task=t&".repeat(300)}`, "e".repeat(500));
  expect(long?.path).toHaveLength(2048);
  expect(long?.plan).toHaveLength(256);
  expect(long?.environment).toHaveLength(128);
  expect(long?.selection).toHaveLength(100);
});
