import assert from "node:assert/strict";
import { adaRef } from "../support/seed-approvals.ts";
import { provision } from "../support/seed.ts";
import type { Story } from "../support/story.ts";
import { unitOf } from "../support/units.ts";

export const story: Story = {
  title:
    "access is requested, approved by another person, and used; and a decision that came too late is explained",
  async tell({ open, server }) {
    const { guest, ada, mock } = server;
    const unit = unitOf("bike-racks", { owner: adaRef });
    await provision(guest, unit, "COMPLETED");

    const page = await open("/access");
    await page.getByRole("link", { name: "Request access" }).click();
    await page.getByRole("heading", { level: 1, name: "Request access" }).waitFor();
    await page.getByRole("button", { name: "Send the request" }).click();
    await page.getByText("Choose a unit.").waitFor();
    await page.getByRole("combobox", { name: "Unit", exact: true }).fill("bike");
    await page.getByRole("option", { name: "bike-racks" }).click();
    await page.getByRole("combobox", { name: "Output ports" }).click();
    await page.getByRole("option", { name: "view" }).click();
    await page.keyboard.press("Escape");
    await page.getByLabel("Why").fill("Where racks are full every morning.");
    await page.getByRole("button", { name: "Send the request" }).click();

    await page.getByRole("heading", { level: 1, name: "Access to view of bike-racks" }).waitFor();
    await page.getByText("can act: service ada, operators").waitFor();
    const requestId = new URL(page.url()).pathname.split("/").at(-1);
    const request = await guest.call("GET", `/api/builder/access-requests/${requestId}`);
    await ada.call("POST", `/api/builder/hooks/${request.hooks[0].hookId}/answer`, {
      status: "OK",
      reason: "Until the end of the year.",
    });
    await page.getByText("Granted", { exact: true }).first().waitFor();
    await page.getByRole("table", { name: "Decisions" }).getByText("Until the end of the year.").waitFor();
    const effect = mock
      .effects()
      .find(
        ({ operation, componentId }) => operation === "updateacl" && componentId === unit.components[2]?.id,
      );
    assert.equal(effect?.acted, 1, "the adapter was told once who has access");

    await page.getByRole("link", { name: "Access requests" }).click();
    await page.getByRole("tab", { name: "Who has access" }).click();
    await page.getByRole("combobox", { name: "Unit in development" }).fill("bike");
    await page.getByRole("option", { name: "bike-racks" }).click();
    const grants = page.getByRole("table", { name: "Who has access" });
    await grants.getByRole("row", { name: /user guest view/ }).waitFor();

    // Who has access reads the port where its adapter says that it is.
    await page.goto(`${server.url}/units/${encodeURIComponent(unit.id)}?tab=components`);
    await page.getByRole("table", { name: "Components" }).getByRole("link", { name: "view" }).click();
    await page.getByRole("heading", { name: "Information of the adapter in development" }).waitFor();
    await page.getByLabel("information of the adapter").getByText(String(unit.components[2]?.id)).waitFor();

    await decideTooLate({ open, server });
  },
};

/** Ada refuses while the guest reads. */
async function decideTooLate({ open, server: { ada } }: Parameters<Story["tell"]>[0]): Promise<void> {
  const unit = unitOf("bike-racks");
  const { hooks } = await ada.call("POST", "/api/builder/access-requests", {
    deploymentUnitId: unit.id,
    environment: "development",
    outputPortUrns: [unit.components[2]?.id],
    identities: ["group:default/fleet-team"],
    reason: "For the map.",
  });
  const page = await open(`/hooks/${hooks[0].hookId}`, { expected: ["409"] });
  await page.getByRole("heading", { level: 1, name: "Access to bike-racks in development" }).waitFor();
  await page.getByLabel("Reason").fill("The map is public anyway.");
  await ada.call("POST", `/api/builder/hooks/${hooks[0].hookId}/answer`, {
    status: "KO",
    reason: "No longer needed.",
  });
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Somebody else decided meanwhile").waitFor();
  await page.getByText("Your answer, to approve, changed nothing.").waitFor();
  await page.getByText("What you wrote was not sent: “The map is public anyway.”").waitFor();
  await page.getByText("Refused by service ada").waitFor();
  await page.getByText("No longer needed.").waitFor();
}
