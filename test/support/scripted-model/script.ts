/**
 * What the scripted model says. A TEST PROGRAM: it has no intelligence and the product never starts it. A script is a
 * list of rules; the first rule that fits a request gives the turn.
 */
import { readFileSync } from "node:fs";
import { load } from "js-yaml";

export interface Turn {
  text?: string;
  /** Pieces of text, each sent as a chunk of its own; otherwise `text` is sent word by word. */
  tokens?: string[];
  calls?: { name: string; arguments: unknown; id?: string }[];
  /** Before the answer begins. */
  delayMs?: number;
  /** Between two chunks. */
  tokenMs?: number;
  /** Instead of an answer: a status with the body of an error. */
  status?: number;
  error?: unknown;
  retryAfter?: string;
  /** Breaks the connection after that many chunks. */
  cutAfter?: number;
  /** Sends this as a chunk after the text; for what is no JSON. */
  raw?: string;
  /** Goes on for ever with the last piece. */
  endless?: boolean;
  finish?: string;
  usage?: { prompt_tokens: number; completion_tokens: number; prompt_tokens_details?: object };
}

export interface ChatMessage {
  role: string;
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export interface ChatRequest {
  model: string;
  stream: boolean;
  messages: ChatMessage[];
  tools: { function: { name: string; description: string; parameters: object } }[];
}

export interface Rule {
  /** Fits when this is found in the first message; with `last` and `tools` all of them must fit. */
  system?: string;
  /** In the last message. */
  last?: string;
  /** Role of the last message. */
  role?: string;
  /** How many times the rule may be used. */
  times?: number;
  turn: Turn;
}

export type Script = Rule[] | ((request: ChatRequest, number: number) => Turn);

/** A script in YAML: `rules: [{system?, last?, role?, times?, turn}]`; the patterns are regular expressions. */
export function readScript(file: string): Rule[] {
  const { rules } = load(readFileSync(file, "utf8")) as { rules: Rule[] };
  return rules;
}

export function turnPicker(script: Script): (request: ChatRequest, number: number) => Turn {
  if (typeof script === "function") return script;
  const used = new Map<Rule, number>();
  return (request) => {
    const rule = script.find(
      (each) => fits(each, request) && (used.get(each) ?? 0) < (each.times ?? Infinity),
    );
    if (rule === undefined) return { text: "The script has no rule for this." };
    used.set(rule, (used.get(rule) ?? 0) + 1);
    return rule.turn;
  };
}

function fits({ system, last, role }: Rule, { messages }: ChatRequest): boolean {
  const end = messages.at(-1);
  return (
    (system === undefined || new RegExp(system).test(messages[0]?.content ?? "")) &&
    (last === undefined || new RegExp(last).test(end?.content ?? "")) &&
    (role === undefined || end?.role === role)
  );
}

export const tokensOf = (turn: Turn): string[] => turn.tokens ?? turn.text?.match(/\S+\s*|\s+/g) ?? [];
