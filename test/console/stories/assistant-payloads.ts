import assert from "node:assert/strict";
import { payloadUnit } from "../support/assistant-script.ts";
import { payloads } from "../support/payloads.ts";
import { provision } from "../support/seed.ts";
import type { Story } from "../support/story.ts";

export const story: Story = {
  title: "scripts in an answer and in the result of a tool are shown as text",
  async tell({ server, open }) {
    await provision(server.guest, payloadUnit, "COMPLETED");
    const page = await open("/assistant");
    await page.getByLabel("Your question").fill("Show me the payloads");
    await page.keyboard.press("Enter");
    await page.getByText("tokens read").waitFor();
    await page.getByRole("button", { name: /^Get unit status/ }).click();
    await page.getByRole("button", { name: /^Show all / }).click();
    const shown = await page.getByRole("group", { name: "Result of Platform get unit status" }).innerText();
    for (const payload of payloads)
      assert.ok(shown.includes(JSON.stringify(payload).slice(1, -1)), `the result has ${payload}`);
    const oneSpace = (value: string): string => value.replaceAll(/\s+/g, " ");
    const text = oneSpace(await page.getByRole("main").innerText());
    // Without those that have an http address: the answer shows it as a link, and the text around it differs.
    for (const payload of payloads.filter((each) => each.startsWith("<") && !each.includes("http:")))
      assert.ok(text.includes(oneSpace(payload)), `the answer has ${payload}`);
    // In the page itself: what ran, and what became an element.
    const made = await page.evaluate(() => {
      const { payloadRan, document } = globalThis as any;
      const main = document.querySelector("main");
      const links = [...main.querySelectorAll("a[href]")].map((each: any) => each.protocol);
      const elements = main.querySelectorAll("img, iframe, script, math, template, details, style, animate");
      return { payloadRan, links, made: elements.length };
    });
    assert.equal(made.payloadRan, undefined);
    assert.equal(made.made, 0);
    assert.ok(
      made.links.every((protocol: string) => /^https?:$/.test(protocol)),
      made.links.join(" "),
    );
  },
};
