import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Story } from "../support/story.ts";

const typed = "id: urn:dmb:dp:x:y:0\nname: a descriptor that took an hour";

export const story: Story = {
  title:
    "where a file of the search, the assistant or the help does not arrive, the page stays with what was typed, and goes on with it",
  async tell({ open }) {
    const page = await open("/provision?from=descriptor", {
      expected: ["ERR_INTERNET_DISCONNECTED", "404", "did not arrive"],
    });
    const descriptor = page.getByLabel("Descriptor as JSON or YAML");
    await descriptor.fill(typed);
    const isSame = await mark(page);

    await leaveFields(page);
    await page.context().setOffline(true);
    await page.keyboard.press("Control+k");
    const failed = page.getByRole("dialog", { name: "The search" });
    await failed.getByText("The search could not be loaded").waitFor();
    await page.getByText("The server cannot be reached").waitFor();
    await page.keyboard.press("Escape");
    await failed.waitFor({ state: "detached" });
    assert.equal(await descriptor.inputValue(), typed);
    await page.context().setOffline(false);
    await page.getByText("The server cannot be reached").waitFor({ state: "detached" });
    await leaveFields(page);
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Search and commands" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    // As after an upgrade, which has other files.
    const files = /assets\/(?:assistant-panel|keyboard-help)-.*\.js/;
    await page.route(files, (route) => route.fulfill({ status: 404, body: "gone" }));
    await leaveFields(page);
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "The help" });
    await help.getByText("The help could not be loaded").waitFor();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await page.keyboard.press("a");
    const panel = page.getByRole("complementary", { name: "Assistant" });
    await panel.getByText("The assistant could not be loaded").waitFor();
    await page.unroute(files);
    await panel.getByRole("button", { name: "Try again" }).click();
    await panel.getByLabel("Your question").waitFor();
    assert.equal(await descriptor.inputValue(), typed);
    assert.ok(await isSame(), "the page was not loaded anew");
  },
};

/** Keys count as keys of the page where no field has the focus. */
const leaveFields = (page: Page): Promise<void> =>
  page.evaluate(() => (globalThis as any).document.activeElement?.blur());

/** Resolves to a function that tells whether the page is still the one that was loaded. */
async function mark(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => void ((globalThis as any).isMarked = true));
  return () => page.evaluate(() => (globalThis as any).isMarked === true);
}
