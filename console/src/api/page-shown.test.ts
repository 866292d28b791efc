import { expect, test } from "vitest";
import { untilShown, whileShown } from "./page-shown.ts";

const createPage = (visibilityState: DocumentVisibilityState) => {
  const page = Object.assign(new EventTarget(), { visibilityState });
  const show = (next: DocumentVisibilityState): void => {
    page.visibilityState = next;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  return { page: page as unknown as Document, show };
};

test("what is followed is left when the page is hidden, and for good when it is stopped", () => {
  const { page, show } = createPage("visible");
  const stop = new AbortController();
  const first = whileShown(stop.signal, page);
  expect(first.aborted).toBe(false);
  show("hidden");
  expect(first.aborted).toBe(true);
  expect(whileShown(stop.signal, page).aborted, "hidden in the meantime").toBe(true);
  show("visible");
  const second = whileShown(stop.signal, page);
  expect(second.aborted).toBe(false);
  stop.abort();
  expect(second.aborted).toBe(true);
});

test("a page that is hidden waits until it is shown or stopped", async () => {
  const { page, show } = createPage("hidden");
  const order: string[] = [];
  const waiting = untilShown(new AbortController().signal, page).then(() => order.push("resolved"));
  show("hidden");
  await Promise.resolve();
  order.push("shown");
  show("visible");
  await waiting;
  expect(order).toEqual(["shown", "resolved"]);
  await untilShown(new AbortController().signal, page);

  const stop = new AbortController();
  show("hidden");
  const stopped = untilShown(stop.signal, page);
  stop.abort();
  await stopped;
});
