/**
 * Tells the stories of the console in Chromium, on a real server: `npm run test:console`, or some of them:
 * `npm run test:console -- find-a-unit`; with `--keyboard` by keyboard alone. Ends with 1 when one does not go as told.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openBrowser } from "./support/browser.ts";
import { startConsoleServer } from "./support/server.ts";
import { tell, type Story } from "./support/story.ts";

const folder = join(import.meta.dirname, "stories");
const given = process.argv.slice(2);
const chosen = given.filter((each) => !each.startsWith("--"));
const byKeyboard = given.includes("--keyboard");
const files = (await readdir(folder)).filter((file) => file.endsWith(".ts")).toSorted();
const names = files
  .map((file) => file.slice(0, -3))
  .filter((name) => chosen.length === 0 || chosen.includes(name));
if (names.length === 0) throw new Error(`There is no story of that name. There are ${files.join(", ")}.`);

const server = await startConsoleServer();
const browser = await openBrowser();
let failed = 0;
try {
  for (const name of names) {
    const { story } = (await import(join(folder, `${name}.ts`))) as { story: Story };
    const began = performance.now();
    try {
      await tell(story, { server, browser, byKeyboard });
      console.log(`ok     ${name}: ${story.title} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.error(
        `FAILED ${name}: ${story.title}\n${error instanceof Error ? error.stack : String(error)}`,
      );
    }
  }
} finally {
  await browser.close();
  await server.close();
}
console.log(`${names.length - failed} of ${names.length} stories went as told.`);
process.exitCode = failed === 0 ? 0 : 1;
