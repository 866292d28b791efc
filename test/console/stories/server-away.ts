import type { Story } from "../support/story.ts";

export const story: Story = {
  title: "while the server is away the page says so, and goes on by itself when it is back",
  async tell({ open }) {
    const page = await open("/units", { expected: ["ERR_INTERNET_DISCONNECTED", "reading 'PoliciesPage'"] });
    await page.getByRole("link", { name: "parcel-tracking" }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Policies" }).click();
    await page.getByText("The server cannot be reached").waitFor();
    await page.getByRole("heading", { level: 1, name: "This page is not loaded yet" }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("heading", { level: 1, name: "Policies" }).waitFor();
    await page.getByRole("table", { name: "Policies" }).waitFor();
    await page.getByText("The server cannot be reached").waitFor({ state: "detached" });
  },
};
