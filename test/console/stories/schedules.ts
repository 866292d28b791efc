import assert from "node:assert/strict";
import type { Story } from "../support/story.ts";

const path = "/api/coordinator/v1/maintenance-windows";

export const story: Story = {
  title: "an operator adds a freeze to an environment, sees when it holds, and takes it away",
  async tell({ server, open }) {
    const page = await open("/schedules");
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
  },
};
