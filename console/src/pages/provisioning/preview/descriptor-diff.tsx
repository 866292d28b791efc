import { Text } from "@mantine/core";
import { json } from "@codemirror/lang-json";
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useMediaQuery } from "@mantine/hooks";
import { useEffect, useRef, type ReactNode } from "react";
import { styleNonce } from "../../../app/theme/providers.tsx";
import { printed } from "../provision/descriptor.ts";
import classes from "./descriptor-diff.module.css";

interface DescriptorDiffProps {
  /** null: nothing is deployed. */
  before: object | null;
  after: object;
  environment: string;
}

/** The deployed descriptor beside the new one; on a narrow screen below each other. */
export const DescriptorDiff = ({ before, after, environment }: DescriptorDiffProps): ReactNode => {
  const frame = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery("(max-width: 62em)");
  const [a, b] = [before === null ? "" : printed(before), printed(after)];
  useEffect(() => {
    if (frame.current === null) return;
    const view = isNarrow ? oneColumn(frame.current, a, b) : twoColumns(frame.current, a, b);
    return () => view.destroy();
  }, [a, b, isNarrow]);
  const isSame = before !== null && a === b;
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {before === null
          ? `Nothing is deployed in ${environment}; all of it is new.`
          : isSame
            ? `It is the descriptor that is deployed in ${environment}.`
            : `Left what is deployed in ${environment}, right what this start brings. Equal parts are folded.`}
      </Text>
      <div
        ref={frame}
        className={classes["frame"]}
        role="region"
        aria-label="Comparison of the descriptors"
      />
    </div>
  );
};

const collapse = { margin: 3, minSize: 6 };

const common = (label: string): Extension => [
  lineNumbers(),
  json(),
  EditorState.readOnly.of(true),
  EditorView.cspNonce.of(styleNonce),
  EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
  EditorView.theme({
    "&": { fontSize: "0.75rem", backgroundColor: "transparent" },
    ".cm-content": { fontFamily: "var(--mantine-font-family-monospace)" },
    ".cm-gutters": {
      backgroundColor: "transparent",
      color: "var(--mantine-color-dimmed)",
      border: "none",
    },
    ".cm-collapsedLines": {
      background: "var(--plinth-ground)",
      color: "var(--mantine-color-dimmed)",
    },
    // Its own marks are in few fonts.
    ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: "'⋯'" },
    "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": {
      backgroundColor: "color-mix(in srgb, var(--mantine-color-bad-5) 14%, transparent)",
    },
    "&.cm-merge-b .cm-changedLine, .cm-insertedLine": {
      backgroundColor: "color-mix(in srgb, var(--mantine-color-good-5) 14%, transparent)",
    },
  }),
];

const twoColumns = (parent: HTMLElement, a: string, b: string): MergeView =>
  new MergeView({
    parent,
    a: { doc: a, extensions: common("Deployed descriptor") },
    b: { doc: b, extensions: common("New descriptor") },
    collapseUnchanged: collapse,
    gutter: true,
  });

const oneColumn = (parent: HTMLElement, a: string, b: string): EditorView =>
  new EditorView({
    parent,
    doc: b,
    extensions: [
      common("New descriptor with what it replaces"),
      unifiedMergeView({ original: a, mergeControls: false, collapseUnchanged: collapse }),
    ],
  });
