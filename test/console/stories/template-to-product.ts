import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { settled } from "../support/browser.ts";
import type { ConsoleServer } from "../support/server.ts";
import type { Story } from "../support/story.ts";
import { run } from "../support/seed-templates.ts";

const system = "system:default/harbour.tugs.0";
const view = "component:default/harbour.tugs.0.positions";
const unitId = "urn:dmb:dp:harbour:tugs:0";
const environment = "development";

export const story: Story = {
  title: "a product is made of templates, runs, and is edited",
  async tell({ server, open }) {
    const page = await open("/templates", { expected: ["status of 400"] });
    await makeSystem(page);
    await makeView(page, server);
    await provisionIt(page, server);
    await editView(page);
    await retryAndCorrect(page);
  },
};

/** Gallery, pages with pickers, a correction of the server, dry run, start, live log. */
async function makeSystem(page: Page): Promise<void> {
  await page.getByLabel("Search templates").fill("components are added");
  const templates = page.getByRole("table", { name: "Templates" });
  await templates.getByRole("link", { name: "Table" }).first().waitFor({ state: "detached" });
  await templates.getByRole("link", { name: "Data product" }).click();
  await page.getByRole("heading", { level: 2, name: "What it is" }).waitFor();
  await page.getByRole("textbox", { name: "Title" }).fill("Tugs");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("It is missing.").first().waitFor();
  await page.getByRole("textbox", { name: "Name" }).fill("tugs");
  await pick(page, "Domain", "domain:default/harbour", "domain:harbour");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { level: 2, name: "Who answers for it" }).waitFor();
  await pick(page, "Owner", "system:default/nobody", "system:nobody");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { level: 2, name: "Review and start" }).waitFor();
  // A reload loses nothing.
  await page.reload();
  await page.getByRole("heading", { level: 2, name: "Review and start" }).waitFor();
  await page.getByText("domain:default/harbour").waitFor();
  // The server knows more than the form: the page with the field comes back, with its problem at the field.
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("heading", { level: 2, name: "Who answers for it" }).waitFor();
  await page.getByText("It must be a reference of the kind Group or User.").first().waitFor();
  await pick(page, "Owner", "fleet", "group:fleet-team");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Dry run" }).click();
  const dryRun = page.getByRole("region", { name: "Dry run" });
  await dryRun.getByRole("navigation", { name: "Files" }).getByRole("button", { name: "README.md" }).click();
  await dryRun.getByRole("region", { name: "README.md" }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("file"), "README.md");
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("region", { name: "What was made" }).getByRole("link", { name: system }).waitFor();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("log", { name: "Log of Publish" }).getByText("is done").waitFor();
}

/** A component of the system, found by its type; its table is there already. */
async function makeView(page: Page, server: ConsoleServer): Promise<void> {
  const columns = [
    { name: "tug", type: "STRING" },
    { name: "seen_at", type: "TIMESTAMPZ" },
  ];
  const table = await run(server, "table", { system, name: "tugs", columns });
  assert.equal(table.status, "completed", String(table.error));
  await page.getByRole("link", { name: system }).click();
  await page.getByRole("heading", { level: 1, name: "Tugs" }).waitFor();
  await page.getByRole("link", { name: "Templates" }).last().click();
  await page.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: "outputport" }).click();
  const templates = page.getByRole("table", { name: "Templates" });
  await templates.getByRole("link", { name: "Table" }).first().waitFor({ state: "detached" });
  await templates.getByRole("link", { name: "View for others" }).click();
  await pick(page, "System", "tugs", /tugs/);
  await page.getByRole("textbox", { name: "Name", exact: true }).first().fill("positions");
  await page.getByRole("textbox", { name: "Table behind it" }).fill("tugs");
  await page.getByRole("textbox", { name: "Description" }).fill("Where the tugs are");
  await page.getByRole("textbox", { name: "name", exact: true }).last().fill("tug");
  await page.getByRole("textbox", { name: "type", exact: true }).fill("STRING");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("region", { name: "What was made" }).getByRole("link", { name: view }).click();
  await page.getByRole("heading", { level: 1, name: "harbour.tugs.0.positions" }).waitFor();
}

/** Its adapters are there; what is deployed is looked at first, and the plan followed to its end. */
async function provisionIt(page: Page, { guest, mock }: ConsoleServer): Promise<void> {
  for (const name of ["postgres-storage", "postgres-outputport"])
    await guest.call("POST", "/api/builder/register", {
      id: `urn:dmb:itm:${name}:1`,
      name,
      description: "Stands for the PostgreSQL adapter",
      version: "1",
      url: mock.url,
      environment,
    });
  await page.getByRole("link", { name: system }).first().click();
  await page.getByRole("heading", { level: 1, name: "Tugs" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Provision" }).click();
  await page.getByRole("heading", { level: 1, name: "Provision" }).waitFor();
  const changes = page.getByRole("table", { name: "Planned changes" });
  await changes.getByRole("row", { name: /positions Deploy/ }).waitFor();
  await page.getByRole("button", { name: "Start 2 changes" }).click();
  await page.getByRole("heading", { level: 1, name: "Deploy Tugs" }).waitFor();
  const tasks = page.getByRole("table", { name: "Tasks" });
  await tasks.getByRole("row", { name: /Provision .*positions .*Completed/ }).waitFor();
  const progress = page.getByRole("progressbar", { name: "Progress of the plan" });
  await progress.and(page.locator('[aria-valuetext$="done"]')).waitFor();
  const status = `/api/coordinator/v1/deployment-units/${unitId}/provisioning-status?environment=${environment}`;
  assert.equal((await guest.call("GET", status)).status, "DEPLOYED");
}

/** The entity offers its edit; the form has what it has now; the patch is looked at and accepted. */
async function editView(page: Page): Promise<void> {
  await page.goto(new URL(`/catalogue/${encodeURIComponent(view)}`, page.url()).href);
  await page.getByRole("link", { name: "Edit a view" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  const description = page.getByRole("textbox", { name: "Description" });
  await description.waitFor();
  assert.equal(await description.inputValue(), "Where the tugs are");
  await description.fill("Where each tug was seen last");
  await page.getByRole("button", { name: "Add to Columns" }).click();
  await page.getByRole("textbox", { name: "name", exact: true }).last().fill("seen_at");
  await page.getByRole("textbox", { name: "type", exact: true }).last().fill("TIMESTAMPZ");
  await page.getByRole("button", { name: "Next" }).click();
  await page
    .getByRole("region", { name: environment })
    .getByRole("textbox", { name: "Label" })
    .fill("try it");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Make the change" }).click();
  const patch = page.getByRole("region", { name: "patch" });
  await patch.getByText("Where each tug was seen last").waitFor();
  await page.getByRole("button", { name: /^Accept into/ }).click();
  await page.getByText("Accepted").waitFor();
  await page.getByRole("status").getByRole("link", { name: view }).click();
  await page.getByText("Where each tug was seen last").first().waitFor();
}

/** A run that failed is opened at its failed step, and its values begin a new one. */
async function retryAndCorrect(page: Page): Promise<void> {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Template runs" }).click();
  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "Failed" }).click();
  await page
    .getByRole("table", { name: "Template runs" })
    .getByRole("link", { name: "View for others" })
    .first()
    .click();
  await page.getByRole("alert").getByText("The catalogue has no component").waitFor();
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("dialog").getByText("Look up the source").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Retry" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByText("has the task tried again").waitFor();
  await page.getByRole("link", { name: "Start again with these values" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).waitFor();
  assert.equal(
    await page.getByRole("textbox", { name: "Name", exact: true }).inputValue(),
    "departures-today",
  );
  await settled(page);
}

/** Types into a picker and takes what it offers. */
async function pick(page: Page, label: string, typed: string, option: string | RegExp): Promise<void> {
  const field = page.getByRole("combobox", { name: label });
  await field.click();
  await field.fill(typed);
  await page.getByRole("option", { name: option }).first().click();
}
