/**
 * The strict policy on every page, and scripts that come in as data: `npm run test:console-csp`. Ends with 1 when a page breaks the
 * policy, is answered without it, or runs what it should show.
 */
import assert from "node:assert/strict";
import { openBrowser, settled } from "./support/browser.ts";
import { payloadsInUnits } from "./support/payloads.ts";
import { payloadsInTemplates } from "./support/payloads-in-templates.ts";
import { chosenRoutes, shownRoutes } from "./support/routes.ts";
import { startConsoleServer } from "./support/server.ts";

const server = await startConsoleServer();
const browser = await openBrowser();
const found: string[] = [];
try {
  const written = [...(await payloadsInUnits(server)), ...(await payloadsInTemplates(server))];
  const routes = chosenRoutes([...(await shownRoutes(server)), ...written], process.argv.slice(2));
  for (const { path } of routes) {
    const answer = await fetch(server.url + path, { headers: { accept: "text/html" } });
    checkPolicy(answer.headers.get("content-security-policy") ?? "", path);
    const tab = await browser.open(server.url + path);
    await settled(tab.page);
    // A payload that runs sets this, whatever way it came in by.
    const ran = await tab.page.evaluate(() => (globalThis as { payloadRan?: unknown }).payloadRan);
    if (ran !== undefined) found.push(`${path}: the payload ${JSON.stringify(ran)} was executed`);
    const inline = await tab.page.locator("script:not([src]), [onclick], [onload], [onerror]").count();
    if (inline > 0) found.push(`${path}: has ${inline} inline scripts`);
    found.push(...tab.faults.map((fault) => `${path}: ${fault}`));
    await tab.close();
  }
  console.log(`${routes.length} pages, ${written.length} of them with payloads: ${found.length} findings.`);
} finally {
  await browser.close();
  await server.close();
}
for (const each of found) console.error(each);
process.exitCode = found.length === 0 ? 0 : 1;

function checkPolicy(policy: string, path: string): void {
  const directives = new Map(policy.split("; ").map((each) => [each.split(" ", 1)[0] ?? "", each]));
  assert.equal(directives.get("default-src"), "default-src 'none'", path);
  assert.equal(directives.get("script-src"), "script-src 'self'", path);
  assert.match(directives.get("style-src") ?? "", /^style-src 'self' 'nonce-[\w+/=-]{16,}'$/, path);
  assert.equal(directives.get("frame-ancestors"), "frame-ancestors 'none'", path);
  assert.equal(directives.get("base-uri"), "base-uri 'none'", path);
}
