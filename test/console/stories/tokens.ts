import assert from "node:assert/strict";
import { callerOf } from "../support/caller.ts";
import type { Story } from "../support/story.ts";

const who = "/api/auth/v1/whoami";

export const story: Story = {
  title: "a token is made, shown once, works with its scopes, and is revoked",
  async tell({ server, open }) {
    const page = await open("/tokens");
    await page.getByRole("button", { name: "New token" }).click();
    const dialog = page.getByRole("dialog", { name: "New token" });
    await dialog.getByLabel("What it is for").fill("dashboard");
    await dialog.getByRole("button", { name: "Make token" }).click();
    const shown = dialog.getByRole("region", { name: "the new token" });
    const token = (await shown.textContent()) ?? "";
    assert.match(token, /^plinth_/);
    await dialog.getByRole("button", { name: "I have stored it" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal((await callerOf(server.url, token).call("GET", who)).ref, "user:default/guest");

    const table = page.getByRole("table", { name: "My tokens and sessions" });
    await table.getByRole("row", { name: /dashboard/ }).waitFor();
    assert.equal(await page.getByText(token).count(), 0, "the token is shown once");
    await table.getByRole("button", { name: "Revoke dashboard" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await table.getByRole("row", { name: /dashboard/ }).waitFor({ state: "detached" });
    await assert.rejects(callerOf(server.url, token).call("GET", who), /answered 401/);
  },
};
