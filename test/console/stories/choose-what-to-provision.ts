import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { packArchive } from "../../../src/platform/archive/write-archive.ts";
import { holdAnswers } from "../support/lost-answers.ts";
import type { Story } from "../support/story.ts";
import { unitOf } from "../support/units.ts";

const product = join(import.meta.dirname, "../../../examples/fleet-positions");
const path = "**/api/builder/descriptor";

export const story: Story = {
  title:
    "what is built from an archive never takes the place of what is chosen after it, and an upload that was cut is sent again by hand only",
  async tell({ open }) {
    const page = await open("/provision?from=archive", {
      // Its adapters are not here, which a preview says.
      expected: ["status of 400", "ERR_FAILED"],
    });
    const slow = await holdAnswers(page, path);
    await choose(page);
    await slow.held;
    await page.getByRole("radiogroup", { name: "From" }).getByText("Descriptor", { exact: true }).click();
    await page.getByLabel("Descriptor as JSON or YAML").fill(JSON.stringify(unitOf("late-trams")));
    await page.getByText("3 components: 3 to deploy").waitFor();
    slow.release();
    await page
      .getByRole("radiogroup", { name: "Target of view" })
      .getByText("Not deployed", { exact: true })
      .click();
    await page.getByText("2 to deploy, 1 left alone").waitFor();
    assert.equal(await page.getByRole("region", { name: "What" }).getByText("late-trams 1.0.0").count(), 1);
    await page.unroute(path);

    await page.getByRole("radiogroup", { name: "From" }).getByText("Archive", { exact: true }).click();
    await page.getByText("Choose what to provision").waitFor();
    await choose(page);
    await page.getByRole("region", { name: "Target states" }).getByText("Raw positions").waitFor();
    const built = page.waitForResponse(path);
    await page.getByLabel("Environment").selectOption("production");
    const { descriptor } = (await (await built).json()) as { descriptor: { environment: string } };
    assert.equal(
      descriptor.environment,
      "production",
      "the archive is built for the environment that is chosen",
    );
    await page.getByText("Deploy, change or undeploy a unit in production.").waitFor();
    await page.getByRole("region", { name: "Target states" }).waitFor();
    await cutUploads(page);
  },
};

async function cutUploads(page: Page): Promise<void> {
  let sent = 0;
  await page.route(path, (route) => {
    sent += 1;
    return route.abort();
  });
  const problem = page.getByRole("alert").filter({ hasText: "Plinth could not build the descriptor" });
  const away = page.getByText("The server cannot be reached");
  await choose(page);
  await problem.getByText("The server did not answer. Try again.").waitFor();
  await away.waitFor();
  // All that the page shows is read anew when the server answers again.
  await page.waitForResponse("**/browser/session");
  await away.waitFor({ state: "detached" });
  assert.equal(sent, 1, "an upload that was cut is not repeated by itself");
  await page.unroute(path);
  await problem.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("region", { name: "Target states" }).getByText("Raw positions").waitFor();
}

async function choose(page: Page): Promise<void> {
  const entities = (await readdir(product, { withFileTypes: true })).filter((each) => each.isDirectory());
  const files = await Promise.all(
    entities.map(async ({ name }) => {
      const file = join(name, "catalog-info.yaml");
      return [file, await readFile(join(product, file))] as const;
    }),
  );
  await page.locator('input[type="file"]').setInputFiles({
    name: "fleet-positions.tar.gz",
    mimeType: "application/gzip",
    buffer: await packArchive(Object.fromEntries(files)),
  });
}
