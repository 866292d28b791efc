/** What a story of the console is, and how one is told. */
import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { PageOptions, Tab, TestBrowser } from "./browser.ts";
import { useKeyboardAlone } from "./keyboard.ts";
import type { ConsoleServer } from "./server.ts";

export interface StoryStage {
  server: ConsoleServer;
  /** Opens a path of the console, such as `/units?env=production`, or an address of another server, in a browser without memory. */
  open: (path: string, options?: PageOptions) => Promise<Page>;
}

export interface Story {
  /** As a sentence: what a person does and sees. */
  title: string;
  tell: (stage: StoryStage) => Promise<void>;
}

export interface Telling {
  server: ConsoleServer;
  browser: TestBrowser;
  /** Without a mouse: what the story clicks is reached and pressed. */
  byKeyboard?: boolean;
}

/**
 * Tells a story; throws where it does not go as told, and where a page of it had an error. What its pages showed then is kept as
 * pictures, whose folder is printed.
 */
export async function tell(story: Story, { server, browser, byKeyboard = false }: Telling): Promise<void> {
  const tabs: Tab[] = [];
  try {
    await story.tell({
      server,
      async open(path, options) {
        const tab = await browser.open(new URL(path, server.url).href, options);
        tabs.push(tab);
        if (byKeyboard) useKeyboardAlone(tab.page);
        return tab.page;
      },
    });
    assert.deepEqual(
      tabs.flatMap(({ faults }) => faults),
      [],
      "the pages had errors",
    );
  } catch (error) {
    await keepPictures(tabs);
    throw error;
  } finally {
    await Promise.all(tabs.map((tab) => tab.close()));
  }
}

async function keepPictures(tabs: readonly Tab[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "plinth-story-"));
  for (const [index, { page }] of tabs.entries())
    await page
      .screenshot({ path: join(folder, `${index + 1}.png`), fullPage: true, timeout: 5000 })
      .then(() => console.error(`What page ${index + 1} showed: ${join(folder, `${index + 1}.png`)}`))
      // The story's own error is the one to read.
      .catch(() => undefined);
}
