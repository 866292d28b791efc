import { json } from "@codemirror/lang-json";
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { Group, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useEffect, useRef, type ReactNode } from "react";
import { styleNonce } from "../../../app/theme/providers.tsx";
import classes from "./descriptor.module.css";

export interface TextDiffProps {
  before: string;
  after: string;
  beforeLabel: string;
  afterLabel: string;
}

const folded = { margin: 3, minSize: 6 };

/** Two texts side by side; one below the other on a phone. What is the same is folded. */
export const TextDiff = ({ before, after, beforeLabel, afterLabel }: TextDiffProps): ReactNode => {
  const parent = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery("(max-width: 62em)", undefined, { getInitialValueInEffect: false }) ?? false;
  useEffect(() => {
    if (parent.current === null) return;
    const view = isNarrow
      ? unifiedView(parent.current, before, after, `${beforeLabel} against ${afterLabel}`)
      : new MergeView({
          a: { doc: before, extensions: reading(beforeLabel) },
          b: { doc: after, extensions: reading(afterLabel) },
          parent: parent.current,
          collapseUnchanged: folded,
          gutter: true,
        });
    return () => view.destroy();
  }, [before, after, beforeLabel, afterLabel, isNarrow]);
  return (
    <section aria-label="Descriptors">
      <Group grow gap="xs" mb={4} preventGrowOverflow={false}>
        <Text size="xs" c="dimmed">
          − {beforeLabel}
        </Text>
        <Text size="xs" c="dimmed">
          + {afterLabel}
        </Text>
      </Group>
      <div ref={parent} className={classes["frame"]} />
    </section>
  );
};

const unifiedView = (parent: HTMLElement, before: string, after: string, label: string): EditorView =>
  new EditorView({
    parent,
    doc: after,
    extensions: [
      reading(label),
      unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: folded }),
    ],
  });

const reading = (label: string): Extension => [
  EditorView.cspNonce.of(styleNonce),
  EditorState.readOnly.of(true),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true" }),
  lineNumbers(),
  json(),
  look,
];

const look = EditorView.theme({
  "&": { fontSize: "var(--mantine-font-size-xs)", backgroundColor: "transparent" },
  ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--mantine-color-text)" },
  ".cm-gutters": {
    backgroundColor: "var(--plinth-code)",
    borderColor: "var(--plinth-line)",
    color: "var(--mantine-color-dimmed)",
  },
  ".cm-collapsedLines": {
    background: "var(--plinth-code)",
    color: "var(--mantine-color-dimmed)",
  },
  ".cm-changedLine, .cm-insertedLine": {
    backgroundColor: "color-mix(in srgb, var(--mantine-color-good-outline) 14%, transparent) !important",
  },
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk, .cm-deletedLine": {
    backgroundColor: "color-mix(in srgb, var(--mantine-color-bad-outline) 14%, transparent) !important",
  },
  ".cm-changedText": {
    background: "color-mix(in srgb, var(--mantine-color-good-outline) 30%, transparent) !important",
  },
  "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": {
    background: "color-mix(in srgb, var(--mantine-color-bad-outline) 30%, transparent) !important",
  },
});
