/** Tabs of one window: a browser without a window shows all of them, so the page is told whether it is shown. */
import type { Page } from "playwright-core";

export async function showTab(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      const { document, Object } = globalThis as any;
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    },
    isShown ? "visible" : "hidden",
  );
}
