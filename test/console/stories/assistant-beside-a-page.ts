import assert from "node:assert/strict";
import type { Story } from "../support/story.ts";
import { unitOf } from "../support/units.ts";

const unit = unitOf("fleet-positions").id;

export const story: Story = {
  title:
    "asked beside a page the assistant knows what it shows, keeps a question that is not asked yet, stays from page to page, and its conversation is found, named and deleted",
  async tell({ server, open }) {
    // By keyboard: a link loads its page when it gets the focus, and one leads to a plan that does not exist.
    const page = await open(`/units/${encodeURIComponent(unit)}`, {
      expected: ["execution-plans/of-nowhere/status"],
    });
    await page.getByRole("button", { name: "Ask the assistant" }).click();
    const panel = page.getByRole("complementary", { name: "Assistant" });
    const question = panel.getByLabel("Your question");
    await panel.getByText("About Unit fleet-positions").waitFor();
    await question.fill("What waits, by the way of zebras?");
    await panel.getByRole("combobox", { name: "Agent" }).click();
    const agents = page.locator('[role="option"]:visible');
    await agents.first().waitFor();
    await page.keyboard.press("Escape");
    await agents.first().waitFor({ state: "detached" });
    await question.press("Escape");
    await panel.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Ask the assistant" }).click();
    assert.equal(await question.inputValue(), "What waits, by the way of zebras?");
    await question.press("Enter");
    await panel.getByText("Two things need you").waitFor();
    const asked = server.model.requests.map(({ body }) =>
      body.messages.findLast(({ role }) => role === "user"),
    );
    const mine = asked.find((message) => message?.content?.includes("zebras"));
    assert.match(mine?.content ?? "", new RegExp(unit), "the model was told which unit is shown");

    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Adapters" }).click();
    await page.getByRole("heading", { level: 1, name: "Adapters" }).waitFor();
    await panel.getByText("About Adapters").waitFor();
    await panel.getByText("Two things need you").waitFor();
    await panel.getByRole("button", { name: "Do not tell the assistant what I look at" }).click();
    await panel.getByText("About Adapters").waitFor({ state: "detached" });
    await panel.getByRole("link", { name: "Open" }).click();
    await panel.waitFor({ state: "detached" });
    await page.getByRole("navigation", { name: "Conversations" }).waitFor();

    await page.getByRole("button", { name: "Rename" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill("Of stripes");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("heading", { level: 1, name: "Of stripes" }).waitFor();
    const list = page.getByRole("navigation", { name: "Conversations" });
    await list.getByLabel("Search conversations").fill("zebr");
    await list.getByText("You: What waits, by the way of zebras?").waitFor();
    assert.equal(new URL(page.url()).searchParams.get("q"), "zebr");

    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { level: 1, name: "Assistant" }).waitFor();
    await list.getByText("Of stripes").waitFor({ state: "detached" });
  },
};
