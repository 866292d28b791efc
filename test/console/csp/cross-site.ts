/** Pages of other servers, on another port of this machine and under another name, act for nobody and frame nothing. */
import type { BrowserContext, Page } from "playwright-core";
import type { HttpPeer } from "../../support/http-peer.ts";
import { settled } from "../support/browser.ts";
import { startConsoleServer } from "../support/server.ts";
import { startSignInServer } from "../support/sign-in-server.ts";
import { attackFromPage, startAttacker } from "./attacker.ts";
import { openChromium, type Check, type Contexts, type Outcome } from "./check.ts";
import { changingOperations } from "./operations.ts";
import { signInAs } from "./person.ts";

/** A name that leads to this machine, as every name of an attacker can. */
const otherName = "evil.example";

interface Victim {
  who: string;
  server: string;
  context: BrowserContext;
  /** Of the console, in which the victim is signed in. */
  page: Page;
}

export const crossSite: Check = {
  name: "cross-site",
  async run(): Promise<Outcome> {
    const browser = await openChromium([`--host-resolver-rules=MAP ${otherName} 127.0.0.1`]);
    const attacker = await startAttacker();
    const outcome: Outcome = { lines: [], findings: [] };
    try {
      await withSession(browser, attacker, outcome);
      await withGuest(browser, attacker, outcome);
    } finally {
      await browser.close();
      await attacker.close();
    }
    return outcome;
  },
};

async function withSession(browser: Contexts, attacker: HttpPeer, outcome: Outcome): Promise<void> {
  const server = await startSignInServer(() => ["admin"]);
  try {
    const context = await browser.context();
    const page = await signInAs(context, server.url, "ada");
    await attackBoth({ who: "a session", server: server.url, context, page }, attacker, outcome);
  } finally {
    await server.close();
  }
}

async function withGuest(browser: Contexts, attacker: HttpPeer, outcome: Outcome): Promise<void> {
  const server = await startConsoleServer({ seeded: "adapters" });
  try {
    const context = await browser.context();
    const page = await context.newPage();
    await page.goto(`${server.url}/units`);
    await settled(page);
    const victim: Victim = { who: "the guest", server: server.url, context, page };
    await attackBoth(victim, attacker, outcome);
    await rebind(victim, outcome);
    await frame(victim, attacker, outcome);
  } finally {
    await server.close();
  }
}

async function attackBoth(victim: Victim, { url, port }: HttpPeer, outcome: Outcome): Promise<void> {
  await attack(victim, { from: url, called: "another port" }, outcome);
  await attack(victim, { from: `http://${otherName}:${port}`, called: "another site" }, outcome);
}

/**
 * What the victim may read of everything that was done: the audit is complete, or the server has a defect elsewhere. What the server
 * does by itself at its start may come later than the page.
 */
const stateOf = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const read = async (path: string): Promise<unknown> => {
      const answer = await fetch(path);
      const body = (await answer.json()) as any;
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(body)}`);
      const all: { actor?: string }[] = body.data ?? body.entries ?? body;
      const list = all.filter(({ actor }) => actor !== "service:default/plinth");
      // A worker chains the records of the audit some seconds after they were written.
      return list.map((each) => ({ ...each, lastUsedAt: null, expiresAt: null, seq: null, hash: null }));
    };
    return JSON.stringify([
      await read("/api/coordinator/v1/audit?limit=100"),
      await read("/api/auth/v1/tokens?limit=100"),
    ]);
  });

async function attack(
  victim: Victim,
  { from, called }: { from: string; called: string },
  outcome: Outcome,
): Promise<void> {
  const { context, server, who } = victim;
  const before = await stateOf(victim.page);
  const page = await context.newPage();
  await page.goto(from);
  const statuses = new Map<number, number>();
  let beforehand = 0;
  let withCookie = 0;
  page.on("response", async (response) => {
    const request = response.request();
    if (!request.url().startsWith(server)) return;
    const status = response.status();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const isRead = request.method() === "GET" || request.method() === "OPTIONS";
    // What reads may answer, its page may not read it; what changes is refused before it is looked at.
    // A sign-out of nobody is none, as long as it takes no cookie from the browser.
    const headers = await response.allHeaders().catch(() => ({}));
    const isOfNobody = request.url().endsWith("/browser/sign-out") && !("set-cookie" in headers);
    if (status < 400 && !isRead && !isOfNobody)
      outcome.findings.push(`${who}, ${called}: ${request.method()} ${request.url()} answered ${status}`);
    if (request.method() === "GET" && status < 300 && request.resourceType() === "image") withCookie += 1;
  });
  page.on("requestfailed", (request) => {
    if (request.url().startsWith(server)) beforehand += 1;
  });
  const operations = changingOperations();
  const sent = await page.evaluate(attackFromPage, { server, operations });
  await page.waitForTimeout(500);
  await signOutFromThere(page, server);
  await page.close();
  const after = await stateOf(victim.page);
  if (after !== before)
    outcome.findings.push(`${who}, ${called}: something was changed: ${difference(before, after)}`);
  const answers = [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${count} × ${status}`);
  outcome.lines.push(
    `Requests for ${who} from ${called}: ${sent} to ${operations.length} operations, answered ${answers.join(", ")}; ` +
      `${beforehand} stopped by the browser; ${withCookie} images of reads; audit and tokens as before.`,
  );
}

/** As the page that the browser shows, for which it would take the loss of a cookie from the answer. */
async function signOutFromThere(page: Page, server: string): Promise<void> {
  const left = page.waitForURL(`${server}/**`);
  await page.evaluate((action) => {
    const { document } = globalThis as any;
    const form = document.createElement("form");
    Object.assign(form, { action, method: "POST" });
    document.body.append(form);
    form.submit();
  }, `${server}/api/auth/v1/browser/sign-out`);
  await left;
}

const difference = (before: string, after: string): string => {
  let at = 0;
  while (before[at] === after[at] && at < before.length) at += 1;
  return after.slice(Math.max(0, at - 60), at + 200);
};

/** The attacker's name now leads to the server itself, so that its page is of the same origin. */
async function rebind({ context, server, who, page: own }: Victim, outcome: Outcome): Promise<void> {
  const before = await stateOf(own);
  const page = await context.newPage();
  await page.goto(`http://${otherName}:${new URL(server).port}/`);
  // The challenge of git's own protocol makes the browser ask for a password, and its request does not end.
  const operations = changingOperations().filter(({ path }) => !path.startsWith("/git/"));
  const codes = await page.evaluate(async (all) => {
    const headers = { "content-type": "application/json", "x-plinth-console": "1" };
    const asked = [{ method: "GET", path: "/api/coordinator/v1/audit" }, ...all];
    const answers: { what: string; status: number }[] = [];
    for (const { method, path } of asked) {
      const body = method === "GET" ? {} : { body: JSON.stringify({ name: "x" }) };
      const signal = AbortSignal.timeout(10_000);
      // What is not read would hold its connection; what does not end counts as taken.
      const status = await fetch(path, { method, headers, signal, ...body })
        .then((answer) => answer.text().then(() => answer.status))
        .catch(() => 0);
      answers.push({ what: `${method} ${path}`, status });
    }
    return answers;
  }, operations);
  await page.close();
  // A sign-out of nobody is none.
  const taken = codes.filter(({ what, status }) => status < 400 && !what.endsWith("/browser/sign-out"));
  for (const { what, status } of taken)
    outcome.findings.push(`${who}: ${what} under a foreign name was answered ${status}`);
  if ((await stateOf(own)) !== before)
    outcome.findings.push(`${who}: a page under a foreign name changed something`);
  outcome.lines.push(
    `Requests for ${who} under a name that was led to the server: ${codes.length}, ${codes.filter(({ status }) => status === 401).length} answered 401, ${taken.length} taken.`,
  );
}

const framed = [
  "/",
  "/units",
  "/settings?tab=x",
  "/docs",
  "/docs/coordinator",
  "/api/coordinator/v1/audit",
  "/sign-in",
];

async function frame({ context, server }: Victim, { url }: HttpPeer, outcome: Outcome): Promise<void> {
  const asked = [...framed.map((path) => server + path), `${url}/itself`];
  const isShown: boolean[] = [];
  for (const address of asked) {
    for (const element of ["iframe", "object", "embed"]) {
      const page = await context.newPage();
      await page.goto(url);
      await page.evaluate(
        async ([name, source]) => {
          const { document } = globalThis as any;
          const made = document.createElement(name);
          made[name === "object" ? "data" : "src"] = source;
          const done = new Promise((next) =>
            ["load", "error"].forEach((each) => made.addEventListener(each, next)),
          );
          document.body.append(made);
          await Promise.race([done, new Promise((next) => setTimeout(next, 3_000))]);
        },
        [element, address] as const,
      );
      const inside = page.frames().filter((each) => each !== page.mainFrame());
      const texts = await Promise.all(
        inside.map((each) =>
          each.evaluate(() => (globalThis as any).document.body?.innerText ?? "").catch(() => ""),
        ),
      );
      const shown = inside.some((each, index) => each.url().startsWith("http") && texts[index] !== "");
      isShown.push(shown);
      const isOwn = address.startsWith(server);
      if (shown === isOwn)
        outcome.findings.push(
          `${address} in ${element} ${shown ? "is shown" : "is not shown, so that the check sees nothing"}`,
        );
      await page.close();
    }
  }
  outcome.lines.push(
    `Framing: ${framed.length * 3} of ${framed.length} addresses in iframe, object and embed: ${isShown.slice(0, framed.length * 3).filter(Boolean).length} shown; ` +
      `a page that allows it: ${isShown.slice(framed.length * 3).filter(Boolean).length} of 3 shown.`,
  );
}
