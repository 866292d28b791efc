import { Checkbox } from "@mantine/core";
import { createContext, createElement, Fragment, memo, use, useMemo, useState, type ReactNode } from "react";
import { useRouter } from "@tanstack/react-router";
import { basePath } from "../../../api/base-path.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { linkOfId, type ObjectLink as Link } from "../links/object-links.ts";
import { ObjectLink } from "../links/object-link.tsx";
import { addressOf } from "./addresses.ts";
import { CodeBox } from "./code-box.tsx";
import { parseInline, type Inline } from "./inline.ts";
import { parseBlock, type MarkdownBlock } from "./parse.ts";
import { splitFurther, type SplitText } from "./split.ts";
import classes from "./markdown.module.css";

/** Ids in an answer that link to their pages. */
const KnownLinks = createContext<readonly Link[]>([]);

export interface MarkdownProps {
  text: string;
  /** What the calls of the same run were about. */
  links: readonly Link[];
}

/**
 * An answer: a safe part of Markdown as elements, never as HTML. Images are links, nothing is loaded from anywhere. Blocks that are
 * complete stay as they are while the rest comes in.
 */
export const Markdown = ({ text, links }: MarkdownProps): ReactNode => (
  <KnownLinks value={links}>
    <div className={classes["markdown"]}>
      {inOrder(useBlocks(text), (source) => (
        <TopBlock source={source} />
      ))}
    </div>
  </KnownLinks>
);

const useBlocks = (text: string): readonly string[] => {
  const [known, setKnown] = useState<SplitText>(() => splitFurther(null, text));
  if (known.text === text) return known.blocks;
  const next = splitFurther(known, text);
  setKnown(next);
  return next.blocks;
};

/** Parts of a text are told apart by their place alone. */
const inOrder = <T,>(parts: readonly T[], element: (part: T, index: number) => ReactNode): ReactNode =>
  createElement(Fragment, null, ...parts.map(element));

const TopBlock = memo(({ source }: { source: string }): ReactNode => {
  const block = useMemo(() => parseBlock(source), [source]);
  return <BlockElement block={block} />;
});

const Blocks = ({ blocks }: { blocks: readonly MarkdownBlock[] }): ReactNode =>
  inOrder(blocks, (block) => <BlockElement block={block} />);

const BlockElement = ({ block }: { block: MarkdownBlock }): ReactNode => {
  switch (block.kind) {
    case "heading":
      return (
        <h3 data-level={block.level}>
          <InlineText text={block.text} />
        </h3>
      );
    case "rule":
      return <hr />;
    case "code":
      return (
        <CodeBox code={block.text} label={block.language === "" ? "Code" : `Code in ${block.language}`} />
      );
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case "list":
      return <ListElement block={block} />;
    case "table":
      return <TableElement block={block} />;
    case "paragraph":
      return (
        <p>
          <InlineText text={block.text} />
        </p>
      );
  }
};

const ListElement = ({ block }: { block: Extract<MarkdownBlock, { kind: "list" }> }): ReactNode => {
  const items = inOrder(block.items, ({ isDone, blocks }) => (
    <li data-task={isDone !== null}>
      {isDone !== null && (
        <Checkbox checked={isDone} readOnly disabled size="xs" aria-label={isDone ? "Done" : "Not done"} />
      )}
      <div>
        <Blocks blocks={blocks} />
      </div>
    </li>
  ));
  return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
};

const TableElement = ({ block }: { block: Extract<MarkdownBlock, { kind: "table" }> }): ReactNode => (
  // A wide table scrolls within its frame, by keyboard too.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className={classes["table"]} tabIndex={0} role="group" aria-label="Table">
    <table>
      <thead>
        <tr>
          {inOrder(block.head, (cell, index) => (
            <th scope="col" data-align={block.aligns[index]}>
              <InlineText text={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {inOrder(block.rows, (row) => (
          <tr>
            {inOrder(row, (cell, index) => (
              <td data-align={block.aligns[index]}>
                <InlineText text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const InlineText = ({ text }: { text: string }): ReactNode => (
  <Inlines nodes={useMemo(() => parseInline(text), [text])} />
);

const Inlines = ({ nodes }: { nodes: readonly Inline[] }): ReactNode =>
  inOrder(nodes, (node) => <InlineElement node={node} />);

const InlineElement = ({ node }: { node: Inline }): ReactNode => {
  switch (node.kind) {
    case "text":
      return node.text;
    case "break":
      return <br />;
    case "code":
      return <InlineCode text={node.text} />;
    case "strong":
      return (
        <strong>
          <Inlines nodes={node.children} />
        </strong>
      );
    case "emphasis":
      return (
        <em>
          <Inlines nodes={node.children} />
        </em>
      );
    case "deleted":
      return (
        <s>
          <Inlines nodes={node.children} />
        </s>
      );
    case "link":
      return <LinkElement node={node} />;
  }
};

const InlineCode = ({ text }: { text: string }): ReactNode => {
  const link = linkOfId(text, use(KnownLinks));
  const code = <code>{text}</code>;
  return link === null ? code : <ObjectLink link={link}>{code}</ObjectLink>;
};

const LinkElement = ({ node }: { node: Extract<Inline, { kind: "link" }> }): ReactNode => {
  const router = useRouter();
  const address = addressOf(node.href, `${location.origin}${basePath}/`);
  const text = (
    <>
      {node.isImage && "Image: "}
      <Inlines nodes={node.children} />
    </>
  );
  // What it would have led to is shown, so that nothing is hidden behind its words.
  if (address === null)
    return node.isBare ? (
      text
    ) : (
      <>
        {text} <code>{node.href}</code>
      </>
    );
  if (address.kind === "inside") {
    const { href, isPage } = address;
    return (
      <a
        href={basePath + href}
        onClick={(event) => {
          if (!isPage || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          void router.navigate({ href });
        }}
      >
        {text}
      </a>
    );
  }
  return (
    <a href={address.href} target="_blank" rel="noopener noreferrer nofollow">
      {text}
      {!node.isBare && <span className={classes["host"]}> ({address.host})</span>}{" "}
      <Icon name="external" size={12} />
    </a>
  );
};
