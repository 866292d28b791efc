import type { Story } from "../support/story.ts";

export const story: Story = {
  title: "a delivery that was given up says why, is sent again once the receiver is mended, and arrives",
  async tell({ server, open }) {
    const page = await open("/webhooks?webhook=ledger&status=DEAD");
    const table = page.getByRole("table", { name: "Deliveries" });
    const row = table.getByRole("row").nth(1);
    await row.getByText("The receiver answered 500", { exact: false }).waitFor();
    server.receiver.mend("ledger");
    await row.getByRole("button", { name: /^Send again: event \d+ to ledger$/ }).click();
    await row.getByText("Sent again").waitFor();
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Delivered" }).click();
    await table.getByRole("row", { name: /again.*Delivered/ }).waitFor();
  },
};
