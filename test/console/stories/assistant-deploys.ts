import assert from "node:assert/strict";
import { assistedUnit } from "../support/assistant-script.ts";
import { settled } from "../support/browser.ts";
import type { Story } from "../support/story.ts";

export const story: Story = {
  title:
    "the assistant previews a deployment, is allowed to start it with other arguments, and links its plan",
  async tell({ server, open }) {
    const page = await open("/assistant");
    await page.getByLabel("Your question").fill("Deploy the unit assisted, please.");
    await page.keyboard.press("Enter");
    const card = page.getByRole("region", { name: "Approval of start_provisioning" });
    await card.waitFor();
    assert.match(new URL(page.url()).pathname, /^\/assistant\/[\da-f-]{36}$/);
    const asks = await card.innerText();
    assert.match(asks, /Assistant › Provisioning wants to call start_provisioning/);
    assert.match(asks, /called as user:default\/guest/);
    assert.match(asks, /waits for .*can act: user guest.*left/s);
    await page
      .getByRole("list", { name: "Calls of Agent Provisioning" })
      .getByText("Preview provisioning")
      .waitFor();

    await card.getByRole("button", { name: "Edit arguments" }).click();
    const environment = card.getByRole("textbox", { name: "environment" });
    await environment.press("End");
    await environment.press("Enter");
    assert.equal(await environment.inputValue(), "development", "Enter does not change a name");
    await card.getByRole("combobox", { name: "Add an argument" }).click();
    await page.getByRole("option", { name: "preventRedeploy" }).click();
    await card.getByRole("checkbox", { name: "preventRedeploy" }).check();
    await card.getByText("Changed by you; it was not given").waitFor();
    await card.getByRole("button", { name: "Approve with 1 change" }).click();

    await page.getByText("ended COMPLETED").last().waitFor();
    await page.getByText("You approved it with other arguments.").waitFor();
    const unit = encodeURIComponent(assistedUnit.id);
    const { status } = await server.guest.call(
      "GET",
      `/api/coordinator/v1/deployment-units/${unit}/provisioning-status?environment=development`,
    );
    assert.equal(status, "DEPLOYED");
    const answered = server.model.requests.map(({ body }) => body.messages.at(-1)?.content ?? "");
    assert.ok(
      answered.some((text) => /The user changed the arguments to .*"preventRedeploy":true/.test(text)),
      "the tool was called as approved",
    );

    await page
      .getByRole("link", { name: /^Plan / })
      .first()
      .click();
    await page.waitForURL(/\/plans\//);
    await settled(page);
    await page.goBack();
    await page.getByText("ended COMPLETED").last().waitFor();
  },
};
