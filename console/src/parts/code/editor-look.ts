/** How editors look: the colours of the page, in both schemes. Loaded with the editors only. */
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { styleNonce } from "../../app/theme/providers.tsx";

const look = EditorView.theme({
  "&": {
    color: "var(--mantine-color-text)",
    backgroundColor: "var(--plinth-code)",
    fontSize: "var(--mantine-font-size-xs)",
  },
  "&.cm-focused": { outline: "2px solid var(--mantine-color-anchor)" },
  ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--mantine-color-text)" },
  ".cm-cursor": { borderLeftColor: "var(--mantine-color-text)" },
  ".cm-gutters": {
    color: "var(--mantine-color-dimmed)",
    backgroundColor: "var(--plinth-code)",
    borderRight: "1px solid var(--plinth-line)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--mantine-color-accent-light-hover)",
  },
  ".cm-changedLine, .cm-insertedLine": { backgroundColor: "var(--mantine-color-good-light) !important" },
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": {
    backgroundColor: "var(--mantine-color-bad-light) !important",
  },
  "& .cm-changedText, & .cm-deletedText, & .cm-insertedLine": { background: "none !important" },
  "& .cm-changedText, & .cm-deletedText": { textDecoration: "underline", textUnderlineOffset: "2px" },
  ".cm-deletedChunk .cm-deletedText": { color: "var(--mantine-color-text)" },
  ".cm-collapsedLines": {
    color: "var(--mantine-color-dimmed)",
    background: "var(--plinth-ground)",
  },
});

/** `label` is what a screen reader calls it. */
export const editorLook = (label: string): Extension => [
  EditorView.cspNonce.of(styleNonce),
  EditorView.contentAttributes.of({ "aria-label": label }),
  look,
];
