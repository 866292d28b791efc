import assert from "node:assert/strict";
import type { Story } from "../support/story.ts";

export const story: Story = {
  title: "with the keyboard alone: anything is found from any page, and the environment is switched",
  async tell({ open }) {
    const page = await open("/units?env=development");
    await page.getByRole("table", { name: "Units" }).waitFor();
    const dialog = page.getByRole("dialog", { name: "Search and commands" });
    const type = async (text: string, first: RegExp): Promise<void> => {
      await page.keyboard.press("Control+k");
      await dialog.getByRole("textbox", { name: "Search" }).waitFor();
      await page.keyboard.type(text);
      await dialog.locator('[role="option"][data-combobox-selected]', { hasText: first }).waitFor();
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
    };
    await type("weath", /^weather-stations/);
    await page.getByRole("heading", { level: 1, name: "weather-stations" }).waitFor();
    await type("output ports are", /^Output ports are described/);
    await page.getByRole("heading", { level: 1, name: "Output ports are described" }).waitFor();
    await type("doctor", /^Health/);
    await page.getByRole("heading", { level: 1, name: "Health" }).waitFor();
    await type("switch to prod", /^Switch to production/);
    await page.waitForURL(/env=production/);
    assert.equal(await page.getByRole("combobox", { name: "Environment" }).inputValue(), "production");
  },
};
