/** Pure. Refusals: with which status, and whether they say why. */
import type { Exchange } from "./exchange.ts";
import { bodyValue, labelOf, readFault } from "./shapes.ts";
import { collector, type Deviation } from "./deviation.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

interface Wanted {
  statuses: readonly number[];
  protocol: string;
  fix: string;
}

/** A refusal: one of the wanted statuses, with a message. */
export function readRefusal(exchange: Exchange, wanted: Wanted): Deviation[] {
  const { deviations, say } = collector(exchange);
  if (!exchange.answer) return readFault(exchange);
  const { status, text } = exchange.answer;
  if (!wanted.statuses.includes(status)) {
    say("fail", `${labelOf(exchange)} answered ${status}.`, wanted.protocol, wanted.fix);
    return deviations;
  }
  // Unknown paths and methods are refused by the web framework, with its own body.
  if (exchange.method === "POST" && [400, 413, 422].includes(status) && !hasErrors(bodyValue(text))) {
    say(
      "warn",
      `${labelOf(exchange)}: ${status} has no list \`errors\`.`,
      "A refusal is `{errors: [text, …]}`, with userMessage, input, inputErrorField and moreInfo if wanted.",
      "List every problem as one sentence for the author of the descriptor.",
    );
  }
  return deviations;
}

/**
 * The same for a request that the coordinator never sends. A 5xx with a message is then only a warning: the
 * sender learns that nothing was carried out.
 */
export function readOddRefusal(exchange: Exchange, wanted: Wanted): Deviation[] {
  const status = exchange.answer?.status ?? 0;
  if (exchange.method !== "POST" || status < 500 || !hasWords(exchange)) return readRefusal(exchange, wanted);
  const { deviations, say } = collector(exchange);
  const what = `${labelOf(exchange)} answered ${status}, as if the adapter had failed.`;
  say("warn", what, `${wanted.protocol} After a 5xx nobody knows whether something was done.`, wanted.fix);
  return deviations;
}

/**
 * `{errors}` of the protocol, `{detail: [{loc, msg}]}` of a framework that validates before the adapter's
 * code, or a verdict. The coordinator reads the problems of all three.
 */
function hasErrors(body: unknown): boolean {
  if (!isRecord(body)) return false;
  const { errors, detail, error } = body;
  const texts = Array.isArray(errors) ? errors : Array.isArray(detail) ? detail.map(messageOf) : [];
  if (texts.length === 0) return isRecord(error) && hasErrors(error);
  return texts.every((each) => typeof each === "string" && each.trim() !== "");
}

const messageOf = (entry: unknown): unknown => (isRecord(entry) ? entry["msg"] : entry);

/** Whether a 5xx has a message: `{error}`, `{errors}`, `{userMessage}` or plain text. */
function hasWords({ answer }: Exchange): boolean {
  const body = bodyValue(answer?.text.trim() ?? "");
  if (typeof body === "string") return body.trim() !== "" && !body.trimStart().startsWith("<");
  if (!isRecord(body)) return false;
  return (
    hasErrors(body) ||
    [body["error"], body["userMessage"], body["message"]].some(
      (text) => typeof text === "string" && text.trim() !== "",
    )
  );
}
