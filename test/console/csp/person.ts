/** Somebody with a browser, and what the server thinks who that is. */
import type { BrowserContext, Page } from "playwright-core";

/** At the provider's own pages, which let in whoever gives a name; resolves to a page of the console. */
export async function signInAs(context: BrowserContext, server: string, name: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${server}/api/auth/v1/browser/sign-in?provider=oidc&returnTo=/units`);
  await agreeAs(page, name);
  await page.waitForURL(`${server}/units`);
  return page;
}

export async function agreeAs(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill(name);
  await page.getByPlaceholder("and password").fill("of the check");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

/** What the server says to a page of its own: who calls, or the code of a refusal. */
export const callerIn = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const answer = await fetch("/api/auth/v1/whoami", { headers: { "x-plinth-console": "1" } });
    const body = (await answer.json()) as any;
    return body.ref ?? body.caller?.ref ?? body.error?.code ?? String(answer.status);
  });

export async function cookieOf(context: BrowserContext, name: string): Promise<string[]> {
  const cookies = await context.cookies();
  return cookies.filter((cookie) => cookie.name === name).map(({ value }) => value);
}
