import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { holdAnswers, loseNext } from "../support/lost-answers.ts";
import type { Story } from "../support/story.ts";
import { unitOf } from "../support/units.ts";

const path = "**/api/assistant/v2/task";
const unit = unitOf("fleet-positions").id;

export const story: Story = {
  title:
    "a question that failed is asked again as it was, what is written meanwhile stays, and letters stay in their field",
  async tell({ open }) {
    const page = await open(`/units/${encodeURIComponent(unit)}`, { expected: ["ERR_FAILED"] });
    await askAgain(page);
    await writeMeanwhile(page);
    await goBackToTheField(page);
    await editAnArgument(page);
  },
};

const panelOf = (page: Page) => page.getByRole("complementary", { name: "Assistant" });
const fieldOf = (page: Page) => panelOf(page).getByLabel("Your question");

/** All that follows on a question has happened, so that the next one could be asked. */
const asksAgain = (page: Page): Promise<void> =>
  panelOf(page).locator('button[type="submit"]:enabled', { hasText: "Ask" }).waitFor();

/** On another page, with another text in the field. */
async function askAgain(page: Page): Promise<void> {
  const asked: { message: string; request_id: string; page_context: unknown }[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/v2/task")) asked.push(request.postDataJSON());
  });
  await loseNext(page, path, "request");
  await page.getByRole("button", { name: "Ask the assistant" }).click();
  await fieldOf(page).fill("How many stripes has a zebra?");
  await fieldOf(page).press("Enter");
  await panelOf(page).getByText("Plinth could not ask the assistant").waitFor();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Adapters" }).click();
  await panelOf(page).getByText("About Adapters").waitFor();
  await fieldOf(page).fill("And a tiger?");
  await panelOf(page).getByRole("button", { name: "Try again" }).click();
  await panelOf(page).getByRole("heading", { name: "You asked: How many stripes has a zebra?" }).waitFor();
  await panelOf(page).getByText("have no words for this").waitFor();
  await asksAgain(page);
  assert.equal(await fieldOf(page).inputValue(), "And a tiger?");
  assert.equal(asked.length, 2);
  assert.deepEqual(asked[1], asked[0], "it is the same request, about the page where it was asked");
  await page.unroute(path);
}

async function writeMeanwhile(page: Page): Promise<void> {
  const slow = await holdAnswers(page, path);
  await fieldOf(page).press("Enter");
  await slow.held;
  await fieldOf(page).fill("And a horse?");
  slow.release();
  await panelOf(page).getByRole("heading", { name: "You asked: And a tiger?" }).waitFor();
  await panelOf(page).getByText("have no words for this").nth(1).waitFor();
  await asksAgain(page);
  assert.equal(await fieldOf(page).inputValue(), "And a horse?");
  await page.unroute(path);
  await fieldOf(page).fill("");
}

/** The key opens the panel; where it is open the key leads to the field, and the conversation stays. */
async function goBackToTheField(page: Page): Promise<void> {
  const address = page.url();
  await page.locator("body").evaluate(() => (globalThis as any).document.activeElement.blur());
  await page.keyboard.press("a");
  assert.equal(
    await fieldOf(page).evaluate((field: any) => field === field.ownerDocument.activeElement),
    true,
  );
  assert.equal(page.url(), address);
  assert.equal(await fieldOf(page).inputValue(), "");
}

async function editAnArgument(page: Page): Promise<void> {
  await fieldOf(page).fill("Stop the deployment of rail-delays");
  await fieldOf(page).press("Enter");
  const card = panelOf(page).getByRole("region", { name: "Approval of terminate_provisioning" });
  await card.getByRole("button", { name: "Edit arguments" }).click();
  const argument = card.getByLabel("deploymentUnitId");
  const given = await argument.inputValue();
  const added = "a".repeat(100);
  await argument.focus();
  await page.keyboard.press("End");
  await page.keyboard.type(added);
  assert.equal(await argument.inputValue(), given + added);
  await card.getByRole("button", { name: "Refuse …" }).click();
  await card.getByRole("button", { name: "Refuse", exact: true }).click();
  await panelOf(page).getByText("You refused it").waitFor();
}
