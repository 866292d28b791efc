/** How external agents are asked, whatever protocol they speak. */
import type { OpenedAgent } from "./sealed-agent.ts";

export interface AgentRequest {
  method: "GET" | "POST";
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
}

export interface AgentAnswer {
  status: number;
  /** The secrets that the agent was called with are masked. */
  text: string;
}

/** One exchange through the outbound client, with the caller's token where the agent is to have it. */
export type Ask = (request: AgentRequest) => Promise<AgentAnswer>;

export interface Asking {
  agent: OpenedAgent;
  message: string;
  ask: Ask;
  newId: () => string;
  pause: (ms: number) => Promise<void>;
}

/** Resolves to the answer of the agent as text; throws an Error that says what went wrong. */
export type Driver = (asking: Asking) => Promise<string>;

/** The parsed body of a successful response. */
export async function askJson(ask: Ask, request: AgentRequest): Promise<any> {
  const { status, text } = await ask(request);
  if (status < 200 || status > 299) throw new Error(`The agent answered ${status}. ${text.slice(0, 500)}`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error("The agent did not answer with JSON.");
  }
}

/** Fields of the payload that are sent to the agent: all but those that configure the call. */
export const extras = (agent: OpenedAgent): Record<string, unknown> => {
  const { protocol: _, destructive: __, ...rest } = agent.payload;
  return rest;
};
