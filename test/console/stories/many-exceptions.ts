import assert from "node:assert/strict";
import { adaRef, askForException, warnOfMissingContacts } from "../support/seed-approvals.ts";
import { provision } from "../support/seed.ts";
import { holdAnswers } from "../support/lost-answers.ts";
import type { Story } from "../support/story.ts";
import { unitOf } from "../support/units.ts";

const exceptions = "/v1/computational-governance/exceptions";
/** More than the server lists at once. */
const count = 102;

export const story: Story = {
  title: "of more exceptions than a list shows at once the newest and the oldest can be decided",
  async tell({ open, server }) {
    const { guest, ada } = server;
    const name = "pedal-boats";
    await provision(guest, unitOf(name, { owner: adaRef }), "COMPLETED");
    const policy = await warnOfMissingContacts(server, name);
    const ids: string[] = [];
    for (let asked = 0; asked < count; asked += 1) ids.push(await askForException(server, policy, name));

    const page = await open("/units");
    // An operator decides while what waits is still being read.
    const waiting = await holdAnswers(page, "**/api/coordinator/v1/waiting?kind=EXCEPTION*");
    await page.goto(`${server.url}/exceptions?policy=${policy}`);
    const newest = page.getByRole("table", { name: "Exceptions" }).getByRole("row").nth(1);
    await newest.getByRole("button", { name: "Decide" }).click();
    const decision = page.getByRole("dialog", { name: "Exception from a policy" });
    await decision.getByLabel("Reason").fill("One of them is enough.");
    await decision.getByRole("button", { name: "Reject" }).click();
    waiting.release();
    await page.getByRole("status").filter({ hasText: "You rejected the exception" }).waitFor();

    await page.goto(`${server.url}/waiting?kind=${encodeURIComponent('["EXCEPTION"]')}`);
    const oldest = page
      .getByRole("list", { name: "What waits" })
      .getByRole("listitem")
      .filter({ hasText: policy })
      .first();
    await oldest.getByRole("button", { name: "Decide" }).click();
    await decision.getByText("The team is being put together.").waitFor();
    await decision.getByLabel("Reason").fill("Until the team is there.");
    await decision.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("status").filter({ hasText: "You approved the exception" }).waitFor();

    const { data } = await guest.call("GET", `${exceptions}?policy=${policy}&limit=1000`);
    const decided = new Map(data.map(({ id, status }: any) => [id, status]));
    assert.deepEqual([decided.get(ids.at(-1)), decided.get(ids[0])], ["rejected", "approved"]);
    // Other stories look at what waits.
    for (const id of ids.slice(1, -1)) await ada.call("DELETE", `${exceptions}/${id}`);
  },
};
