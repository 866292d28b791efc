/** Pure: error responses of providers as Failures, and when to retry. */
import type { Failure } from "../../../platform/errors/failure.ts";
import { readRetryAfter } from "../../../platform/outbound/retry.ts";
import { assistantFailure } from "../../error-codes.ts";
import { bodyProblem } from "../../body-problems.ts";

export interface ProviderRefusal {
  status: number;
  /** The beginning of the body as text, with our secrets masked. */
  body: string;
}

const contextWords =
  /context[_ ](?:length|window)|maximum context|too many tokens|prompt is too long|exceeds? the (?:model|context)/i;
const filterWords = /content[_ ]?(?:filter|policy|management)|responsible ?ai/i;

export function refusalOf({ status, body }: ProviderRefusal): Failure {
  const words = wordsOf(body);
  if (status === 401 || status === 403) {
    return assistantFailure("model_auth", {
      message: `The provider of the model refused the credentials (${status}).`,
    });
  }
  if (status === 429) {
    return assistantFailure("model_rate_limited", {
      message: `The provider of the model takes no more requests just now (429). ${words}`.trim(),
    });
  }
  if (status === 413 || (status === 400 && contextWords.test(body))) {
    return assistantFailure("context_too_long", {
      message: `The conversation is too long for the model. ${words}`.trim(),
    });
  }
  if (status === 400 && filterWords.test(body)) return contentFiltered();
  return assistantFailure("model_unavailable", {
    message: `The model answered with status ${status}. ${words}`.trim(),
  });
}

export const contentFiltered = (): Failure =>
  assistantFailure("content_filtered", {
    message: "The provider's content filter stopped the answer.",
    problems: [bodyProblem(["message"], "was stopped by the provider's content filter")],
  });

export const unavailable = (message: string): Failure => assistantFailure("model_unavailable", { message });

/** Whether a retry of the same request may succeed. */
export const isTransient = (status: number): boolean =>
  status === 429 || status === 408 || (status >= 500 && status !== 501);

const maxWords = 300;

function wordsOf(body: string): string {
  let message: unknown = body;
  try {
    const parsed = JSON.parse(body) as { error?: { message?: unknown } | string; message?: unknown };
    const { error } = parsed;
    message = (typeof error === "object" ? error?.message : error) ?? parsed.message;
  } catch {
    // An HTML page of a gateway is not shown.
    message = undefined;
  }
  if (typeof message !== "string" || message === "") return "";
  return `It said: ${message.slice(0, maxWords)}`;
}

/** Delay before the next attempt; null when it is longer than `maxMs`. `now` is in ms. */
export function retryDelay(
  retryAfter: string | undefined,
  { attempt, now, maxMs }: { attempt: number; now: number; maxMs: number },
): number | null {
  const wanted = readRetryAfter(retryAfter, now);
  if (wanted === null) return Math.min(500 * 2 ** attempt, maxMs);
  return wanted > maxMs ? null : wanted;
}
