import assert from "node:assert/strict";
import type { Story } from "../support/story.ts";

export const story: Story = {
  title:
    "an answer goes on while one is on another page, and where it was after a reload; stopping it ends it",
  async tell({ server, open }) {
    const page = await open("/assistant");
    const question = page.getByLabel("Your question");
    await question.fill("A slow answer, please");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    const answer = page.getByText("word1 ");
    await page.getByText(/word5\b/).waitFor();
    await page.reload();
    await page.getByText(/word5\b/).waitFor();
    assert.doesNotMatch(await answer.innerText(), /word80/, "the reload came in the middle");
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
    await page.goBack();
    await page.getByText(/word80\b/).waitFor();
    const all = (await page.getByRole("main").innerText()).match(/word\d+/g) ?? [];
    assert.deepEqual(
      all,
      Array.from({ length: 80 }, (_, index) => `word${index + 1}`),
      "each word once and in order",
    );
    await page.getByText("tokens read").waitFor();
    const session = new URL(page.url()).pathname.split("/").at(-1);
    const path = `/api/assistant/v2/sessions/${session}/messages`;
    assert.equal((await server.guest.call("GET", path)).data.length, 2, "it was asked once");

    await question.fill("Another slow answer");
    await question.press("Enter");
    await page
      .getByText(/word5\b/)
      .nth(1)
      .waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("You stopped this answer.").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    const { data } = await server.guest.call("GET", path);
    assert.doesNotMatch(data.at(-1).content, /word80/);

    await question.fill("Now it is broken");
    await question.press("Enter");
    await page.getByText("The provider refused the model's key").waitFor();
    await page.getByText("What to do: An operator corrects the key").waitFor();
    await question.fill("One that is cut off");
    await question.press("Enter");
    await page.getByText("The answer is cut").waitFor();
  },
};
