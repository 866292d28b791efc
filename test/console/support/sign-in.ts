import type { Page } from "playwright-core";

/** At the real provider's own pages, which let in whoever gives a name. */
export async function signInAt(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: "Sign in with oidc" }).click();
  await page.waitForURL(/\/(?:interaction|units|policies|plans)|:\d+\/$/);
  if (!page.url().includes("/interaction/")) return;
  const login = page.getByPlaceholder("Enter any login");
  if (await login.isVisible()) {
    await login.fill(name);
    await page.getByPlaceholder("and password").fill("of the story");
    await page.getByRole("button", { name: "Sign-in" }).click();
  }
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Leaves Plinth and the provider. */
export async function signOutAt(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  // The provider asks whether one leaves it as well.
  await page.getByRole("button", { name: "Yes, sign me out" }).click();
  await page.getByRole("heading", { name: "Sign in to Plinth" }).waitFor();
}
