/**
 * Stories by keyboard alone: what a story clicks, fills and checks is reached with Tab and the arrows, as somebody without a mouse
 * does, and pressed. What can't be reached fails the story.
 */
import type { Locator, Page } from "playwright-core";

/** Enough for the longest page, twice. */
const mostSteps = 400;
/** The arrow that goes to the next item of a widget that is one tab stop, by the role of the items. */
const arrows: Record<string, string> = {
  tab: "ArrowRight",
  menuitem: "ArrowDown",
  menuitemradio: "ArrowDown",
  radio: "ArrowDown",
};

interface Seen {
  role: string;
  /** Where the element is in the document, seen from the element that has the focus. */
  where: "here" | "before" | "after";
  isText: boolean;
  /** The focus is in the widget that the element belongs to. */
  isInWidget: boolean;
}

/** Runs in the page, whose names this program has no types for. */
function look(shown: any): Seen {
  const { document } = globalThis as any;
  // A click on a label goes to its field.
  const element = shown.closest("label")?.control ?? shown;
  const active = document.activeElement;
  const role =
    element.getAttribute("role") ?? (/^(?:radio|checkbox)$/.test(element.type) ? element.type : "");
  const widget =
    role === "radio"
      ? (element.closest('[role="radiogroup"], fieldset') ?? element.parentElement)
      : element.closest('[role="tablist"], [role="menu"]');
  const follows = (element.compareDocumentPosition(active) & 2) !== 0;
  const isHere = element === active || (active !== document.body && element.contains(active));
  return {
    role,
    where: isHere ? "here" : follows ? "after" : "before",
    isText: element.matches("input, textarea, select, [contenteditable]"),
    isInWidget: widget?.contains(active) === true,
  };
}

async function reach(locator: Locator): Promise<Seen> {
  // The fields of a segmented control have no size of their own.
  await locator.waitFor({ state: "attached" });
  const { keyboard } = locator.page();
  let seen = await locator.evaluate(look);
  for (let step = 0; seen.where !== "here"; step += 1) {
    if (step === mostSteps)
      throw new Error(`${String(locator)} is not reached with the keyboard: Tab and the arrows pass it by.`);
    const arrow = arrows[seen.role];
    if (arrow !== undefined && seen.isInWidget) await keyboard.press(arrow);
    else await keyboard.press(seen.where === "after" ? "Tab" : "Shift+Tab");
    seen = await locator.evaluate(look);
  }
  return seen;
}

/** An option of a list that is open: the field above it keeps the focus. */
async function choose(locator: Locator): Promise<void> {
  const { keyboard } = locator.page();
  await locator.waitFor();
  const isChosen = (): Promise<boolean> =>
    locator.evaluate((element: any) =>
      element.matches("[data-combobox-selected], [aria-selected=true]:focus"),
    );
  for (let step = 0; !(await isChosen()); step += 1) {
    if (step === mostSteps) throw new Error(`${String(locator)} is not reached with the arrows.`);
    await keyboard.press("ArrowDown");
  }
  await keyboard.press("Enter");
}

async function click(this: Locator): Promise<void> {
  await this.waitFor({ state: "attached" });
  const { role } = await this.evaluate(look);
  if (role === "option") return choose(this);
  const seen = await reach(this);
  if (seen.role === "radio" || seen.role === "checkbox" || seen.role === "switch")
    return this.page().keyboard.press("Space");
  // The arrow opens the list of a field.
  await this.page().keyboard.press(seen.isText ? "ArrowDown" : "Enter");
}

async function fill(this: Locator, text: string): Promise<void> {
  await reach(this);
  const { keyboard } = this.page();
  await keyboard.press("ControlOrMeta+a");
  if (text === "") await keyboard.press("Delete");
  else await keyboard.insertText(text);
}

async function check(this: Locator): Promise<void> {
  if (await this.isChecked()) return;
  await reach(this);
  await this.page().keyboard.press("Space");
}

async function press(this: Locator, key: string): Promise<void> {
  await reach(this);
  await this.page().keyboard.press(key);
}

async function focus(this: Locator): Promise<void> {
  await reach(this);
}

/** Replaces the methods of all locators, those of other pages of this process too. */
export function useKeyboardAlone(page: Page): void {
  Object.assign(Object.getPrototypeOf(page.locator("html")), { click, fill, check, press, focus });
}
