/** Pure: a text of several YAML documents, in which an invalid document does not affect the others. */
import type { Problem } from "../../../platform/errors/failure.ts";
import { parseYamlDocuments, type YamlOptions, type YamlValue } from "./yaml.ts";

export interface DocumentsPart {
  text: string;
  /** Lines of the whole text before it. */
  line: number;
  values: YamlValue[];
  problem: Problem | null;
}

/** The whole text as one part when it is valid; otherwise one part per document. */
export function parseParts(text: string, options: YamlOptions): DocumentsPart[] {
  const whole = parseYamlDocuments(text, options);
  if (whole.ok) return [{ text, line: 0, values: whole.values, problem: null }];
  const parts = splitDocuments(text);
  if (parts.length === 1) return [{ text, line: 0, values: [], problem: whole.problem }];
  return parts.map(({ text: part, line }) => {
    const parsed = parseYamlDocuments(part, {
      ...options,
      linesCut: (options.linesCut ?? 0) + line,
      ...templateOf({ text, part, line }, options),
    });
    return {
      text: part,
      line,
      values: parsed.ok ? parsed.values : [],
      problem: parsed.ok ? null : parsed.problem,
    };
  });
}

/** The lines of the template that a part was rendered from, when both texts have the same number of lines. */
function templateOf(
  { text, part, line }: { text: string; part: string; line: number },
  { template }: YamlOptions,
): Pick<YamlOptions, "template"> {
  if (template === undefined) return {};
  const lines = template.split("\n");
  if (lines.length !== text.split("\n").length) return { template };
  return { template: lines.slice(line, line + part.split("\n").length).join("\n") };
}

/**
 * Splits before each line that begins a document: in valid YAML no line within a document, not even of a
 * text, may begin that way.
 */
export function splitDocuments(text: string): { text: string; line: number }[] {
  const parts: { text: string; line: number }[] = [];
  let line = 0;
  for (const part of text.split(/^(?=---(?:[ \t\r\n]|$))/m)) {
    if (part !== "") parts.push({ text: part, line });
    line += part.split("\n").length - 1;
  }
  return parts;
}

/**
 * The documents of a text in parts of at most so many characters, or of one document that is longer. A text may hold
 * millions of documents, so only the ends of parts are looked for.
 */
export function* splitText(text: string, most: number): Generator<{ text: string; line: number }> {
  let start = 0;
  let line = 0;
  while (start < text.length) {
    const end = endOfPart(text, start, most);
    yield { text: text.slice(start, end), line };
    for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1))
      line += 1;
    start = end;
  }
}

/** Where the last document begins that the part cannot hold, else the first one after the one that is too long. */
function endOfPart(text: string, start: number, most: number): number {
  if (text.length - start <= most) return text.length;
  const begin = "\n---";
  for (
    let at = text.lastIndexOf(begin, start + most - 1);
    at >= start;
    at = text.lastIndexOf(begin, at - 1)
  ) {
    if (beginsDocument(text, at + 1)) return at + 1;
    if (at === 0) break;
  }
  for (let at = text.indexOf(begin, start + most); at !== -1; at = text.indexOf(begin, at + 1)) {
    if (beginsDocument(text, at + 1)) return at + 1;
  }
  return text.length;
}

const beginsDocument = (text: string, at: number): boolean =>
  at + 3 >= text.length || " \t\r\n".includes(text.charAt(at + 3));
