import type { Story } from "../support/story.ts";
import { unitOf } from "../support/units.ts";

const path = "/v1/computational-governance/ownership-rules";

export const story: Story = {
  title:
    "an ownership rule is added in the form and in YAML, while somebody else saves, and who may is asked",
  async tell({ open, server: { guest } }) {
    const { version } = await guest.call("GET", path);
    const page = await open("/ownership", { expected: ["409"] });
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByRole("button", { name: "Add a rule" }).click();
    const rule = page.getByRole("group", { name: "Rule 1" });
    await rule.getByLabel("Name").fill("tests of the console");
    await rule.getByRole("combobox", { name: "Domains" }).fill("console-tests");
    await rule.getByRole("combobox", { name: "Domains" }).press("Enter");

    await guest.call("PUT", path, {
      version,
      rules: [{ name: "of somebody else", domains: ["elsewhere"], effect: "allow" }],
    });
    await page.getByRole("button", { name: `Save version ${version + 1}` }).click();
    const conflict = page.getByRole("alert").filter({ hasText: "was saved while you edited" });
    await conflict
      .getByRole("textbox", { name: /before$/ })
      .getByText("of somebody else")
      .waitFor();
    await conflict
      .getByRole("textbox", { name: /after$/ })
      .getByText("tests of the console")
      .waitFor();
    await conflict.getByRole("button", { name: `Go on with mine on version ${version + 1}` }).click();
    await page.getByRole("button", { name: `Save version ${version + 2}` }).click();
    const stored = page.getByRole("table", { name: "Rules kept here" });
    await stored.getByText("tests of the console").waitFor();

    await page.getByRole("link", { name: "Edit as YAML" }).click();
    const editor = page.getByRole("textbox", { name: "Rules as YAML" });
    await editor.fill("- name: without an effect");
    await page.getByRole("button", { name: `Save version ${version + 3}` }).click();
    await page.getByText("Rule 1 has no effect: allow, approval, deny.").waitFor();
    await editor.fill("[]");
    await page.getByRole("button", { name: `Save version ${version + 3}` }).click();
    await page.getByText("None are kept here yet.").waitFor();

    await page.getByLabel("Unit").fill(unitOf("fleet-positions").id);
    await page.getByText("You may", { exact: true }).waitFor();
  },
};
