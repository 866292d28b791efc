import { createSignal, useSignal, type Signal } from "../../../api/signal.ts";
import { withoutQuestion } from "../run/question.ts";

export interface Draft {
  /** What is in the field. */
  text: string;
  setText: (text: string) => void;
}

/**
 * What was typed but not sent, by session; null is the conversation that has none yet. Not the state of a component, because it has
 * to be there when the panel is opened again. It is lost when the page is reloaded.
 */
const drafts = new Map<string | null, Signal<string>>();

const draftOf = (sessionId: string | null): Signal<string> => {
  const known = drafts.get(sessionId) ?? createSignal("");
  drafts.set(sessionId, known);
  return known;
};

export const useDraft = (sessionId: string | null): Draft => {
  const draft = draftOf(sessionId);
  return { text: useSignal(draft), setText: draft.set };
};

/** What was written while a question was on its way is kept; where it has begun a conversation, it goes on there. */
export const clearAsked = (asked: { question: string; from: string | null; to: string }): void => {
  const { question, from, to } = asked;
  const draft = draftOf(from);
  const rest = withoutQuestion(draft.get(), question);
  if (from !== to) draft.set("");
  draftOf(to).set(rest);
};
