/** Model calls beside the loop: a summary of a long history, and a title for the session. */
import type { ModelMessage } from "../../models/model.ts";
import type { History } from "./run-state.ts";
import { asData, totalTokens } from "./prompt.ts";
import type { RunContext } from "./run-context.ts";
import { runModelTurn } from "./model-turn.ts";

/** The share of the context for the history. */
const historyShare = 0.4;
/** Number of last messages that are not summarised. */
const recentMessages = 6;

export interface CondensedHistory {
  messages: ModelMessage[];
  /** A new summary of the messages up to an id, to be stored. */
  summary: { summary: string; until: number } | null;
}

/** The history for the prompt. The older part of a long one is summarised, or left out when that fails. */
export async function condenseHistory(
  context: RunContext,
  { summary, messages }: History,
): Promise<CondensedHistory> {
  const { settings, state } = context;
  const before = (text: string | null): ModelMessage[] =>
    text === null
      ? []
      : [{ role: "user", content: asData("summary of what was said before", text, state.nonce) }];
  const whole = [...before(summary), ...messages.map(withoutId)];
  if (
    totalTokens(whole) <= settings.models.contextTokens * historyShare ||
    messages.length <= recentMessages
  ) {
    return { messages: whole, summary: null };
  }
  const old = messages.slice(0, -recentMessages);
  const rest = messages.slice(-recentMessages).map(withoutId);
  const until = old.at(-1)?.id ?? 0;
  const made = await askModel(context, {
    system:
      "Summarise the conversation for the assistant that goes on with it: facts, decisions, open points, identifiers. At most 300 words.",
    text: [...before(summary), ...old].map(({ role, content }) => `${role}: ${content}`).join("\n\n"),
  });
  if (made === "") return { messages: [...before(summary), ...rest], summary: null };
  return { messages: [...before(made), ...rest], summary: { summary: made, until } };
}

const withoutId = ({ id: _id, ...message }: ModelMessage & { id?: number }): ModelMessage => message;

const titleChars = 80;
const titleMs = 10_000;

/** A title for the session from its first question and answer; without a model call when `mayAsk` is false. */
export async function makeTitle(context: RunContext, answer: string, mayAsk: boolean): Promise<string> {
  const { message } = context.run;
  const own = shorten(message);
  if (!mayAsk || context.settings.titles === "message") return own;
  const made = await askModel(context, {
    system: "Write a title of at most six words for this conversation. Answer with the title alone.",
    text: `user: ${message.slice(0, 2_000)}\n\nassistant: ${answer.slice(0, 2_000)}`,
    timeoutMs: titleMs,
  });
  return shorten(made.replaceAll(/^["'\s]+|["'.\s]+$/g, "")) || own;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= titleChars ? line : `${line.slice(0, titleChars - 1).toWellFormed()}…`;
}

/** An empty text when the model does not answer, or the budget is used up. */
async function askModel(
  context: RunContext,
  question: { system: string; text: string; timeoutMs?: number },
): Promise<string> {
  const { signal } = context;
  const limit =
    question.timeoutMs === undefined
      ? signal
      : AbortSignal.any([signal, AbortSignal.timeout(question.timeoutMs)]);
  try {
    const { text } = await runModelTurn(
      // Does not count as a step of the run.
      { ...context, signal: limit, state: { ...context.state, steps: 0 } },
      {
        agent: "plinth",
        messages: [
          { role: "system", content: question.system },
          { role: "user", content: asData("conversation", question.text, context.state.nonce) },
        ],
        tools: [],
        isShown: false,
      },
    );
    return text.trim();
  } catch (error) {
    signal.throwIfAborted();
    context.log.debug(
      { runId: context.run.id, reason: (error as Error).message },
      "the model call for a summary or title failed",
    );
    return "";
  }
}
