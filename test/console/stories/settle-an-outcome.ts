import { provision } from "../support/seed.ts";
import type { Story } from "../support/story.ts";
import { unitOf } from "../support/units.ts";

export const story: Story = {
  title: "a call whose outcome nobody knows is settled where the failure is explained",
  async tell({ open, server }) {
    const lost = { operations: { provision: { odd: { start: { name: "reset-after", times: 99 } } } } };
    const unit = unitOf("lock-gates", { mock: { refine: lost } });
    const planId = await provision(server.guest, unit, "FAILED");
    const page = await open("/unknown-outcomes");
    const outcomes = page.getByRole("table", { name: "Unknown outcomes" });
    await outcomes
      .getByRole("row", { name: /lock-gates/ })
      .getByRole("link")
      .click();
    await page.waitForURL(new RegExp(planId));
    const panel = page.getByRole("dialog", { name: "Provision refine" });
    await panel.getByText("It is not known whether its call changed something.").waitFor();
    await panel.getByText("can act: operators").waitFor();
    await panel.getByRole("button", { name: "Settle" }).click();

    const form = page.getByRole("dialog", { name: "What is true of it?" });
    await form.getByRole("combobox", { name: "Outcome" }).click();
    await page.getByRole("option", { name: /^Not deployed/ }).click();
    await form.getByLabel("How it was found out").fill("The warehouse has no such table.");
    await form.getByRole("button", { name: "Settle" }).click();
    await panel
      .getByText("It is not known whether its call changed something.")
      .waitFor({ state: "detached" });

    await page.goto(`${server.url}/unknown-outcomes?settled=true`);
    await outcomes.getByText("Not deployed, by guest: The warehouse has no such table.").waitFor();
  },
};
