/** What a story of the console is, and how one is told. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { PageOptions, Tab, TestBrowser } from "./browser.ts";
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

/** Tells a story; throws where it does not go as told, and where a page of it had an error. */
export async function tell(story: Story, server: ConsoleServer, browser: TestBrowser): Promise<void> {
  const tabs: Tab[] = [];
  try {
    await story.tell({
      server,
      async open(path, options) {
        const tab = await browser.open(new URL(path, server.url).href, options);
        tabs.push(tab);
        return tab.page;
      },
    });
    assert.deepEqual(
      tabs.flatMap(({ faults }) => faults),
      [],
      "the pages had errors",
    );
  } finally {
    await Promise.all(tabs.map((tab) => tab.close()));
  }
}
