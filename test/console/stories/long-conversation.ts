import assert from "node:assert/strict";
import type { Story } from "../support/story.ts";

/** More than are kept when they are not shown. */
const questions = 43;

export const story: Story = {
  title: "in a long conversation with all its questions shown the answer is seen as it comes",
  async tell({ server: { guest }, open }) {
    const path = "/api/assistant/v2/task/sync";
    const { session_id: sessionId } = await guest.call("POST", path, { message: "question 1" });
    for (let index = 2; index <= questions; index += 1)
      await guest.call("POST", path, { message: `question ${index}`, session_id: sessionId });
    const page = await open(`/assistant/${sessionId}`);
    await page.getByRole("button", { name: "Show earlier questions" }).click();
    await page.getByRole("heading", { name: "You asked: question 1", exact: true }).waitFor();
    const question = page.getByLabel("Your question");
    await question.fill("Be slow and patient, please");
    await question.press("Enter");
    await page.getByText(/word5\b/).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("You stopped this answer.").waitFor();
    const shown = await page.getByRole("main").innerText();
    assert.doesNotMatch(shown, /word80\b/, "it was seen before it had ended");
  },
};
