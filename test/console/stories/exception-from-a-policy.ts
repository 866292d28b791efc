import { adaRef, askForException, warnOfMissingContacts } from "../support/seed-approvals.ts";
import { provision } from "../support/seed.ts";
import type { Story } from "../support/story.ts";
import { unitOf } from "../support/units.ts";

export const story: Story = {
  title:
    "a policy is tried on everything, an exception requested and decided by another person, and another one decided here",
  async tell({ open, server }) {
    const { guest, ada } = server;
    const name = "tram-depots";
    await provision(guest, unitOf(name, { owner: adaRef }), "COMPLETED");
    const policy = await warnOfMissingContacts(server, name);

    const page = await open(`/policies/${policy}`);
    await page.getByRole("tab", { name: "Try it" }).click();
    await page.getByRole("button", { name: "Try it on everything in development" }).click();
    const report = page.getByRole("table", { name: "Report" });
    await report.getByText("Nobody is named as a contact.").waitFor();
    await report.getByRole("link", { name: `Request an exception for ${name}` }).click();

    const form = page.getByRole("dialog", { name: "Request an exception" });
    await form.getByRole("button", { name: "Request" }).click();
    await form.getByText("Say why.").waitFor();
    await form.getByLabel("Reason").fill("The depot is being rebuilt.");
    await form.getByRole("button", { name: "Request" }).click();
    await form.waitFor({ state: "hidden" });
    const table = page.getByRole("table", { name: "Exceptions" });
    const row = table.getByRole("row", { name: /The depot is being rebuilt/ });
    await row
      .getByText("You asked for it: another operator, or whoever owns all that it excuses decides.")
      .waitFor();

    const { data } = await guest.call("GET", `/v1/computational-governance/exceptions?policy=${policy}`);
    await ada.call("POST", `/v1/computational-governance/exceptions/${data[0].id}/decision`, {
      approve: true,
      reason: "Until it opens again.",
    });
    await page.reload();
    await row.getByText("service ada: Until it opens again.").waitFor();
    await row.getByRole("button", { name: "Revoke" }).click();
    await page
      .getByRole("dialog", { name: "Revoke the exception" })
      .getByRole("button", { name: "Revoke" })
      .click();
    await row.getByText("Revoked").waitFor();

    await askForException(server, policy, name);
    await page.getByRole("link", { name: "Waits for me" }).click();
    const item = page
      .getByRole("list", { name: "What waits" })
      .getByRole("listitem")
      .filter({ hasText: policy });
    await item.getByRole("button", { name: "Decide" }).click();
    const decision = page.getByRole("dialog", { name: "Exception from a policy" });
    await decision.getByText("The team is being put together.").waitFor();
    await decision.getByLabel("Reason").fill("They have had two months.");
    await decision.getByRole("button", { name: "Reject" }).click();
    await page
      .getByRole("status")
      .filter({ hasText: `You rejected the exception from ${policy}` })
      .waitFor();
    await item.waitFor({ state: "detached" });
  },
};
