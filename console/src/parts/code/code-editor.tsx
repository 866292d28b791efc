import { lazy, Suspense, type ReactNode } from "react";
import { LoadingView } from "../states/views.tsx";
import classes from "./code.module.css";

const TextEditor = lazy(async () => ({ default: (await import("./text-editor.tsx")).TextEditor }));

export interface CodeEditorProps {
  /** What is there at first; another `key` begins anew. */
  initial: string;
  onChange: (text: string) => void;
  /** Of the field, for screen readers and tests. */
  label: string;
}

/** A field for YAML or JSON, with the numbers of its lines. The Tab key leaves it. */
export const CodeEditor = (props: CodeEditorProps): ReactNode => (
  <div className={classes["frame"]}>
    <Suspense fallback={<LoadingView label={`Loading ${props.label}`} />}>
      <TextEditor {...props} />
    </Suspense>
  </div>
);
