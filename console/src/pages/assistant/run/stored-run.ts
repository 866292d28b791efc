/** Pure: the runs of a session, from its messages. A run without an answer has not ended. */
import type { AssistantComponents } from "plinth-client";
import { newCall, type Block } from "./run-view.ts";

export type Message = AssistantComponents["schemas"]["Message"];

export interface StoredRun {
  runId: string;
  /** Empty where the question is on an earlier page of the session. */
  question: string;
  askedAt: string | null;
  answer: Message | null;
}

export const runsOf = (messages: readonly Message[]): StoredRun[] => {
  const runs = new Map<string, StoredRun>();
  for (const message of messages) {
    const run = runs.get(message.run_id) ?? {
      runId: message.run_id,
      question: "",
      askedAt: null,
      answer: null,
    };
    const said =
      message.role === "user"
        ? { ...run, question: message.content, askedAt: message.created_at }
        : { ...run, answer: message };
    runs.set(message.run_id, said);
  }
  return [...runs.values()];
};

/** An answer as its session has stored it: the calls of the first agent, without times, then the text. */
export const storedBlocks = ({ id, content, tool_calls: calls }: Message): Block[] => [
  ...calls.map((call) => ({
    ...newCall(call.id, call.name),
    arguments: call.arguments,
    result: call.result,
    // The mark of an error is not stored; so begins what the platform refuses.
    isError: call.result.startsWith("The platform refused this ("),
  })),
  ...(content === "" ? [] : [{ kind: "text" as const, id, text: content, isOpen: false }]),
];
