import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef, type ReactNode } from "react";
import type { DiffViewProps } from "./diff-view.tsx";
import { editorLook } from "./editor-look.ts";

/** Longer texts show what is unchanged as one line. */
const collapsedAbove = 40;

const readOnly = (label: string): Extension => [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  // What scrolls has to be reachable by keyboard.
  EditorView.contentAttributes.of({ tabindex: "0" }),
  EditorView.lineWrapping,
  lineNumbers(),
  editorLook(label),
];

const isLong = (text: string): boolean => text.split("\n", collapsedAbove + 1).length > collapsedAbove;

export interface MergeEditorProps extends DiffViewProps {
  /** Beside each other, or one below the other where there is no room. */
  isWide: boolean;
}

export const MergeEditor = ({ before, after, label, isWide }: MergeEditorProps): ReactNode => {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = host.current;
    if (parent === null) return;
    const collapse = isLong(before) || isLong(after) ? { collapseUnchanged: { margin: 3, minSize: 6 } } : {};
    const view = isWide
      ? new MergeView({
          parent,
          a: { doc: before, extensions: readOnly(`${label}, before`) },
          b: { doc: after, extensions: readOnly(`${label}, after`) },
          ...collapse,
        })
      : new EditorView({
          parent,
          doc: after,
          extensions: [
            readOnly(`${label}, changes`),
            unifiedMergeView({ original: before, mergeControls: false, ...collapse }),
          ],
        });
    return () => view.destroy();
  }, [before, after, label, isWide]);
  return <div ref={host} />;
};
