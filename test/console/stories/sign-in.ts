import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { settled } from "../support/browser.ts";
import { startSignInServer } from "../support/sign-in-server.ts";
import type { Story } from "../support/story.ts";

export const story: Story = {
  title: "who opens a link signs in and comes to it, again after the session has ended, and signs out",
  async tell({ open }) {
    const server = await startSignInServer();
    try {
      // The provider's pages are not ours, and a request of an ended session is refused.
      const page = await open(`${server.url}/units?env=production&q=fleet`, {
        expected: ["401", "favicon", "fonts.googleapis.com"],
      });
      await page.getByRole("heading", { name: "Sign in to Plinth" }).waitFor();
      assert.equal(await page.title(), "Sign in · Plinth");
      await signInAt(page, "ada");
      await page.getByRole("heading", { level: 1, name: "Units" }).waitFor();
      assert.equal(page.url(), `${server.url}/units?env=production&q=fleet`);
      await endSession(page);
      await page.getByRole("link", { name: "Policies" }).click();
      await page.getByText("Your session has ended").waitFor();
      await signInAt(page, "ada");
      await page.getByRole("heading", { level: 1, name: "Policies" }).waitFor();
      await settled(page);
      await page.getByRole("button", { name: /^Account of user:default\/ada/ }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      // The provider asks whether one leaves it as well.
      await page.getByRole("button", { name: "Yes, sign me out" }).click();
      await page.getByRole("heading", { name: "Sign in to Plinth" }).waitFor();
    } finally {
      await server.close();
    }
  },
};

/** At the real provider's own pages, which let in whoever gives a name. */
async function signInAt(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: "Sign in with oidc" }).click();
  await page.waitForURL(/\/(?:interaction|units|policies)/);
  if (!page.url().includes("/interaction/")) return;
  const login = page.getByPlaceholder("Enter any login");
  if (await login.isVisible()) {
    await login.fill(name);
    await page.getByPlaceholder("and password").fill("of the story");
    await page.getByRole("button", { name: "Sign-in" }).click();
  }
  await page.getByRole("button", { name: "Continue" }).click();
}

/** As an operator does who revokes it, or time: the server no longer knows the cookie. */
async function endSession(page: Page): Promise<void> {
  const status = await page.evaluate(async () => {
    const headers = { "x-plinth-console": "1" };
    const { session } = (await (await fetch("/api/auth/v1/browser/session", { headers })).json()) as any;
    return (await fetch(`/api/auth/v1/tokens/${session.id}`, { method: "DELETE", headers })).status;
  });
  assert.equal(status, 204);
}
