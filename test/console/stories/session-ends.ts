import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { settled } from "../support/browser.ts";
import { signInAt } from "../support/sign-in.ts";
import { startSignInServer } from "../support/sign-in-server.ts";
import type { Story } from "../support/story.ts";
import { until } from "../support/until.ts";

export const story: Story = {
  title:
    "what was typed before the session ended is there when the same person has signed in again in another tab, and for nobody else",
  async tell({ open }) {
    const server = await startSignInServer();
    try {
      // The provider's pages are not ours, and requests of an ended session are refused.
      const page = await open(`${server.url}/units`, {
        expected: ["401", "favicon", "fonts.googleapis.com", "ERR_FAILED"],
      });
      await signInAt(page, "ada");
      await page.getByRole("heading", { level: 1, name: "Units" }).waitFor();
      await page.getByRole("link", { name: "Tokens" }).click();
      await page.getByRole("button", { name: "New token" }).click();
      const form = page.getByRole("dialog", { name: "New token" });
      const name = form.getByLabel("What it is for");
      await name.fill("dashboard");

      const ended = await endSession(page, form);
      await pressShortcuts(page, form);
      await signInElsewhere(page, ended, "ada");
      await ended.waitFor({ state: "detached" });
      assert.equal(await name.inputValue(), "dashboard");
      await until(
        () => name.evaluate((field: any) => field === field.ownerDocument.activeElement),
        (hasFocus) => hasFocus,
      );
      await form.getByRole("button", { name: "Make token" }).click();
      await form.getByRole("region", { name: "the new token" }).waitFor();
      await form.getByRole("button", { name: "I have stored it" }).click();

      await page.getByRole("button", { name: "New token" }).click();
      await name.fill("of ada alone");
      await signInElsewhere(page, await endSession(page, form), "bea");
      await page.getByRole("button", { name: /^Account of user:default\/bea/ }).waitFor();
      assert.equal(await page.getByRole("dialog").count(), 0);
    } finally {
      await server.close();
    }
  },
};

/** The provider forgets the person as well. Resolves to the dialog that says so. The focus was in the form's first field before. */
async function endSession(page: Page, form: Locator): Promise<Locator> {
  await page.context().clearCookies();
  await form.getByLabel("What it is for").press("Enter");
  const ended = page.getByRole("dialog", { name: "Your session has ended" });
  await ended.waitFor();
  return ended;
}

/** Keys that close dialogs or open others do nothing below the dialog that says that the session has ended. */
async function pressShortcuts(page: Page, form: Locator): Promise<void> {
  for (const key of ["Escape", "Control+k", "/", "?", "a"]) await page.keyboard.press(key);
  // What a key opens or closes would be there or gone when the page has drawn itself.
  await settled(page);
  assert.equal(await form.isVisible(), true, "Escape does not close the form");
  assert.equal(await page.getByRole("dialog").count(), 2, "no key opens a further dialog");
}

async function signInElsewhere(page: Page, ended: Locator, name: string): Promise<void> {
  const opening = page.context().waitForEvent("page");
  await ended.getByRole("link", { name: "Sign in in a new tab" }).click();
  const other = await opening;
  await signInAt(other, name);
  await other.getByRole("button", { name: /^Account of/ }).waitFor();
  await other.close();
}
