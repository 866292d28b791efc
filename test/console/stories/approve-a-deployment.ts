import { askToDeployAgain, warnOfMissingContacts } from "../support/seed-approvals.ts";
import type { Story } from "../support/story.ts";

export const story: Story = {
  title:
    "a deployment that waits is found, read with its diff and policy results, and approved with a reason",
  async tell({ open, server }) {
    const { guest } = server;
    await warnOfMissingContacts(server, "bus-stops");
    const hookId = await askToDeployAgain(server, "bus-stops");
    const { about } = await guest.call("GET", `/api/builder/hooks/${hookId}`);

    const page = await open("/waiting");
    await page.getByRole("group", { name: "Kinds" }).getByText("Approvals").click();
    await page.waitForURL(({ search }) => /kind=/.test(search));
    const item = page
      .getByRole("list", { name: "What waits" })
      .getByRole("listitem")
      .filter({ hasText: "Deploy bus-stops in production" });
    await item.getByText("can act: operators").waitFor();
    await item.getByRole("link", { name: "Review" }).click();

    await page.getByRole("heading", { level: 1, name: "Deploy bus-stops in production" }).waitFor();
    await page
      .getByRole("table", { name: "Changes" })
      .getByRole("row", { name: /refine/ })
      .waitFor();
    const policies = page.getByRole("region", { name: "What the policies say" });
    await policies.getByText("Nobody is named as a contact.").waitFor();
    await policies.getByText("Add contact with an address").waitFor();
    const diff = page.getByRole("region", { name: "What changes in the descriptor" });
    await diff.getByRole("button", { name: /^raw 1\.0\.0 → 1\.1\.0/ }).click();
    await page.getByRole("textbox", { name: "Changes of raw, after" }).getByText("format: parquet").waitFor();

    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByText("Say why: service:default/ada reads it.").waitFor();
    await page.getByLabel("Reason").fill("The contact follows next week.");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Approved by user guest").waitFor();
    await page.getByText("The contact follows next week.").waitFor();
    await page.getByRole("link", { name: about.planId.slice(0, 8) }).click();
    await page.getByText("Completed", { exact: true }).first().waitFor();
  },
};
