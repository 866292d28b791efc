import assert from "node:assert/strict";
import type { Caller } from "../support/caller.ts";
import { loseNext } from "../support/lost-answers.ts";
import { provision } from "../support/seed.ts";
import type { Story } from "../support/story.ts";
import { unitOf } from "../support/units.ts";

const path = "**/api/builder/access-requests";

export const story: Story = {
  title:
    "an access request whose answer got lost is opened once, and one that was changed since says that the first has arrived",
  async tell({ open, server: { guest } }) {
    const unit = unitOf("cable-cars");
    await provision(guest, unit, "COMPLETED");
    const page = await open(`/units/${encodeURIComponent(unit.id)}?tab=access&env=development`, {
      expected: ["ERR_FAILED", "409"],
    });
    await page.getByRole("button", { name: "Request access" }).click();
    const dialog = page.getByRole("dialog", { name: "Request access in development" });
    await dialog.getByLabel("Reason").fill("To see who queues.");
    await loseNext(page, path, "answer");
    await dialog.getByRole("button", { name: "Send request" }).click();
    await dialog.getByText("Plinth could not send the request").waitFor();
    const [first] = await idsOf(guest, unit.id);
    await dialog.getByRole("button", { name: "Send request" }).click();
    await page.waitForURL(`**/access/${first}*`);
    assert.deepEqual(await idsOf(guest, unit.id), [first], "the same request was opened once");

    await page.unroute(path);
    await page.goto(`${new URL(page.url()).origin}/access?ask=GRANT&unit=${encodeURIComponent(unit.id)}`);
    await page.getByRole("combobox", { name: "Output ports" }).click();
    await page.getByRole("option", { name: "view" }).click();
    await page.keyboard.press("Escape");
    await page.getByLabel("Why").fill("For the map.");
    await loseNext(page, path, "answer");
    await page.getByRole("button", { name: "Send the request" }).click();
    await page.getByText("Plinth could not send the request").waitFor();
    const second = (await idsOf(guest, unit.id)).find((id) => id !== first);
    await page.getByLabel("Why").fill("For the map of cable cars.");
    await page.getByRole("button", { name: "Send the request" }).click();
    await page.getByText("The request that you sent before has arrived").waitFor();
    assert.equal((await idsOf(guest, unit.id)).length, 2, "the changed one was not opened beside it");
    const link = page.getByRole("link", { name: "See that request" });
    assert.equal(await link.getAttribute("href"), `/access/${second}`);
    await page.getByRole("button", { name: "Send the request" }).click();
    await page.getByRole("heading", { level: 1, name: "Access to view of cable-cars" }).waitFor();
    assert.equal((await idsOf(guest, unit.id)).length, 3, "who needs both sends it again");
  },
};

/** Of the requests about that unit. */
async function idsOf(guest: Caller, unitId: string): Promise<string[]> {
  const { data } = await guest.call("GET", "/api/builder/access-requests?limit=100");
  return data
    .filter(({ deploymentUnitId }: any) => deploymentUnitId === unitId)
    .map(({ id }: any) => String(id));
}
