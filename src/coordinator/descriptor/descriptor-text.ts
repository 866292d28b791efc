/**
 * Pure: a descriptor as the YAML text that js-yaml writes for it, several times faster; a plan of thousands of tasks
 * prints as many descriptors in one answer. The shapes and plain texts that descriptors are made of are written here,
 * other texts are left to js-yaml, and so is the whole where one of them can't be taken out of its place. What comes
 * out never differs from js-yaml's own.
 */
import { dump } from "js-yaml";

const options = { noRefs: true, lineWidth: -1 };

export function descriptorText(descriptor: object): string {
  const page: Page = { parts: [], isBeyondUs: false };
  writeBlock(page, descriptor, "");
  return page.isBeyondUs ? dump(descriptor, options) : page.parts.join("");
}

interface Page {
  parts: string[];
  /** Something was met that is not written here. */
  isBeyondUs: boolean;
}

const indent = "  ";

/** Writes a map or a list that begins where the line already is; its further lines begin at the margin. */
function writeBlock(page: Page, block: object, margin: string): void {
  if (Array.isArray(block)) writeList(page, block, margin);
  else writeMap(page, block, margin);
}

function writeList(page: Page, list: unknown[], margin: string): void {
  if (list.length === 0) page.parts.push("[]\n");
  for (let index = 0; index < list.length && !page.isBeyondUs; index += 1) {
    page.parts.push(index === 0 ? "- " : `${margin}- `);
    writeValue(page, list[index], margin);
  }
}

function writeMap(page: Page, map: object, margin: string): void {
  let isFirst = true;
  for (const [key, value] of Object.entries(map)) {
    if (key.length > longestKey || !isPlain(key)) page.isBeyondUs = true;
    if (page.isBeyondUs) return;
    page.parts.push(isFirst ? key : margin + key, isFilled(value) ? `:\n${margin}${indent}` : ": ");
    isFirst = false;
    writeValue(page, value, margin);
  }
  if (isFirst) page.parts.push("{}\n");
}

function writeValue(page: Page, value: unknown, margin: string): void {
  if (typeof value === "object" && value !== null) writeBlock(page, value, margin + indent);
  else if (typeof value === "string" && isPlain(value)) page.parts.push(value, "\n");
  else if (value === null || typeof value === "boolean" || isCount(value)) page.parts.push(`${value}\n`);
  else writeScalar(page, value, margin);
}

/** As the value of a member, where js-yaml indents it as it would in the place where it stands. */
function writeScalar(page: Page, value: unknown, margin: string): void {
  const text = dump({ x: value }, options);
  // A text that ends in empty lines is followed by a mark of its own at the end of a document.
  if (!text.startsWith("x: ") || text.endsWith("\n...\n")) page.isBeyondUs = true;
  else page.parts.push(text.slice("x: ".length, -1).replaceAll(/\n(?!\n|$)/g, `\n${margin}`), "\n");
}

const isFilled = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && !Object.is(value, -0);

/** From some length on a key is written in another way. */
const longestKey = 100;
/** Letters and digits, held together by marks that mean nothing inside a word; and versions, which are no numbers. */
const plainWord = /^(?:[A-Za-z][\w-]*(?:[.:/][\w-]+)*|\d+\.\d+\.\d+)$/;
/** Words that some reader takes for something else than a text. */
const reserved = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

const isPlain = (text: string): boolean => plainWord.test(text) && !reserved.test(text);
