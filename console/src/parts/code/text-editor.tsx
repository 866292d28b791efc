import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { minimalSetup } from "codemirror";
import { useEffect, useRef, type ReactNode } from "react";
import type { CodeEditorProps } from "./code-editor.tsx";
import { editorLook } from "./editor-look.ts";

export const TextEditor = ({ initial, onChange, label }: CodeEditorProps): ReactNode => {
  const host = useRef<HTMLDivElement>(null);
  const first = useRef(initial);
  const changed = useRef(onChange);
  useEffect(() => {
    changed.current = onChange;
  }, [onChange]);
  useEffect(() => {
    const parent = host.current;
    if (parent === null) return;
    const view = new EditorView({
      parent,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          minimalSetup,
          lineNumbers(),
          EditorView.lineWrapping,
          editorLook(label),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) changed.current(state.doc.toString());
          }),
        ],
      }),
    });
    return () => view.destroy();
  }, [label]);
  return <div ref={host} />;
};
