import assert from "node:assert/strict";
import type { Story } from "../support/story.ts";

export const story: Story = {
  title:
    "a tool call that waits is refused with a reason from the list of approvals, and the assistant reads it",
  async tell({ server, open }) {
    const page = await open("/assistant", { width: 390, height: 780 });
    await page.getByLabel("Your question").fill("Stop the deployment of rail-delays");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByRole("region", { name: "Approval of terminate_provisioning" }).waitFor();
    await page.getByText("The assistant waits for your decision above").waitFor();
    const path = new URL(page.url()).pathname;
    await page.goto(`${server.url}/assistant/approvals`);
    const last = page.getByRole("region", { name: "Approval of terminate_provisioning" }).last();
    await last.getByRole("button", { name: "Refuse …" }).click();
    await last.getByLabel("Reason, which the assistant reads").fill("Not before Friday");
    await last.getByRole("button", { name: "Refuse", exact: true }).click();
    await page.goto(server.url + path);
    await page.getByText("You refused it: Not before Friday").waitFor();
    await page.getByText("tokens read").waitFor();
    const answered = server.model.requests.map(({ body }) => body.messages.at(-1)?.content ?? "");
    assert.ok(answered.some((text) => text.includes('The user\'s reason: "Not before Friday"')));
  },
};
