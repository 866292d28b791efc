import assert from "node:assert/strict";
import type { Story } from "../support/story.ts";

const account = "slow-to-remove";

export const story: Story = {
  title: "a confirmation stays until its request has ended, and says how",
  async tell({ server, open }) {
    await server.guest.call("PUT", `/api/auth/v1/service-accounts/${account}`, { roles: ["viewer"] });
    const page = await open("/tokens?tab=services", { expected: ["500"] });
    const asked = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    await page.route(`**/api/auth/v1/service-accounts/${account}`, async (route) => {
      asked.resolve();
      await ended.promise;
      await route.fulfill({ status: 500, json: {} });
    });
    await page.getByRole("button", { name: `Remove ${account}` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(`Type ${account}`).fill(account);
    await page.keyboard.press("Enter");
    await asked.promise;
    await page.keyboard.press("Escape");
    assert.ok(await dialog.getByRole("button", { name: "Cancel" }).isDisabled());
    assert.ok(await dialog.getByRole("button", { name: "Close" }).isDisabled());
    ended.resolve();
    await dialog.getByRole("alert").getByText("It is not known whether it was done").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  },
};
