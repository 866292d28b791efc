/** What somebody else has put into a browser before a sign-in is not the session afterwards, and signs in nobody as somebody else. */
import type { BrowserContext } from "playwright-core";
import { newBrowser } from "../../auth/browser/console-server.ts";
import { startSignInServer } from "../support/sign-in-server.ts";
import { openChromium, type Check, type Contexts, type Outcome } from "./check.ts";
import { agreeAs, callerIn, cookieOf, signInAs } from "./person.ts";

interface Stage {
  server: string;
  browser: Contexts;
}

interface Story {
  title: string;
  /** Resolves to what is wrong. */
  tell: (stage: Stage) => Promise<string[]>;
}

const victim = "user:default/ada";
const callback = "/api/auth/v1/browser/callback";
const session = "plinth";
const signIn = "plinth-sign-in";

export const fixation: Check = {
  name: "fixation",
  async run(): Promise<Outcome> {
    const server = await startSignInServer();
    const browser = await openChromium();
    const outcome: Outcome = { lines: [], findings: [] };
    try {
      for (const { title, tell } of stories) {
        const wrong = await tell({ server: server.url, browser });
        outcome.lines.push(`${wrong.length === 0 ? "Holds" : "DOES NOT HOLD"}: ${title}.`);
        outcome.findings.push(...wrong.map((each) => `${title}: ${each}`));
      }
    } finally {
      await browser.close();
      await server.close();
    }
    return outcome;
  },
};

const plant = (
  context: BrowserContext,
  server: string,
  cookie: { name: string; value: string; path?: string },
) => context.addCookies([{ domain: new URL(server).hostname, path: "/", ...cookie }]);

/** The cookie of a session that the attacker has got by signing in. */
async function attackersSession(server: string): Promise<string> {
  const browser = newBrowser(server);
  await browser.signIn("mallory");
  return browser.cookies.get(session) ?? "";
}

/** A sign-in that the attacker has begun and agreed to, and not ended: the address that ends it, and the cookie that belongs to it. */
async function attackersSignIn(server: string): Promise<{ address: string; cookie: string }> {
  const browser = newBrowser(server);
  const address = await browser.toCallback("mallory");
  return { address: address.href, cookie: browser.cookies.get(signIn) ?? "" };
}

const invented: Story = {
  title: "a value that somebody made up is not the session after a sign-in",
  async tell({ server, browser }) {
    const context = await browser.context();
    const value = "a".repeat(43);
    await plant(context, server, { name: session, value });
    const page = await signInAs(context, server, "ada");
    const caller = await callerIn(page);
    const values = await cookieOf(context, session);
    await context.close();
    return [
      ...(caller === victim ? [] : [`the victim is ${caller}`]),
      ...(values.includes(value) ? ["the value is still in the browser"] : []),
      ...(values.length === 1 ? [] : [`${values.length} sessions are in the browser`]),
      ...((await refusedWith(server, value)) ? [] : ["the value is a session"]),
    ];
  },
};

const ofTheAttacker: Story = {
  title: "the attacker's own session, planted before a sign-in, ends with it and never becomes the victim's",
  async tell({ server, browser }) {
    const context = await browser.context();
    const value = await attackersSession(server);
    await plant(context, server, { name: session, value });
    const page = await signInAs(context, server, "ada");
    const caller = await callerIn(page);
    const values = await cookieOf(context, session);
    await context.close();
    return [
      ...(caller === victim ? [] : [`the victim is ${caller}`]),
      ...(values.includes(value) ? ["the value is still in the browser"] : []),
      ...((await refusedWith(server, value)) ? [] : ["the planted session has not ended"]),
    ];
  },
};

const beside: Story = {
  title: "the attacker's session, planted on a longer path beside the victim's, is used by nobody",
  async tell({ server, browser }) {
    const context = await browser.context();
    const page = await signInAs(context, server, "ada");
    await plant(context, server, { name: session, value: await attackersSession(server), path: "/api" });
    const caller = await callerIn(page);
    await context.close();
    return caller === "PLATFORM_SESSION_ENDED" ? [] : [`the victim is ${caller}`];
  },
};

const fresh: Story = {
  title: "each sign-in of the same browser gets another session, and the one before ends",
  async tell({ server, browser }) {
    const context = await browser.context();
    await signInAs(context, server, "ada");
    const [before = ""] = await cookieOf(context, session);
    const page = await context.newPage();
    await page.goto(`${server}/api/auth/v1/browser/sign-in?provider=oidc&returnTo=/units`);
    await page.waitForURL(/\/(?:interaction\/|units)/);
    if (page.url().includes("/interaction/")) await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL(`${server}/units`);
    const [after = ""] = await cookieOf(context, session);
    await context.close();
    return [
      ...(before !== after && after !== "" ? [] : ["the session is the same"]),
      ...((await refusedWith(server, before)) ? [] : ["the session of before is still good"]),
    ];
  },
};

const sentAlong: Story = {
  title: "the address that ends an attacker's sign-in signs in nobody else who opens it",
  async tell({ server, browser }) {
    const { address } = await attackersSignIn(server);
    const context = await browser.context();
    const page = await context.newPage();
    await page.goto(address);
    const wrong = [
      ...(page.url().includes("/sign-in?error=expired") ? [] : [`the browser is led to ${page.url()}`]),
      ...((await cookieOf(context, session)).length === 0 ? [] : ["the browser has a session"]),
    ];
    const signedIn = await signInAs(context, server, "ada");
    await signedIn.goto(address);
    const caller = await callerIn(signedIn);
    await context.close();
    return caller === victim ? wrong : [...wrong, `who was signed in as ada is ${caller}`];
  },
};

const mixed: Story = {
  title: "the attacker's code with the state of the victim's own sign-in ends in no session",
  async tell({ server, browser }) {
    const { address } = await attackersSignIn(server);
    const context = await browser.context();
    const page = await context.newPage();
    const begun = page.waitForRequest((request) => request.url().includes("state="));
    await page.goto(`${server}/api/auth/v1/browser/sign-in?provider=oidc`);
    const ownState = new URL((await begun).url()).searchParams.get("state") ?? "";
    const forged = new URL(address);
    forged.searchParams.set("state", ownState);
    await page.goto(forged.href);
    const values = await cookieOf(context, session);
    const led = page.url();
    await context.close();
    return [
      ...(values.length === 0 ? [] : ["the browser has a session"]),
      ...(led.includes("/sign-in?error=") ? [] : [`the browser is led to ${led}`]),
    ];
  },
};

const tossed: Story = {
  title:
    "an attacker's cookie of a sign-in, planted beside the victim's own, does not sign the victim in as the attacker",
  async tell({ server, browser }) {
    const { address, cookie } = await attackersSignIn(server);
    const context = await browser.context();
    const page = await context.newPage();
    await page.goto(`${server}/api/auth/v1/browser/sign-in?provider=oidc&returnTo=/units`);
    await plant(context, server, { name: signIn, value: cookie, path: "/api/auth" });
    await page.goto(address);
    const values = await cookieOf(context, session);
    const led = page.url();
    await context.close();
    return [
      ...(values.length === 0 ? [] : ["the browser has a session, of the attacker"]),
      ...(led.includes("/sign-in?error=expired") ? [] : [`the browser is led to ${led}`]),
    ];
  },
};

const usedUp: Story = {
  title: "the address that has ended a sign-in ends no second one",
  async tell({ server, browser }) {
    const context = await browser.context();
    const page = await context.newPage();
    const ended = page.waitForRequest((request) => request.url().startsWith(server + callback));
    await page.goto(`${server}/api/auth/v1/browser/sign-in?provider=oidc&returnTo=/units`);
    await agreeAs(page, "ada");
    await page.waitForURL(`${server}/units`);
    const [before = ""] = await cookieOf(context, session);
    await page.goto((await ended).url());
    const [after = ""] = await cookieOf(context, session);
    const led = page.url();
    await context.close();
    return before === after && led.includes("error=expired") ? [] : [`the browser is led to ${led}`];
  },
};

const stories = [invented, ofTheAttacker, beside, fresh, sentAlong, mixed, tossed, usedUp];

/** Whether the server refuses that value of the cookie. */
async function refusedWith(server: string, value: string): Promise<boolean> {
  const answer = await fetch(`${server}/api/auth/v1/whoami`, {
    headers: { cookie: `${session}=${value}`, "x-plinth-console": "1" },
  });
  await answer.body?.cancel();
  return answer.status === 401;
}
