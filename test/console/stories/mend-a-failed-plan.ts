import { provision } from "../support/seed.ts";
import type { Story } from "../support/story.ts";
import { unitOf } from "../support/units.ts";

export const story: Story = {
  title: "a failed plan opens at the call that failed, is mended, and resumed to its end",
  async tell({ open, server }) {
    const unit = unitOf("tram-doors");
    const refine = unit.components[1]?.id ?? "";
    const result = "The warehouse refuses the password of the adapter.";
    server.mock.setBehaviours({ components: { [refine]: { outcome: "FAILED", result } } });
    const planId = await provision(server.guest, unit, "FAILED");

    const page = await open(`/plans/${planId}`);
    const failure = page.getByRole("region", { name: "Why it failed" });
    await failure.getByRole("heading", { name: "Provision refine failed" }).waitFor();
    await failure.getByText(result, { exact: true }).waitFor();
    await failure.getByText("1 task did not begin because of it").waitFor();
    await failure
      .getByRole("log", { name: "Log of Provision refine" })
      .getByText(`failed: ${result}`)
      .waitFor();
    await failure.getByRole("button", { name: "What was sent: its descriptor" }).click();
    await failure
      .getByRole("region", { name: "Descriptor of Provision refine" })
      .getByText(/name: refine/)
      .waitFor();

    server.mock.setBehaviours({});
    await failure.getByRole("button", { name: "Resume" }).click();
    await page.getByText("resumes").waitFor();
    await page.getByText("Completed", { exact: true }).first().waitFor();
    await failure.waitFor({ state: "detached" });
    await page.getByRole("link", { name: `plan ${planId.slice(0, 8)}` }).click();
    await failure.waitFor();
  },
};
