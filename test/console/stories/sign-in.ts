import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { settled } from "../support/browser.ts";
import { signInAt, signOutAt } from "../support/sign-in.ts";
import { startSignInServer } from "../support/sign-in-server.ts";
import type { Story } from "../support/story.ts";

export const story: Story = {
  title:
    "who opens a link signs in and comes to it, again after the session has ended, and signs out, also after it failed",
  async tell({ open }) {
    const server = await startSignInServer();
    try {
      // The provider's pages are not ours, and a request of an ended session is refused.
      const page = await open(`${server.url}/units?env=production&q=fleet`, {
        expected: ["401", "favicon", "fonts.googleapis.com", "ERR_FAILED"],
      });
      await page.getByRole("heading", { name: "Sign in to Plinth" }).waitFor();
      assert.equal(await page.title(), "Sign in · Plinth");
      await signInAt(page, "ada");
      await page.getByRole("heading", { level: 1, name: "Units" }).waitFor();
      assert.equal(page.url(), `${server.url}/units?env=production&q=fleet`);
      await endSession(page);
      await page.getByRole("link", { name: "Policies" }).click();
      const ended = page.getByRole("dialog", { name: "Your session has ended" });
      await ended.getByRole("link", { name: "Leave this page" }).click();
      await page.getByRole("heading", { name: "Sign in to Plinth" }).waitFor();
      await signInAt(page, "ada");
      await page.getByRole("heading", { level: 1, name: "Policies" }).waitFor();
      await settled(page);
      await page.getByRole("button", { name: /^Account of user:default\/ada/ }).waitFor();

      await page.route("**/browser/sign-out", (request) => request.abort());
      await page.getByRole("button", { name: /^Account of/ }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.getByRole("alert").getByText("You are still signed in").waitFor();
      await page.unroute("**/browser/sign-out");
      await page.keyboard.press("Escape");
      await signOutAt(page);
    } finally {
      await server.close();
    }
  },
};

/** As an operator does who revokes it, or time: the server no longer knows the cookie. */
async function endSession(page: Page): Promise<void> {
  const status = await page.evaluate(async () => {
    const headers = { "x-plinth-console": "1" };
    const { session } = (await (await fetch("/api/auth/v1/browser/session", { headers })).json()) as any;
    return (await fetch(`/api/auth/v1/tokens/${session.id}`, { method: "DELETE", headers })).status;
  });
  assert.equal(status, 204);
}
