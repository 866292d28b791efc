/** Pure: pieces of HTML. What is put together here is escaped; nothing of a document reaches a page as markup. */

/** Text that is HTML already. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | readonly Part[];

/** A template of HTML: values are escaped, but for those that are HTML already; lists are joined. */
export const html = (texts: TemplateStringsArray, ...values: Part[]): Html =>
  new Html(texts.map((text, index) => text + render(values[index])).join(""));

const render = (part: Part): string => {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(render).join("");
  return escape(String(part));
};

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** Text with its parts in backticks as code. */
export const prose = (text: string): Html =>
  html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
