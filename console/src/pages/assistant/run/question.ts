/** Pure: what is asked, and what stays in the field then. */
import { newRequestKey } from "../../../api/request-key.ts";
import type { Question } from "./start-run.ts";

/**
 * The same question after a failure is the same request, so that it is asked once even where only its answer was lost. Asked in another
 * conversation, of another agent or about another page it is another one.
 */
export const questionOf = (asked: Omit<Question, "requestId">, failed: Question | null): Question =>
  failed !== null && isSame(asked, failed) ? failed : { ...asked, requestId: newRequestKey() };

const isSame = (one: Omit<Question, "requestId">, other: Omit<Question, "requestId">): boolean =>
  one.message === other.message &&
  one.sessionId === other.sessionId &&
  one.agentId === other.agentId &&
  JSON.stringify(one.context) === JSON.stringify(other.context);

/** What was written while a question was on its way is kept. */
export const withoutQuestion = (text: string, question: string): string =>
  text.trim() === question ? "" : text;
