import assert from "node:assert/strict";
import { freePort } from "../../support/http-peer.ts";
import { settled } from "../support/browser.ts";
import { startProxy } from "../support/proxy.ts";
import { provision } from "../support/seed.ts";
import { startConsoleServer } from "../support/server.ts";
import type { Story } from "../support/story.ts";
import { unitOf } from "../support/units.ts";

const below = "/data/plinth";

export const story: Story = {
  title: "below a path of a proxy: pages, links, live plans, files and the reference are all found below it",
  async tell({ open }) {
    const port = await freePort();
    const server = await startConsoleServer({
      seeded: "adapters",
      configure: (config) => void (config.server.baseUrl = `http://127.0.0.1:${port}${below}`),
    });
    await using opened = new AsyncDisposableStack();
    opened.defer(() => server.close());
    const proxy = await startProxy({ targets: () => [server.url], below, port });
    opened.defer(() => proxy.close());
    const planId = await provision(server.guest, unitOf("quays"), "COMPLETED");
    const page = await open(`${proxy.url}${below}/`);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: "Units", exact: true })
      .click();
    await page.getByRole("link", { name: "quays" }).click();
    await page.getByRole("heading", { level: 1, name: "quays" }).waitFor();
    assert.match(new URL(page.url()).pathname, /^\/data\/plinth\/units\/urn/);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "quays" }).waitFor();

    await page.getByRole("link", { name: "Deploy to development" }).click();
    await page.getByRole("button", { name: "Start 3 changes" }).click();
    await page.getByRole("heading", { level: 1, name: "Deploy quays" }).waitFor();
    const progress = page.getByRole("progressbar", { name: "Progress of the plan" });
    await progress.and(page.locator('[aria-valuetext="10 done"]')).waitFor();
    await page.goto(`${proxy.url}${below}/plans/${planId}`);
    await page.getByRole("heading", { level: 1, name: "Deploy quays" }).waitFor();
    await settled(page);

    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitem", { name: "API reference" }).click();
    await page.getByRole("link", { name: "Plinth provisioning coordinator" }).click();
    await page.waitForURL(`**${below}/docs/coordinator`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const outside = asked.filter((url) => !url.startsWith(`${proxy.url}${below}`));
    assert.deepEqual(outside, [], "nothing is asked for outside of the path");
  },
};
