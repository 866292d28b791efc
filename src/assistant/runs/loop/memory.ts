/** Pure: what a run leaves for later questions of its session beside its answer, and how these see it. */
import type { AssistantMessage, ModelMessage, ModelToolCall } from "../../models/model.ts";
import { asData } from "./prompt.ts";
import type { GivenMessage, HistoryEntry, RunState } from "./run-state.ts";

/** A turn of the first agent with its tool calls; a call is never stored without its result. */
interface RememberedTurn {
  text: string;
  calls: RememberedCall[];
  retained?: RetainedTurn;
}

/** What the provider of a turn wants back with it. It is beside the calls, since those are shown to users. */
interface RetainedTurn {
  origin: string;
  thoughts?: string;
  /** In the order of the calls. */
  calls: Pick<ModelToolCall, "givenId" | "meta">[];
}

export interface RememberedCall {
  id: string;
  name: string;
  /** JSON text as the model wrote it. */
  arguments: string;
  result: string;
}

/** As it is stored. */
export interface RunMemory {
  turns: RememberedTurn[];
  /** Names of the skills that were loaded at the end; missing when the run ended before its first checkpoint. */
  skills?: string[];
}

export interface RunRemains {
  /** The state at the last checkpoint. */
  state: RunState | null;
  /** The model's message whose calls were being made after it. */
  acting: AssistantMessage | null;
}

/** Characters that are stored of a result, of the arguments of a call, and of thoughts. */
export const rememberedChars = 2_000;
/** Longest metadata of a call, and longest id that its provider gave: shortened ones would be refused, so longer ones are left out. */
const retainedChars = 4_000;

const noResult = "There is no result: the run ended before. What the tool has done is unknown.";

/** What is stored of a run; null when there is nothing. `events` are those of its log, where results stand that the state lacks. */
export function rememberRun({ state, acting }: RunRemains, events: readonly string[] = []): RunMemory | null {
  const messages = state?.root.messages ?? [];
  const own = messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
  const results = new Map<string, string>(resultsIn(events));
  for (const { id, result } of state?.root.calls ?? []) if (result !== null) results.set(id, result);
  const turns: AssistantMessage[] = [];
  for (const message of own) {
    if (message.role === "tool") results.set(message.callId, message.content);
    else if (message.role === "assistant") turns.push(message);
  }
  const isKnown = turns.some(({ calls }) => calls[0]?.id === acting?.calls[0]?.id);
  if (acting !== null && !isKnown) turns.push(acting);
  const skills = state?.root.loaded;
  const remembered = turns
    .filter(({ calls }) => calls.length > 0)
    .map((message) => ({
      text: message.content,
      ...retainedOf(message),
      calls: message.calls.map(({ id, name, arguments: given }) => ({
        id,
        name,
        arguments: shortArguments(given),
        result: shorten(withoutMark(results.get(id) ?? noResult)),
      })),
    }));
  if (remembered.length === 0 && (skills ?? []).length === 0) return null;
  return { turns: remembered, ...(skills === undefined ? {} : { skills }) };
}

function retainedOf({ origin, thoughts, calls }: AssistantMessage): Pick<RememberedTurn, "retained"> {
  if (origin === undefined) return {};
  const retained = calls.map(({ givenId, meta }) => ({
    ...(givenId === undefined || givenId.length > retainedChars ? {} : { givenId }),
    ...(meta === undefined || JSON.stringify(meta).length > retainedChars ? {} : { meta }),
  }));
  return {
    retained: { origin, ...(thoughts === undefined ? {} : { thoughts: shorten(thoughts) }), calls: retained },
  };
}

const resultStart = '{"type":"TOOL_CALL_RESULT"';

const resultsIn = (events: readonly string[]): [string, string][] =>
  events
    .filter((data) => data.startsWith(resultStart))
    .map((data) => {
      const { toolCallId, content } = JSON.parse(data) as { toolCallId: string; content: string };
      return [toolCallId, content];
    });

const shorten = (text: string): string =>
  text.length <= rememberedChars
    ? text
    : `${text.slice(0, rememberedChars).toWellFormed()}… (shortened: ${text.length} characters)`;

/** JSON stays JSON. What was none is stored as the model wrote it, and mended when it is sent; see `sendable`. */
const shortArguments = (text: string): string =>
  text.length <= rememberedChars ? text : JSON.stringify({ shortened: shorten(text) });

/** The marks of data are made anew with the nonce of each run. */
const withoutMark = (text: string): string => {
  const nonce = /<data-(\w+) source="/.exec(text)?.[1];
  if (nonce === undefined || !text.includes(`</data-${nonce}>`)) return text;
  return text.replaceAll(new RegExp(`<data-${nonce} source="[^"]*">\\n|\\n</data-${nonce}>`, "g"), "");
};

/** A stored message of a session. */
export interface StoredMessage {
  id: number;
  role: "user" | "assistant";
  content: string;
  memory: RunMemory | null;
  /** Earlier messages that came with it. */
  given: GivenMessage[] | null;
}

/** What came with a question, as messages. A result of a tool has no call here, so it is data of the user. */
export const givenMessages = (given: readonly GivenMessage[], nonce: string): ModelMessage[] =>
  given.map(({ role, content }): ModelMessage => {
    if (role === "assistant") return { role, content, calls: [] };
    return { role: "user", content: role === "user" ? content : asData("result of a tool", content, nonce) };
  });

/** A stored message as the model sees it: an answer comes after the tool calls that led to it. */
export function recallMessage(
  { id, role, content, memory, given }: StoredMessage,
  nonce: string,
): HistoryEntry {
  if (role === "user") return { id, messages: [...givenMessages(given ?? [], nonce), { role, content }] };
  const turns = (memory?.turns ?? []).flatMap(({ text, calls, retained }): ModelMessage[] => [
    {
      role: "assistant",
      // The text of a run that ended in the middle of a turn is its answer, too.
      content: text === content ? "" : text,
      ...(retained === undefined ? {} : { origin: retained.origin }),
      ...(retained?.thoughts === undefined ? {} : { thoughts: retained.thoughts }),
      calls: calls.map(({ id: callId, name, arguments: args }, index) => ({
        id: callId,
        name,
        arguments: args,
        ...retained?.calls[index],
      })),
    },
    ...calls.map(({ id: callId, name, result }): ModelMessage => ({
      role: "tool",
      callId,
      content: asData(`earlier result of ${name}`, result, nonce),
    })),
  ]);
  return { id, messages: content === "" ? turns : [...turns, { role, content, calls: [] }] };
}

/** Calls and results as text: some providers refuse them in a request that offers no tools. */
export const withoutCalls = (messages: readonly ModelMessage[], nonce: string): ModelMessage[] => {
  const named = new Map<string, string>();
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === "tool") {
      const call = named.get(message.callId) ?? "a tool";
      return [{ role: "user", content: `Result of ${call}:\n${message.content}` }];
    }
    if (message.role !== "assistant" || message.calls.length === 0) return [message];
    for (const { id, name, arguments: given } of message.calls) {
      named.set(id, `your call of ${name} with\n${asData("arguments", given, nonce)}`);
    }
    return message.content === "" ? [] : [{ role: "assistant", content: message.content, calls: [] }];
  });
};
