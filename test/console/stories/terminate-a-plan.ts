import type { Story } from "../support/story.ts";
import { startBody, startPath, unitOf } from "../support/units.ts";

export const story: Story = {
  title: "a plan at work is terminated after it was shown what each way of ending it does",
  async tell({ open, server }) {
    const slow = { mode: "async", runningMs: 3_600_000 };
    const unit = unitOf("ferry-gates", { mock: { refine: slow } });
    const planId = await server.guest.call<string>("POST", startPath(unit), startBody(unit));
    const page = await open(`/plans/${planId}`);
    const now = page.getByRole("group", { name: "At work now" });
    await now.getByRole("link", { name: "Provision refine" }).waitFor();
    await now.getByText("The adapter is at work; its token is polled.").waitFor();

    await page.getByRole("button", { name: "Terminate…" }).click();
    const dialog = page.getByRole("dialog", { name: "Terminate the plan" });
    await dialog.getByText("Finishes").waitFor();
    await dialog.getByLabel("Forced: stop what is at work").check();
    await dialog.getByText("Is stopped").waitFor();
    await dialog.getByText("May become corrupt").waitFor();
    await dialog.getByRole("button", { name: "Terminate" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByText("Terminated", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Resume" }).waitFor();

    await page.getByRole("link", { name: "Plans and operations" }).click();
    await page
      .getByRole("radiogroup", { name: "Which operations" })
      .getByText("Failed", { exact: true })
      .click();
    await page
      .getByRole("table", { name: "Operations" })
      .getByRole("row", { name: /Deploy ferry-gates Terminated/ })
      .waitFor();
  },
};
