/** How each page is looked at: both themes, and a phone. */
import type { PageOptions, Tab, TestBrowser } from "./browser.ts";
import { settled } from "./browser.ts";
import type { ShownRoute } from "./routes.ts";

const looks: Record<string, PageOptions> = {
  light: { theme: "light" },
  dark: { theme: "dark" },
  phone: { theme: "light", width: 390, height: 780 },
};

export interface Look {
  route: ShownRoute;
  look: string;
  tab: Tab;
}

const pagesAtOnce = 3;

/** Opens each page in each look and does that with it; resolves to what went wrong in the pages. */
export async function lookAtAll(
  { url, browser, routes }: { url: string; browser: TestBrowser; routes: readonly ShownRoute[] },
  act: (look: Look) => Promise<void>,
): Promise<string[]> {
  const faults: string[] = [];
  const todo = routes.flatMap((route) =>
    Object.entries(looks).map(([look, options]) => ({ route, look, options })),
  );
  const work = async (): Promise<void> => {
    for (let next = todo.shift(); next !== undefined; next = todo.shift()) {
      const { route, look, options } = next;
      const tab = await browser.open(url + route.path, options);
      await settled(tab.page);
      await act({ route, look, tab });
      faults.push(...tab.faults.map((fault) => `${route.path} (${look}): ${fault}`));
      await tab.close();
    }
  };
  await Promise.all(Array.from({ length: pagesAtOnce }, work));
  return faults;
}
