import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { statusOf } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { fromYaml, toYaml } from "../../../parts/code/yaml.ts";
import { putRules, rulesQuery, type Rule, type Rules } from "./queries.ts";
import { newRule, rulesOf } from "./rule-words.ts";

const route = getRouteApi("/ownership");

/** A rule with a key that it keeps when it is moved. */
export interface Entry {
  key: number;
  rule: Rule;
}

const entriesOf = (rules: readonly Rule[], from: number): Entry[] =>
  rules.map((rule, index) => ({ key: from + index, rule }));

/** The stored rules while they are edited, as a form or as YAML, on the version that was read. */
export const useRulesEdit = (rules: Rules, as: "form" | "yaml") => {
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const [base, setBase] = useState(rules);
  const [entries, setEntries] = useState(() => entriesOf(rules.rules, 0));
  const [nextKey, setNextKey] = useState(rules.rules.length);
  const [text, setText] = useState(() => toYaml(rules.rules));
  const [error, setError] = useState<unknown>(null);
  const [theirs, setTheirs] = useState<Rules | null>(null);
  const [isBusy, setBusy] = useState(false);
  const wanted = (): Rule[] => (as === "yaml" ? rulesOf(fromYaml(text)) : entries.map(({ rule }) => rule));
  const close = () => navigate({ search: (previous) => ({ ...previous, edit: undefined }) });
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setError(null);
    setBusy(true);
    try {
      await work();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const save = async (): Promise<void> => {
    try {
      queries.setQueryData(rulesQuery.queryKey, await putRules(base.version, wanted()));
      await queries.invalidateQueries({ queryKey: keys.ownership });
      await close();
    } catch (failure) {
      // Somebody else saved meanwhile: theirs is shown beside what was to be saved.
      if (statusOf(failure) !== 409) throw failure;
      setTheirs(await queries.fetchQuery({ ...rulesQuery, staleTime: 0 }));
    }
  };
  const show = async (next: "form" | "yaml"): Promise<void> => {
    const current = wanted();
    setText(toYaml(current));
    setEntries(entriesOf(current, nextKey));
    setNextKey(nextKey + current.length);
    await navigate({ search: (previous) => ({ ...previous, edit: next }) });
  };
  return {
    base,
    entries,
    setEntries,
    text,
    setText,
    error,
    theirs,
    isBusy,
    add: (): void => {
      setEntries([...entries, { key: nextKey, rule: newRule() }]);
      setNextKey(nextKey + 1);
    },
    close: (): void => void close(),
    save: (): void => void attempt(save),
    show: (next: "form" | "yaml"): void => void attempt(() => show(next)),
    /** What would be saved, as far as it can be read. */
    mine: (): Rule[] => {
      try {
        return wanted();
      } catch {
        return [];
      }
    },
    /** Goes on with one's own rules, now on the version of somebody else. */
    rebase: (): void => {
      if (theirs !== null) setBase(theirs);
      setTheirs(null);
    },
  };
};
