import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { watchEvents } from "../support/page-events.ts";
import type { Story } from "../support/story.ts";
import { showTab } from "../support/tab-in-front.ts";
import { until } from "../support/until.ts";
import { startBody, startPath, unitOf } from "../support/units.ts";

/** As many as a browser opens connections to one server. */
const tabs = 6;

export const story: Story = {
  title:
    "with a running plan in each of six tabs a seventh opens, and a tab that is shown again gets what it has missed",
  async tell({ server: { url, guest }, open }) {
    const unit = unitOf("canal-boats", { mock: { refine: { mode: "async", runningMs: 3_600_000 } } });
    const planId = await guest.call<string>("POST", startPath(unit), startBody(unit));
    const first = await open("/operations");
    const events = await watchEvents(first, planId);
    await first
      .getByRole("link", { name: /canal-boats/ })
      .first()
      .click();
    await isLive(first);
    await showTab(first, false);
    for (let tab = 2; tab <= tabs; tab += 1) {
      const page = await first.context().newPage();
      await page.goto(`${url}/plans/${planId}`);
      await isLive(page);
      await showTab(page, false);
    }
    const last = await first.context().newPage();
    await last.goto(`${url}/units`);
    await last.getByRole("link", { name: "parcel-tracking" }).waitFor();

    await guest.call("POST", `/api/coordinator/v1/execution-plans/${planId}/terminate?mode=forced`);
    await until(
      () => guest.call("GET", `/api/coordinator/v1/execution-plans/${planId}/status`),
      ({ dag }) => dag.status === "TERMINATED",
    );
    const missed = await events();
    assert.equal(missed.connections, 1, "a hidden tab opens no stream");
    await showTab(first, true);
    await first.getByText("Terminated", { exact: true }).first().waitFor();
    const { ids } = await until(
      events,
      (seen) => seen.connections === 2 && seen.ids.length > missed.ids.length,
    );
    assert.equal(new Set(ids).size, ids.length, "each event came once");
  },
};

const isLive = (page: Page): Promise<void> => page.getByText("Live", { exact: true }).waitFor();
