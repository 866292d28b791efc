import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { settled } from "../support/browser.ts";
import { mockOf } from "../support/seed.ts";
import { signInAt, signOutAt } from "../support/sign-in.ts";
import { startSignInServer } from "../support/sign-in-server.ts";
import type { ConsoleServer } from "../support/server.ts";
import type { Story } from "../support/story.ts";
import { startBody, startPath, unitOf } from "../support/units.ts";

const unit = unitOf("ferry-piers", { mock: { refine: { mode: "async", runningMs: 3_600_000 } } });

export const story: Story = {
  title:
    "a viewer sees all of it and is told who may act; an operator acts, and is told what administrators do",
  async tell({ open }) {
    let role = "viewer";
    const server = await startSignInServer(() => [role]);
    try {
      const planId = await startPlan(server);
      const expected = ["401", "403", "favicon", "fonts.googleapis.com"];
      const page = await open(`${server.url}/units/${encodeURIComponent(unit.id)}`, { expected });
      await signInAt(page, "vera");
      await asViewer(page, planId);
      await signOutAt(page);
      role = "operator";
      await page.goto(`${server.url}/plans/${planId}`);
      await signInAt(page, "otto");
      await asOperator(page);
    } finally {
      await server.close();
    }
  },
};

async function startPlan({ guest, mock }: ConsoleServer): Promise<string> {
  await guest.call("POST", "/api/builder/register", mockOf(mock.url, "development"));
  return guest.call<string>("POST", startPath(unit), startBody(unit));
}

async function asViewer(page: Page, planId: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: "ferry-piers" }).waitFor();
  await page.getByText("Developers and operators may deploy it.").first().waitFor();
  assert.equal(await page.getByRole("link", { name: /^Deploy to/ }).count(), 0);
  await goTo(page, "/provision?from=descriptor");
  await page.getByLabel("Descriptor as JSON or YAML").fill(JSON.stringify(unitOf("gangways")));
  await page.getByText("You may not preview this").waitFor();
  await page.getByText("needs one of these roles: developer, operator").waitFor();
  await goTo(page, `/plans/${planId}`);
  await page
    .getByRole("row", { name: /refine/ })
    .first()
    .waitFor();
  assert.ok(await page.getByRole("button", { name: "Terminate…" }).isDisabled());
  await goTo(page, "/unknown-outcomes");
  await page.getByText("Operators settle them.").waitFor();
  await goTo(page, "/audit");
  await page.getByText("You may not read the audit").waitFor();
  await page.getByText("Open to operators").waitFor();
  await goTo(page, "/units");
}

async function asOperator(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1, name: "Deploy ferry-piers" }).waitFor();
  await page.getByRole("button", { name: "Terminate…" }).click();
  const dialog = page.getByRole("dialog", { name: "Terminate the plan" });
  await dialog.getByLabel("Forced: stop what is at work").check();
  await dialog.getByRole("button", { name: "Terminate" }).click();
  await page.getByText("Terminated", { exact: true }).first().waitFor();
  await goTo(page, "/audit");
  await page
    .getByRole("table", { name: "Records of the audit" })
    .getByText("user:default/otto")
    .first()
    .waitFor();
  await goTo(page, "/tokens?tab=services");
  await page.getByText("Administrators make them").waitFor();
}

/** By its address, as a link of somebody else does. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  await settled(page);
}
