/** One short request to a model, which shows the user who saves its configuration whether it works. */
import { OutboundError } from "../../platform/outbound/outbound-error.ts";
import type { AssistantContext } from "../context.ts";
import type { ModelKind } from "./providers.ts";
import { probeRequest } from "./probe-request.ts";
import type { ModelConfig } from "./read-model.ts";
import type { ProbeResult } from "./schema.ts";

const probeTimeoutMs = 5_000;
const maxAnswerBytes = 1024 * 1024;

/** Errors of the request are the result. It never contains the response's text, since some providers repeat the key. */
export async function probeModel(
  ctx: AssistantContext,
  kind: ModelKind,
  config: ModelConfig,
): Promise<ProbeResult> {
  const request = probeRequest(kind, config);
  if (typeof request === "string") return result(ctx, ["skipped", "incomplete", request]);
  try {
    const { status } = await ctx.assistant.outbound.request({
      method: "POST",
      url: request.url,
      headers: request.headers,
      body: JSON.stringify(request.body),
      timeoutMs: probeTimeoutMs,
      maxResponseBytes: maxAnswerBytes,
      signal: ctx.signal,
    });
    return result(ctx, verdict(status, new URL(request.url).host));
  } catch (error) {
    if (error instanceof OutboundError) return result(ctx, ["failed", "unreachable", error.message]);
    throw error;
  }
}

type Verdict = [outcome: ProbeResult["outcome"], reason: string, message: string];

function verdict(status: number, host: string): Verdict {
  if (status >= 200 && status < 300) return ["ok", "", `${host} answered.`];
  const answered = `${host} answered ${status}`;
  if (status === 401 || status === 403)
    return ["failed", "unauthorized", `${answered}: it does not take the key.`];
  if (status === 404)
    return ["failed", "not_found", `${answered}: the endpoint, the model or the deployment is unknown.`];
  if (status === 429) return ["failed", "rate_limited", `${answered}: the limit of the account is reached.`];
  if (status >= 500) return ["failed", "unavailable", `${answered}.`];
  return ["failed", "refused", `${answered}: it does not take the call as it is.`];
}

const result = (ctx: AssistantContext, [outcome, reason, message]: Verdict): ProbeResult => ({
  outcome,
  reason,
  message,
  checked_at: ctx.now().toISOString(),
});
