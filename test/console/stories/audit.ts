import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Story } from "../support/story.ts";

export const story: Story = {
  title:
    "a record of the audit is found by a filter, which the address keeps and dates change by keyboard, and the chain is verified",
  async tell({ server, open }) {
    await server.guest.call("PUT", "/api/auth/v1/service-accounts/audited-bot", { roles: ["viewer"] });
    const page = await open("/audit");
    const table = page.getByRole("table", { name: "Records of the audit" });
    await table.getByRole("row").nth(5).waitFor();
    await page.getByLabel("Did", { exact: true }).fill("putServiceAccount");
    await page.getByLabel("To", { exact: true }).fill("service:default/audited*");
    await page.waitForURL(
      ({ searchParams }) =>
        searchParams.get("action") === "putServiceAccount" &&
        searchParams.get("resource") === "service:default/audited*",
    );

    await page.reload();
    await table.getByRole("row").nth(1).waitFor();
    assert.equal(await table.getByRole("row").count(), 2);
    await table.getByRole("link", { name: "Put service account" }).click();
    const details = page.getByRole("dialog", { name: "putServiceAccount" });
    await details.getByText("user:default/guest", { exact: true }).waitFor();
    await details.getByRole("button", { name: "Close" }).click();

    await changeTimeByKeyboard(page);
    await page.getByRole("tab", { name: "Verification" }).click();
    await page.getByRole("button", { name: "Verify platform" }).click();
    await page.getByRole("status").getByText("Nothing was changed").waitFor();
  },
};

/** A day, a month and a year in place of those in the field, slowly and key by key: only whole times are filters. */
async function changeTimeByKeyboard(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto(new URL("/audit?from=2026-11-28T10:30:00.000Z", page.url()).href);
  const from = page.getByLabel("From", { exact: true });
  await from.waitFor();
  const filters: string[] = [];
  page.on("framenavigated", (frame) => filters.push(new URL(frame.url()).searchParams.get("from") ?? "none"));
  await from.focus();
  for (const key of ["0", "9", "0", "9", "2", "0", "2", "5"]) {
    await page.keyboard.press(key);
    await page.clock.runFor(1000);
  }
  assert.equal(await from.inputValue(), "2025-09-09T10:30");
  await page.waitForURL(({ searchParams }) => searchParams.get("from") === "2025-09-09T10:30:00.000Z");
  assert.deepEqual(
    filters.filter((time) => !time.startsWith("20")),
    [],
    "a time that was typed in part was a filter",
  );
  await page.getByRole("button", { name: "Clear" }).click();
  await page.waitForURL(({ searchParams }) => !searchParams.has("from"));
  assert.equal(await from.inputValue(), "");
}
