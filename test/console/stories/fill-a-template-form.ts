import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { startConsoleServer } from "../support/server.ts";
import type { Story } from "../support/story.ts";

/** More groups than a picker lists at once, of which the reader is in the last one. */
const crews = 40;
const people = [
  ...Array.from({ length: crews }, (_, index) => ({
    kind: "Group",
    metadata: { name: `crew-${String(index).padStart(2, "0")}` },
    spec: { type: "team", children: [] },
  })),
  {
    kind: "Group",
    metadata: { name: "night-crew", title: "The crew of the night" },
    spec: { type: "team", children: [] },
  },
  { kind: "User", metadata: { name: "guest" }, spec: { memberOf: ["night-crew"] } },
];

const template = {
  kind: "Template",
  metadata: { name: "every-field", title: "Every field" },
  spec: {
    owner: "group:default/night-crew",
    type: "service",
    parameters: [
      {
        title: "What it is",
        properties: {
          crew: { title: "Crew", type: "string", "ui:field": "MyGroupsPicker" },
          level: {
            title: "Level",
            type: "integer",
            enum: [1, 2, 3],
            enumNames: ["Low", "Middle", "High"],
            "ui:widget": "radio",
          },
          zones: {
            title: "Zones",
            type: "array",
            uniqueItems: true,
            items: { type: "string", enum: ["a", "b"], enumNames: ["Alpha", "Beta"] },
            "ui:widget": "checkboxes",
          },
          repoUrl: {
            title: "Place",
            type: "string",
            "ui:field": "RepoUrlPicker",
            "ui:options": { allowedOrganizations: ["acme"] },
          },
        },
      },
    ],
    steps: [{ id: "say", action: "debug:log", input: { message: "${{ parameters.repoUrl }}" } }],
  },
};

const textOf = (entities: readonly object[]): string =>
  entities
    .map((entity) => {
      const apiVersion =
        "kind" in entity && entity.kind === "Template"
          ? "scaffolder.backstage.io/v1beta3"
          : "backstage.io/v1alpha1";
      return JSON.stringify({ apiVersion, ...entity });
    })
    .join("\n---\n");

export const story: Story = {
  title:
    "a form of Backstage's kind shows names of values and one's own groups, and writes the address of a repository on Azure DevOps",
  async tell({ open }) {
    await using opened = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), "plinth-form-"));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "all.yaml");
    await writeFile(file, textOf([...people, template]));
    const server = await startConsoleServer({
      seeded: "nothing",
      configure(config) {
        config.mesh.builder.catalogue.folders = [folder];
        config.startupActions.catalog.locations = [{ type: "file", target: file }];
      },
    });
    opened.defer(() => server.close());
    const page = await open(`${server.url}/templates/${encodeURIComponent("template:default/every-field")}`);

    await page.getByRole("combobox", { name: "Crew" }).click();
    await page.getByRole("option", { name: "The crew of the night (group:night-crew)" }).waitFor();
    const groups = page.getByRole("listbox", { name: "Crew" }).getByRole("option");
    assert.equal(await groups.count(), 1, "only groups that the reader is in");
    await groups.click();
    await page.getByRole("radio", { name: "High" }).check();
    await page.getByRole("checkbox", { name: "Beta" }).check();
    await writeAddress(page);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("heading", { level: 2, name: "Review and start" }).waitFor();
    await page
      .getByText("dev.azure.com?organization=acme&project=fleet&repo=ship", { exact: true })
      .waitFor();
    await page.getByText("group:default/night-crew").first().waitFor();
  },
};

/** As one does who picks another host after all. */
async function writeAddress(page: Page): Promise<void> {
  const place = page.getByRole("group", { name: "Place" });
  const write = async (label: string, text: string): Promise<void> => {
    await place.getByRole("combobox", { name: label }).fill(text);
    await page.keyboard.press("Escape");
  };
  await write("Host", "bitbucket.org");
  await write("Workspace", "acme");
  await write("Project", "fleet");
  await write("Repository", "ship");
  await write("Host", "");
  await write("Host", "dev.azure.com");
  await write("Organization", "acme");
  assert.equal(await place.getByRole("combobox", { name: "Project" }).inputValue(), "fleet");
  // What another host has stays until one takes it out.
  await write("Workspace", "");
}
