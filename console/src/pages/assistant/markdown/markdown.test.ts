import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressOf } from "./addresses.ts";
import { parseInline, type Inline } from "./inline.ts";
import { parseBlocks } from "./parse.ts";
import { splitBlocks, splitFurther, type SplitText } from "./split.ts";

describe("blocks", () => {
  test("headings, paragraphs, rules and code", () => {
    expect(parseBlocks("# A *b* #\ntext\nmore\n\n---\n```ts\nif (a) {\n\n}\n```\nafter")).toEqual([
      { kind: "heading", level: 1, text: "A *b*" },
      { kind: "paragraph", text: "text\nmore" },
      { kind: "rule" },
      { kind: "code", language: "ts", text: "if (a) {\n\n}" },
      { kind: "paragraph", text: "after" },
    ]);
  });

  test("code that has not ended yet goes to the end", () => {
    expect(parseBlocks("~~~\n# not a heading\n```")).toEqual([
      { kind: "code", language: "", text: "# not a heading\n```" },
    ]);
  });

  test("lists within lists, with empty lines, numbers and boxes", () => {
    const [list] = parseBlocks("3. one\n\n   - inner\n   - [x] done\n\n4. two\n\nafter");
    expect(list).toMatchObject({
      kind: "list",
      start: 3,
      items: [
        {
          blocks: [
            { kind: "paragraph", text: "one" },
            { kind: "list", start: null, items: [{ isDone: null }, { isDone: true }] },
          ],
        },
        { blocks: [{ text: "two" }] },
      ],
    });
  });

  test("tables, where each row has the columns of the head", () => {
    expect(parseBlocks("| a | b |\n|:--|--:|\n| 1 | 2 \\| 3 |\n| 4 |\n\nafter")).toEqual([
      {
        kind: "table",
        head: ["a", "b"],
        aligns: ["start", "end"],
        rows: [
          ["1", "2 | 3"],
          ["4", ""],
        ],
      },
      { kind: "paragraph", text: "after" },
    ]);
  });

  test("quotes have blocks of their own", () => {
    expect(parseBlocks("> a\n> - b")).toMatchObject([
      { kind: "quote", blocks: [{ kind: "paragraph", text: "a" }, { kind: "list" }] },
    ]);
  });
});

/** Texts of the signs that mean something, in any order. */
const anyText = fc
  .array(
    fc.constantFrom(
      "a",
      " ",
      "\n",
      "\n\n",
      "`",
      "```\n",
      "*",
      "**",
      "_",
      "~~",
      "[",
      "](",
      ")",
      "|",
      "|-|",
      "- ",
      "1. ",
      "> ",
      "# ",
      "\\",
      "!",
      "https://a.b",
      "<b>",
      "---\n",
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

test("the blocks of any text are the text", () => {
  fc.assert(
    fc.property(anyText, (text) => splitBlocks(text).join("") === text),
    { numRuns: 2000 },
  );
});

test("a text that comes in pieces has the blocks of the whole one", () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.nat(120), { maxLength: 8 }), (text, cuts) => {
      let split: SplitText | null = null;
      for (const cut of [...cuts, text.length].toSorted((a, b) => a - b))
        split = splitFurther(split, text.slice(0, cut));
      expect(split?.blocks.join("")).toBe(text);
      const whole = splitBlocks(text);
      // What was decided about an early block may differ only where its last line was not whole.
      expect(split?.blocks.at(-1)).toBe(whole.at(-1));
    }),
    { numRuns: 1000 },
  );
});

const plain = (nodes: readonly Inline[]): string =>
  nodes
    .map((node) => ("children" in node ? plain(node.children) : "text" in node ? node.text : "\n"))
    .join("");

describe("inline", () => {
  test("emphasis, code, links and breaks", () => {
    expect(parseInline("**b _i_** `a*b`\n~~d~~ [l](/units) \\*")).toEqual([
      {
        kind: "strong",
        children: [
          { kind: "text", text: "b " },
          { kind: "emphasis", children: [{ kind: "text", text: "i" }] },
        ],
      },
      { kind: "text", text: " " },
      { kind: "code", text: "a*b" },
      { kind: "break" },
      { kind: "deleted", children: [{ kind: "text", text: "d" }] },
      { kind: "text", text: " " },
      {
        kind: "link",
        href: "/units",
        children: [{ kind: "text", text: "l" }],
        isBare: false,
        isImage: false,
      },
      { kind: "text", text: " " },
      { kind: "text", text: "*" },
    ]);
  });

  test.each(["get_plan_logs of my_unit", "2 * 3 * 4", "a ** b", "[no link] (here)", "`open", "<b>x</b>"])(
    "%j is text as it is",
    (text) => expect(plain(parseInline(text))).toBe(text),
  );

  test("an address ends before the full stop of its sentence", () => {
    expect(parseInline("see https://a.example/x?y=1).")).toMatchObject([
      { text: "see " },
      { kind: "link", href: "https://a.example/x?y=1", isBare: true },
      { text: ")." },
    ]);
  });

  test("a link has no link in it", () => {
    expect(JSON.stringify(parseInline("[https://good.example](https://bad.example)"))).not.toContain(
      '"kind":"link","href":"https://good.example"',
    );
  });

  test.each(["*", "**", "_a", "`", "[", "[a](", "![", "~~", "\\", "https://", "*a **b "])(
    "100,000 times %j is read at once",
    (sign) => {
      const text = sign.repeat(Math.ceil(100_000 / sign.length));
      const before = process.threadCpuUsage();
      parseInline(text);
      parseInline(text.slice(0, 20_000));
      parseBlocks(text);
      const { user, system } = process.threadCpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(1500);
    },
  );

  test("no letter of any text is lost or made up", () => {
    const letters = (text: string): string => text.replaceAll(/[^ab]/g, "");
    fc.assert(
      fc.property(anyText, (text) => letters(plain(parseInline(text))).length <= letters(text).length),
      { numRuns: 2000 },
    );
  });
});

describe("addresses", () => {
  const base = "https://plinth.example/";
  test.each([
    ["https://a.example/x", { kind: "outside", href: "https://a.example/x", host: "a.example" }],
    ["//a.example/x", { kind: "outside", href: "https://a.example/x", host: "a.example" }],
    ["/\\a.example/x", { kind: "outside", href: "https://a.example/x", host: "a.example" }],
    [
      "https://bücher.example",
      { kind: "outside", href: "https://xn--bcher-kva.example/", host: "xn--bcher-kva.example" },
    ],
    ["/units?q=a#b", { kind: "inside", href: "/units?q=a#b", isPage: true }],
    ["https://plinth.example/plans/1", { kind: "inside", href: "/plans/1", isPage: true }],
    ["/api/coordinator/v1/logs/1", { kind: "inside", href: "/api/coordinator/v1/logs/1", isPage: false }],
    ["/docs/coordinator", { kind: "inside", href: "/docs/coordinator", isPage: false }],
  ])("%s", (href, address) => expect(addressOf(href, base)).toEqual(address));

  test.each([
    ["/units?q=a#b", { kind: "inside", href: "/units?q=a#b", isPage: true }],
    ["/data/plinth/units", { kind: "inside", href: "/units", isPage: true }],
    ["https://host.example/data/plinth/plans/1", { kind: "inside", href: "/plans/1", isPage: true }],
    ["https://host.example/data/plinth", { kind: "inside", href: "/", isPage: true }],
    ["/data/plinth/docs", { kind: "inside", href: "/docs", isPage: false }],
    ["/data/plinth/api/coordinator/v1", { kind: "inside", href: "/api/coordinator/v1", isPage: false }],
    // Another program behind the same proxy.
    [
      "https://host.example/wiki",
      { kind: "outside", href: "https://host.example/wiki", host: "host.example" },
    ],
    [
      "https://host.example/data/plinths",
      { kind: "outside", href: "https://host.example/data/plinths", host: "host.example" },
    ],
  ])("below the path of a proxy: %s", (href, address) =>
    expect(addressOf(href, "https://host.example/data/plinth/")).toEqual(address),
  );

  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "\tjavascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://plinth.example/1",
    "mailto:a@b.example",
    "https://user:secret@a.example",
    "https://plinth.example@evil.example",
    "units",
    "https://",
    "",
  ])("%j is none", (href) => expect(addressOf(href, base)).toBeNull());
});
