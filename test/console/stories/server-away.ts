import type { Story } from "../support/story.ts";
import { until } from "../support/until.ts";

export const story: Story = {
  title:
    "while the server is away, or refuses everything, the page says so and since when, and goes on by itself when it is back",
  async tell({ open }) {
    const page = await open("/units", {
      expected: ["ERR_INTERNET_DISCONNECTED", "did not arrive", "503"],
    });
    await page.getByRole("link", { name: "parcel-tracking" }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Policies" }).click();
    await page.getByText("The server cannot be reached").waitFor();
    await page.getByRole("heading", { level: 1, name: "This page is not loaded yet" }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("heading", { level: 1, name: "Policies" }).waitFor();
    await page.getByRole("table", { name: "Policies" }).waitFor();
    await page.getByText("The server cannot be reached").waitFor({ state: "detached" });

    await page.route(/computational-governance\/policies/, (route) =>
      route.fulfill({
        status: 503,
        headers: { "x-request-id": "of-the-story" },
        json: { code: "PLATFORM_DATABASE_UNAVAILABLE", userMessage: "The database is starting." },
      }),
    );
    const old = page.getByRole("status").getByText(/Not read since .*\. The database is starting\./);
    await until(
      async () => {
        // The list is read again when somebody comes back to its tab, some seconds after it was read.
        await page.evaluate(() => (globalThis as any).dispatchEvent(new Event("visibilitychange")));
        return old.isVisible();
      },
      (isVisible) => isVisible,
    );
    await page.getByText("The server cannot answer at the moment").waitFor();
    await page.getByRole("table", { name: "Policies" }).waitFor();
    await page.unroute(/computational-governance\/policies/);
    await old.waitFor({ state: "detached" });
    await page.getByText("The server cannot answer at the moment").waitFor({ state: "detached" });
  },
};
