/** Opens a page and finds whatever a payload has done there, and which payloads it shows as text. */
import type { BrowserContext, Frame, Page } from "playwright-core";
import { numbersIn } from "../support/payloads.ts";

export interface Watched {
  page: Page;
  /** What a payload has done, each once. */
  findings: ReadonlySet<string>;
  /** Walks down the page, and says which payloads are on it as text. */
  look(): Promise<ReadonlySet<number>>;
}

/** A page that is watched from before its first script on. @param own origin of the server */
export async function watch(context: BrowserContext, own: string): Promise<Watched> {
  const findings = new Set<string>();
  const shown = new Set<number>();
  // Also in frames, and in what is opened.
  await context.exposeBinding("payloadRan", (_source, number: unknown) => {
    findings.add(`payload ${String(number)} was executed`);
  });
  const page = await context.newPage();
  context.on("page", (other) => {
    if (other !== page) findings.add(`opened a window of ${other.url()}`);
  });
  context.on("request", (request) => {
    const what = badRequest(request.url(), own);
    if (what !== undefined) findings.add(what);
  });
  page.on("dialog", (dialog) => {
    findings.add(`showed a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("framenavigated", (frame: Frame) => {
    if (frame !== page.mainFrame()) findings.add(`has a frame of ${frame.url()}`);
    else if (frame.url() !== "about:blank" && new URL(frame.url()).origin !== own)
      findings.add(`went away to ${frame.url()}`);
  });
  page.on("pageerror", ({ message }) => findings.add(`has an error: ${message}`));
  page.on("console", (message) => {
    if (message.type() === "error") findings.add(`logs: ${message.text().slice(0, 300)}`);
  });
  const note = async (): Promise<void> => {
    const { text, odd } = await page.evaluate(readPage);
    for (const number of numbersIn(text)) shown.add(number);
    for (const each of odd) findings.add(`has ${each}`);
  };
  return { page, findings, look: () => walk(page, note).then(() => shown) };
}

/** Nothing of a payload may be asked for, at whatever host; what asks for an own path with a payload in its query is a search. */
function badRequest(address: string, own: string): string | undefined {
  const url = new URL(address);
  if (url.protocol === "data:" || url.protocol === "blob:") return undefined;
  if (url.origin !== own) return `asked for ${address}`;
  return url.pathname.includes("canary.example") && !url.pathname.startsWith("/api/")
    ? `asked for ${address}`
    : undefined;
}

const mostSteps = 80;

/** Long tables have only the rows in the document that are seen. */
async function walk(page: Page, note: () => Promise<void>): Promise<void> {
  for (let step = 0; step < mostSteps; step += 1) {
    await note();
    const isEnd = await page.evaluate(async () => {
      // Runs in the page, whose names this program has no types for.
      const { document, innerHeight, scrollBy, scrollY, requestAnimationFrame } = globalThis as any;
      scrollBy(0, innerHeight * 0.8);
      for (let frame = 0; frame < 3; frame += 1) await new Promise((next) => requestAnimationFrame(next));
      return scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    });
    if (isEnd) break;
  }
  await note();
}

/** Runs in the page: its text, and elements that no page of the console has. */
function readPage(): { text: string; odd: string[] } {
  const { document, location } = globalThis as any;
  const odd: string[] = [];
  const texts: string[] = [document.documentElement.textContent, document.title];
  const forbidden =
    "script:not([src]), iframe, frame, object, embed, base, portal, applet, marquee, math, foreignObject, meta[http-equiv], audio, video, " +
    "svg script, svg animate, svg set, svg animateTransform, svg use, svg image, svg a, feImage, [srcdoc], form[action], [formaction], template";
  for (const element of document.querySelectorAll(forbidden)) odd.push(element.outerHTML.slice(0, 120));
  for (const element of document.querySelectorAll("*")) {
    if (element.localName === "style" && element.nonce === "") odd.push("a style without nonce");
    if (element.localName === "input" || element.localName === "textarea") texts.push(element.value);
    for (const { name, value } of element.attributes) {
      texts.push(value);
      const isAddress = /^(?:href|src|srcset|action|data|poster|background|xlink:href|ping)$/.test(name);
      const isLink = element.localName === "a" && name === "href";
      const url = isAddress && URL.canParse(value, location.href) ? new URL(value, location.href) : null;
      // A link to another site is a link; only nothing may be loaded from there.
      const isBad =
        name.startsWith("on") ||
        (name === "style" && /url\(|expression/i.test(value)) ||
        (url !== null && !/^(?:https?|mailto|tel|data):$/.test(url.protocol)) ||
        (url !== null && isLink && url.protocol === "data:") ||
        (url !== null && !isLink && url.protocol !== "data:" && url.origin !== location.origin);
      if (isBad) odd.push(`${element.localName} with ${name}="${value.slice(0, 100)}"`);
    }
  }
  return { text: texts.join("\n"), odd };
}
