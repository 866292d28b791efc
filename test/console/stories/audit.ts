import assert from "node:assert/strict";
import type { Story } from "../support/story.ts";

export const story: Story = {
  title: "a record of the audit is found by a filter, which the address keeps, and the chain is verified",
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

    await page.getByRole("tab", { name: "Verification" }).click();
    await page.getByRole("button", { name: "Verify platform" }).click();
    await page.getByRole("status").getByText("Nothing was changed").waitFor();
  },
};
