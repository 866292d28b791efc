import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { watchEvents } from "../support/page-events.ts";
import { withReplicas, type Replicas } from "../support/replicas.ts";
import type { Story } from "../support/story.ts";
import { startBody, startPath, unitOf } from "../support/units.ts";

export const story: Story = {
  title:
    "all processes are restarted under an open page: it goes on by itself, each event of the plan comes once, in order",
  tell: ({ open }) =>
    withReplicas(async (replicas) => {
      const part = { mode: "async", runningMs: 9000, logs: { lines: 60, style: "growing" } };
      const unit = unitOf("tram-stops", { mock: { raw: part, refine: part, view: part } });
      const planId = await replicas.guest.call<string>("POST", startPath(unit), startBody(unit));
      const page = await open(`${replicas.url}/units`, { expected: ["ERR_", "502", "503"] });
      await page.getByRole("heading", { level: 1, name: "Units" }).waitFor();
      const events = await watchEvents(page, planId);
      await goWithinPage(page, `/plans/${planId}`);
      await page.getByRole("heading", { level: 1, name: "Deploy tram-stops" }).waitFor();
      await page.getByText("Live", { exact: true }).waitFor();
      await replicas.restartAll();
      await page.getByText("Live", { exact: true }).waitFor();
      await replicas.whileAllAreAway(() => page.getByText("The server cannot be reached").waitFor());
      await page.getByText("The server cannot be reached").waitFor({ state: "detached" });

      const progress = page.getByRole("progressbar", { name: "Progress of the plan" });
      await progress.and(page.locator('[aria-valuetext="10 done"]')).waitFor({ timeout: 120_000 });
      await page
        .getByRole("table", { name: "Tasks" })
        .getByRole("row", { name: /Provision view .*Completed/ })
        .waitFor();
      // A page that was loaded anew would have forgotten what it got.
      const { ids, connections } = await events();
      assert.ok(connections >= 3, `the page followed the plan over ${connections} connections`);
      assert.deepEqual(ids, await idsOf(replicas, planId));
    }),
};

/** Opens a page of the console as a link in it does, without loading it. */
async function goWithinPage(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    const { history, dispatchEvent, PopStateEvent } = globalThis as any;
    history.pushState({}, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
}

/** All events of a plan that has ended, read at once. */
async function idsOf({ url }: Replicas, planId: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/coordinator/v1/execution-plans/${planId}/events`);
  assert.equal(answer.status, 200);
  return [...(await answer.text()).matchAll(/^id: ?(.+)$/gm)].map(([, id = ""]) => id);
}
