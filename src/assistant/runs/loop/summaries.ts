/** Model calls beside the loop: a summary of a long history, and a title for the session. */
import type { ModelMessage } from "../../models/model.ts";
import type { RunUsage } from "../log/ag-ui.ts";
import type { History } from "./run-state.ts";
import { asData, endOf, totalTokens } from "./prompt.ts";
import type { RunContext } from "./run-context.ts";
import { runModelTurn } from "./model-turn.ts";

/** The share of the context for the history. */
const historyShare = 0.4;
/** Number of last questions and answers that are not summarised. */
const recentEntries = 6;
/** The share of the context for what is summarised; the oldest part of more is left out. */
const summarisedShare = 0.6;

export interface CondensedHistory {
  messages: ModelMessage[];
  /** A new summary of the messages up to an id, to be stored. */
  summary: { summary: string; until: number } | null;
}

/** The history for the prompt. The older part of a long one is summarised, or left out when that fails. */
export async function condenseHistory(
  context: RunContext,
  { summary, entries }: Pick<History, "summary" | "entries">,
): Promise<CondensedHistory> {
  const { settings, state } = context;
  const { contextTokens } = settings.models;
  const before = (text: string | null): ModelMessage[] =>
    text === null
      ? []
      : [{ role: "user", content: asData("summary of what was said before", text, state.nonce) }];
  const whole = [...before(summary), ...entries.flatMap(({ messages }) => messages)];
  if (totalTokens(whole) <= contextTokens * historyShare || entries.length <= recentEntries) {
    return { messages: whole, summary: null };
  }
  const old = entries.slice(0, -recentEntries);
  const rest = entries.slice(-recentEntries).flatMap(({ messages }) => messages);
  const until = old.at(-1)?.id ?? 0;
  const said = [...before(summary), ...old.flatMap(({ messages }) => messages)].map(asLine).join("\n\n");
  const made = await askModel(context, {
    system:
      "Summarise the conversation for the assistant that goes on with it: facts, decisions, open points, identifiers. At most 300 words.",
    text: endOf(said, contextTokens * summarisedShare),
    stop: context.signal,
  });
  if (made === "") return { messages: [...before(summary), ...rest], summary: null };
  return { messages: [...before(made), ...rest], summary: { summary: made, until } };
}

function asLine(message: ModelMessage): string {
  if (message.role !== "assistant") return `${message.role}: ${message.content}`;
  const calls = message.calls.map(({ name, arguments: given }) => `calls ${name} with ${given}`);
  return `assistant: ${[message.content, ...calls].join("\n")}`;
}

const titleChars = 80;
const titleMs = 10_000;
/** Of the model's answer; a title is looked for in no more of it. */
const titleAnswerChars = 1_000;
/** Under this name the usage of titles is summed; it is not in the usage of the run, which clients are shown. */
export const titleAgent = "plinth (titles)";

/**
 * A title for the session from its first question and answer; without a model call when `mayAsk` is false. The time limit of the run
 * ends that call and not the run, which has its answer. Rejects when the run is stopped meanwhile; `stop` is aborted then.
 */
export async function makeTitle(
  context: RunContext,
  { answer, mayAsk, stop }: { answer: string; mayAsk: boolean; stop: AbortSignal },
): Promise<string> {
  const { message } = context.run;
  const own = shorten(message);
  if (!mayAsk || context.settings.titles === "message") return own;
  const made = await askModel(context, {
    system: "Write a title of at most six words for this conversation. Answer with the title alone.",
    text: `user: ${message.slice(0, 2_000)}\n\nassistant: ${answer.slice(0, 2_000)}`,
    timeoutMs: titleMs,
    maxChars: titleAnswerChars,
    agent: titleAgent,
    stop,
  });
  return shorten(made.slice(0, titleAnswerChars).replaceAll(/^["'\s]+|["'.\s]+$/g, "")) || own;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= titleChars ? line : `${line.slice(0, titleChars - 1).toWellFormed()}…`;
}

const usedBy = ({ state }: RunContext, agent: string | undefined): RunUsage =>
  agent === titleAgent ? { ...state.used } : state.used;

interface Question {
  system: string;
  text: string;
  timeoutMs?: number;
  maxChars?: number;
  agent?: string;
  /** Its abort is thrown; other reasons for which there is no answer are not. */
  stop: AbortSignal;
}

/** An empty text when the model does not answer, or the budget is used up. */
async function askModel(context: RunContext, question: Question): Promise<string> {
  const { signal } = context;
  const limit =
    question.timeoutMs === undefined
      ? signal
      : AbortSignal.any([signal, AbortSignal.timeout(question.timeoutMs)]);
  try {
    const { text } = await runModelTurn(
      // Does not count as a step of the run.
      {
        ...context,
        signal: limit,
        state: { ...context.state, steps: 0, used: usedBy(context, question.agent) },
      },
      {
        agent: question.agent ?? "plinth",
        messages: [
          { role: "system", content: question.system },
          { role: "user", content: asData("conversation", question.text, context.state.nonce) },
        ],
        tools: [],
        isShown: false,
        ...(question.maxChars === undefined ? {} : { maxChars: question.maxChars }),
      },
    );
    return text.trim();
  } catch (error) {
    question.stop.throwIfAborted();
    context.log.debug(
      { runId: context.run.id, reason: (error as Error).message },
      "the model call for a summary or title failed",
    );
    return "";
  }
}
