/** The values of a wizard, kept in the session of the tab so that a reload loses nothing. Secrets are not kept. */
import { useCallback, useEffect, useState } from "react";
import { isRecord, type Values } from "../form/json.ts";
import { overridesOf, withoutSecretsOf, type Draft, type Subject } from "./subject.ts";

interface Kept {
  draft: Draft;
  revision: string | null;
  /** The run whose values it began with. */
  from: string | null;
}

const keyOf = ({ templateRef, entityRef }: Subject): string =>
  `plinth-draft ${templateRef}${entityRef === null ? "" : ` ${entityRef}`}`;

const read = (subject: Subject): Kept | null => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(subject)) ?? "null");
    if (!isRecord(kept) || !isRecord(kept["draft"])) return null;
    const { pages, overrides, environment } = kept["draft"];
    if (!Array.isArray(pages) || pages.length !== subject.pages.length || !pages.every(isRecord)) return null;
    const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
    return {
      draft: {
        pages,
        overrides: isRecord(overrides) ? overridesOf(overrides) : {},
        environment: text(environment) ?? subject.initial.environment,
      },
      revision: text(kept["revision"]),
      from: text(kept["from"]),
    };
  } catch {
    return null;
  }
};

const write = (subject: Subject, kept: Kept | null): void => {
  try {
    if (kept === null) sessionStorage.removeItem(keyOf(subject));
    else sessionStorage.setItem(keyOf(subject), JSON.stringify(kept));
  } catch {
    // The draft lives as long as the page then.
  }
};

export interface DraftState {
  draft: Draft;
  setPage: (index: number, values: Values) => void;
  setOverride: (environment: string, values: Values | null) => void;
  setEnvironment: (environment: string) => void;
  /** Begins anew, and forgets what was kept. */
  reset: () => void;
  /** Forgets what was kept: it was sent. */
  forget: () => void;
  /** The draft was filled from another commit than the form that was read now. */
  isOutdated: boolean;
}

export const useDraft = (subject: Subject, start: Draft, from: string | null): DraftState => {
  const [kept] = useState(() => read(subject));
  const isKept = kept !== null && (from === null || kept.from === from);
  const [draft, setDraft] = useState<Draft>(isKept ? kept.draft : start);
  const [revision, setRevision] = useState(isKept ? kept.revision : subject.revision);
  const [isChanged, setChanged] = useState(isKept);
  useEffect(() => {
    if (isChanged) write(subject, { draft: withoutSecretsOf(subject, draft), revision, from });
  }, [subject, draft, revision, from, isChanged]);
  const change = useCallback((next: (draft: Draft) => Draft) => {
    setChanged(true);
    setDraft(next);
  }, []);
  return {
    draft,
    setPage: useCallback(
      (index, values) =>
        change((old) => ({ ...old, pages: old.pages.map((own, at) => (at === index ? values : own)) })),
      [change],
    ),
    setOverride: useCallback(
      (environment, values) =>
        change((old) => {
          const { [environment]: _own, ...others } = old.overrides;
          return { ...old, overrides: values === null ? others : { ...others, [environment]: values } };
        }),
      [change],
    ),
    setEnvironment: useCallback((environment) => change((old) => ({ ...old, environment })), [change]),
    reset: useCallback(() => {
      write(subject, null);
      setChanged(false);
      setRevision(subject.revision);
      setDraft(subject.initial);
    }, [subject]),
    forget: useCallback(() => {
      setChanged(false);
      write(subject, null);
    }, [subject]),
    isOutdated: revision !== subject.revision,
  };
};
