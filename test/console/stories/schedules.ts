import assert from "node:assert/strict";
import type { Story } from "../support/story.ts";

const path = "/api/coordinator/v1/maintenance-windows";

export const story: Story = {
  title:
    "an operator adds a freeze to an environment, sees when it holds, takes it away, and loses nothing when somebody else saves meanwhile",
  async tell({ server, open }) {
    const page = await open("/schedules", { expected: ["409"] });
    const card = page.getByRole("region", { name: "production" });
    const edit = card.getByRole("link", { name: "Edit the windows of production" });
    await edit.click();
    await card.getByRole("button", { name: "Add a window" }).click();
    const added = card.getByRole("group", { name: "the new window" });
    await added.getByLabel("Name").fill("Stocktaking");
    const named = card.getByRole("group", { name: "Stocktaking" });
    await named.getByLabel("As cron").fill("0 6 * * mon");
    await card.getByRole("button", { name: "Save production" }).click();
    await card.getByText("Mondays at 06:00", { exact: false }).waitFor();
    const windows = async (): Promise<string[]> => {
      const { data } = await server.guest.call("GET", path);
      const found = data.find(({ environment }: any) => environment === "production");
      return found.windows.map(({ name }: any) => name);
    };
    assert.deepEqual(await windows(), ["Every week", "Turn of the year", "Stocktaking"]);

    await edit.click();
    await card.getByRole("button", { name: "Remove Stocktaking" }).click();
    await card.getByRole("button", { name: "Save production" }).click();
    await edit.waitFor();
    assert.equal(await card.getByText("Mondays at 06:00", { exact: false }).count(), 0);
    assert.deepEqual(await windows(), ["Every week", "Turn of the year"]);

    await edit.click();
    await card.getByRole("button", { name: "Add a window" }).click();
    await card.getByRole("group", { name: "the new window" }).getByLabel("Name").fill("Mine");
    const { data } = await server.guest.call("GET", path);
    const { version, windows: before } = data.find(({ environment }: any) => environment === "production");
    const theirs = { ...before[0], name: "Theirs" };
    await server.guest.call("PUT", `${path}/production`, { version, windows: [...before, theirs] });
    await card.getByRole("button", { name: "Save production" }).click();
    const conflict = card.getByRole("alert");
    await conflict.getByText("Theirs: ", { exact: false }).waitFor();
    await card.getByRole("group", { name: "Mine" }).waitFor();
    await conflict.getByRole("button", { name: "Save mine over it" }).click();
    await edit.waitFor();
    assert.deepEqual(await windows(), ["Every week", "Turn of the year", "Mine"]);

    await edit.click();
    await card.getByRole("button", { name: "Remove Mine" }).click();
    await card.getByRole("button", { name: "Save production" }).click();
    await edit.waitFor();
    assert.deepEqual(await windows(), ["Every week", "Turn of the year"]);
  },
};
