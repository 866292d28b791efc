/** Posts one message to a chat. */
import type { ChatSettings } from "../../../../platform/config/schema/schema-notices.ts";
import type { Outbound } from "../../../../platform/outbound/outbound.ts";
import { OutboundError } from "../../../../platform/outbound/outbound-error.ts";
import { readRetryAfter } from "../../../../platform/outbound/retry.ts";
import { chatBody } from "./chat-formats.ts";
import { plainLine, type NoticeContent } from "./content.ts";
import type { Sent } from "./verdict.ts";

export interface ChatDeps {
  outbound: Outbound;
  settings: ChatSettings;
  now: () => Date;
}

const maxResponseBytes = 64 * 1024;
const longestAnswer = 200;

/** Never rejects. */
export async function postToChat(
  { outbound, settings, now }: ChatDeps,
  content: NoticeContent,
  signal: AbortSignal,
): Promise<Sent> {
  const { webhookUrl: url, timeoutMs, format } = settings;
  try {
    const { status, headers, body } = await outbound.request({
      method: "POST",
      url,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "plinth-notices",
        "idempotency-key": content.id,
      },
      body: chatBody(format, content),
      timeoutMs,
      maxResponseBytes,
      signal,
    });
    if (status >= 200 && status < 300) return { result: "sent", error: null };
    const said = plainLine(body.toString("utf8"), longestAnswer);
    const error = `The chat answered ${status}${said === "" ? "." : `: ${said}`}`;
    const wanted = readRetryAfter(headers["retry-after"], now().getTime());
    return { result: "failed", error, ...(wanted === null ? {} : { retryAfterMs: wanted }) };
  } catch (error) {
    return { result: "failed", error: error instanceof OutboundError ? error.message : String(error) };
  }
}
