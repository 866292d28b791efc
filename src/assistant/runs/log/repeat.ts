/** Pure: takes back what clients were shown of a turn that was broken off, before its model call is repeated. */
import { typeOf, type RunEvent } from "./ag-ui.ts";

/** What clients discard: messages and calls of a turn that begins again. */
export interface TurnRepeated {
  message_ids: string[];
  tool_call_ids: string[];
}

export interface BrokenTurn {
  /** Ends what is open, then says what to discard. */
  events: RunEvent[];
  /** Highest numbers in the ids of its messages and calls, which are not given again. */
  lastMessage: number;
  lastCall: number;
  /** What each of the turns that were broken off had said, as far as it was shown. */
  texts: string[];
}

/** @param shown the events after the last checkpoint. */
export function takeBack(shown: readonly string[]): BrokenTurn {
  const open = { messages: new Set<string>(), calls: new Set<string>(), steps: new Set<string>() };
  let discarded: TurnRepeated = { message_ids: [], tool_call_ids: [] };
  let lastMessage = 0;
  const texts: string[] = [];
  let isSeen = false;
  let lastCall = 0;
  for (const data of shown) {
    if (!relevantTypes.has(typeOf(data))) continue;
    const event = JSON.parse(data) as RunEvent;
    if (event.type === "TEXT_MESSAGE_START") {
      open.messages.add(event.messageId);
      discarded.message_ids.push(event.messageId);
      lastMessage = Math.max(lastMessage, numberIn(event.messageId));
      texts.push("");
      isSeen = true;
    } else if (event.type === "TEXT_MESSAGE_CONTENT") texts.push((texts.pop() ?? "") + event.delta);
    else if (event.type === "TEXT_MESSAGE_END") open.messages.delete(event.messageId);
    else if (event.type === "TOOL_CALL_START") {
      open.calls.add(event.toolCallId);
      discarded.tool_call_ids.push(event.toolCallId);
      lastCall = Math.max(lastCall, numberIn(event.toolCallId));
      if (!isSeen) texts.push("");
      isSeen = true;
    } else if (event.type === "TOOL_CALL_END") open.calls.delete(event.toolCallId);
    else if (event.type === "STEP_STARTED") open.steps.add(event.stepName);
    else if (event.type === "STEP_FINISHED") open.steps.delete(event.stepName);
    else if (isRepeated(event)) {
      discarded = { message_ids: [], tool_call_ids: [] };
      isSeen = false;
    }
  }
  const events: RunEvent[] = [
    ...[...open.messages].map((messageId) => ({ type: "TEXT_MESSAGE_END" as const, messageId })),
    ...[...open.calls].map((toolCallId) => ({ type: "TOOL_CALL_END" as const, toolCallId })),
    ...[...open.steps].toReversed().map((stepName) => ({ type: "STEP_FINISHED" as const, stepName })),
    { type: "CUSTOM", name: turnRepeated, value: discarded },
  ];
  return { events, lastMessage, lastCall, texts };
}

const turnRepeated = "turn_repeated";

export const isRepeated = (event: RunEvent): event is RunEvent & { type: "CUSTOM"; value: TurnRepeated } =>
  event.type === "CUSTOM" && event.name === turnRepeated;

const relevantTypes = new Set([
  "TEXT_MESSAGE_START",
  "TEXT_MESSAGE_CONTENT",
  "TEXT_MESSAGE_END",
  "TOOL_CALL_START",
  "TOOL_CALL_END",
  "STEP_STARTED",
  "STEP_FINISHED",
  "CUSTOM",
]);

const numberIn = (id: string): number => Number(/\d+$/.exec(id)?.[0] ?? 0);

/** What clients of protocols that cannot take text back are shown between the two beginnings. */
export const repeatNote = "\n\n[The answer was interrupted and begins again.]\n\n";
