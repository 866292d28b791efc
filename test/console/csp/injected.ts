/** 200 payloads come in through operations of the real server, and no page executes, loads or embeds any of them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settled } from "../support/browser.ts";
import { payloads } from "../support/payloads.ts";
import { chosenRoutes, shownRoutes, type ShownRoute } from "../support/routes.ts";
import { startConsoleServer, type ConsoleServer } from "../support/server.ts";
import { openChromium, type Check, type Contexts } from "./check.ts";
import { policyFaults } from "./policy.ts";
import { sendThroughAssistant } from "./sources/assistant.ts";
import { sendThroughCatalogue, sendThroughTemplates } from "./sources/catalogue.ts";
import { sendThroughDecisions } from "./sources/decisions.ts";
import { sendThroughUnits } from "./sources/units.ts";
import { noWays, type WaysIn } from "./sources/way-in.ts";
import { startRefusingReceiver, webhookTo } from "./sources/webhook.ts";
import { watch } from "./watch.ts";

export const injected: Check = {
  name: "injected",
  async run(paths) {
    const folder = await mkdtemp(join(tmpdir(), "plinth-payloads-"));
    const receiver = await startRefusingReceiver();
    const server = await startConsoleServer({
      configure(config) {
        config.mesh.builder.catalogue.folders.push(folder);
        config.coordinator.webhooks.push(webhookTo(receiver.url));
      },
    });
    const browser = await openChromium();
    const closing = [() => browser.close(), () => server.close(), () => receiver.close()];
    try {
      const shown = await shownRoutes(server);
      const ways = noWays();
      closing.unshift(...(await sendAll(server, ways, folder)));
      const routes = chosenRoutes(distinct([...shown, ...ways.routes]), paths);
      return { ...(await visitAll(browser, server, routes, ways)) };
    } finally {
      for (const close of closing) await close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function sendAll(
  server: ConsoleServer,
  ways: WaysIn,
  folder: string,
): Promise<(() => Promise<void>)[]> {
  const closing = [await sendThroughUnits(server, ways)];
  await sendThroughCatalogue(server, ways, folder);
  await sendThroughTemplates(server, ways, folder);
  await sendThroughDecisions(server, ways);
  closing.push(await sendThroughAssistant(server, ways));
  return closing;
}

const distinct = (routes: readonly ShownRoute[]): ShownRoute[] => [
  ...new Map(routes.map((route) => [route.path, route])).values(),
];

async function visitAll(
  browser: Contexts,
  server: ConsoleServer,
  routes: readonly ShownRoute[],
  ways: WaysIn,
) {
  const findings = [...ways.findings];
  const seen = new Set<number>();
  const lines: string[] = [];
  let withPayloads = 0;
  for (const { path } of routes) {
    const numbers = await visit(browser, server, path, findings);
    if (numbers.size > 0) withPayloads += 1;
    for (const number of numbers) seen.add(number);
  }
  const total = [...ways.taken.values()].reduce((sum, count) => sum + count, 0);
  for (const [field, count] of ways.taken)
    lines.push(`  ${field}: ${count} payloads taken${refusedText(ways, field)}`);
  for (const [field, count] of ways.refused)
    if (!ways.taken.has(field))
      lines.push(`  ${field}: ${count} payloads refused (${ways.refusals.get(field) ?? ""})`);
  for (const [index, text] of payloads.entries())
    if (!seen.has(index + 1)) lines.push(`  payload ${index + 1} was on no page as text: ${text}`);
  lines.push(
    `${payloads.length} payloads, taken ${total} times through ${ways.taken.size} ways; ${seen.size} of them shown as text on ` +
      `${withPayloads} of ${routes.length} pages; each page with the strict policy.`,
  );
  return { lines, findings };
}

const refusedText = ({ refused }: WaysIn, field: string): string =>
  refused.has(field) ? `, ${refused.get(field)} refused` : "";

async function visit(
  browser: Contexts,
  { url }: ConsoleServer,
  path: string,
  findings: string[],
): Promise<ReadonlySet<number>> {
  const answer = await fetch(url + path, { headers: { accept: "text/html" } });
  await answer.body?.cancel();
  findings.push(...policyFaults(answer.headers).map((each) => `${path}: ${each}`));
  const context = await browser.context();
  try {
    const watched = await watch(context, url);
    watched.page.setDefaultTimeout(30_000);
    await watched.page.goto(url + path);
    await settled(watched.page);
    const numbers = await watched.look();
    findings.push(...[...watched.findings].map((each) => `${path}: ${each}`));
    return numbers;
  } catch (error) {
    findings.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    return new Set();
  } finally {
    await context.close();
  }
}
