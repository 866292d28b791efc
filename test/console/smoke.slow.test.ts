/** One story of the console in a real browser; `npm run test:console` tells all of them. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { chromiumPath, openBrowser } from "./support/browser.ts";
import { startConsoleServer } from "./support/server.ts";
import { tell } from "./support/story.ts";
import { story } from "./stories/find-a-unit.ts";

const buildConsole = join(import.meta.dirname, "../../scripts/console.ts");

it(`in Chromium ${story.title}`, async () => {
  if (chromiumPath() === undefined) {
    expect(process.env["CI"], "Where everything is checked there has to be a Chromium").not.toBe("true");
    console.warn("NOT TESTED: there is no Chromium. `sh scripts/install-chromium.sh` installs Debian's.");
    return;
  }
  await promisify(execFile)(process.execPath, [buildConsole]);
  const server = await startConsoleServer();
  const browser = await openBrowser();
  try {
    await tell(story, { server, browser });
  } finally {
    await browser.close();
    await server.close();
  }
});
