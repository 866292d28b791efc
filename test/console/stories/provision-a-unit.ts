import assert from "node:assert/strict";
import { provision } from "../support/seed.ts";
import type { Story } from "../support/story.ts";
import { unitOf } from "../support/units.ts";

export const story: Story = {
  title:
    "a unit is provisioned from its preview to its end, and a preview that has become another one is shown again",
  async tell({ open, server }) {
    const unit = unitOf("night-buses");
    const page = await open("/provision?from=descriptor", { expected: ["409"] });
    await page.getByLabel("Descriptor as JSON or YAML").fill(JSON.stringify(unit));
    const changes = page.getByRole("table", { name: "Planned changes" });
    await changes.getByRole("row", { name: /refine Deploy/ }).waitFor();
    await page.getByText("3 components: 3 to deploy").waitFor();

    const target = page.getByRole("radiogroup", { name: "Target of view" });
    await target.getByText("Not deployed", { exact: true }).click();
    await page.getByText("2 to deploy, 1 left alone").waitFor();
    assert.equal(new URL(page.url()).searchParams.get("without"), unit.components[2]?.id);
    await page.getByRole("button", { name: "Deploy all", exact: true }).click();
    await page.getByRole("button", { name: "Start 3 changes" }).waitFor();

    await page.getByRole("radiogroup", { name: "Show" }).getByText("Graph", { exact: true }).click();
    await page
      .getByRole("region", { name: "Graph of the planned changes" })
      .getByText("refine")
      .first()
      .waitFor();
    await page.getByRole("radiogroup", { name: "Show" }).getByText("Descriptor", { exact: true }).click();
    await page.getByText("Nothing is deployed in development; all of it is new.").waitFor();
    await page.getByRole("radiogroup", { name: "Show" }).getByText("Changes", { exact: true }).click();

    // Somebody else deploys it meanwhile.
    await provision(server.guest, unit, "COMPLETED");
    await page.getByRole("button", { name: "Start 3 changes" }).click();
    await page.getByText("The plan is another one now, so nothing was started").waitFor();
    await changes.getByRole("row", { name: /refine Redeploy/ }).waitFor();
    await page.getByRole("button", { name: "Start 3 changes" }).click();

    await page.getByRole("heading", { level: 1, name: "Deploy night-buses" }).waitFor();
    const progress = page.getByRole("progressbar", { name: "Progress of the plan" });
    await progress.and(page.locator('[aria-valuetext="10 done"]')).waitFor();
    const tasks = page.getByRole("table", { name: "Tasks" });
    await tasks.getByRole("row", { name: /Provision view .*Completed/ }).waitFor();
    await page.getByRole("tab", { name: "Planned and done" }).click();
    await page
      .getByRole("table", { name: "Planned and done" })
      .getByRole("row", { name: /view Redeploy Succeeded/ })
      .waitFor();
    await page.getByRole("tab", { name: "Log" }).click();
    await page
      .getByRole("log", { name: "Log of the plan" })
      .getByText("Provisioning of view completed")
      .waitFor();
  },
};
