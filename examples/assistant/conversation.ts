/** One question to the assistant: its stream is read to the end, and what it asks for is approved or refused on the way. */

import { recordsOf } from "../sse.ts";

export interface Answer {
  text: string;
  /** The tools that were called, in order, as `agent: tool`. */
  calls: string[];
  /** What an approval was asked for. */
  asked: { tool: string; arguments: Record<string, unknown> }[];
}

interface Event {
  type: string;
  data: any;
}

export interface Question {
  message: string;
  /** Decides on each approval that is asked for. */
  approves: (tool: string) => boolean;
  say: (line: string) => void;
}

export async function ask(url: string, { message, approves, say }: Question): Promise<Answer> {
  const assistant = `${url}/api/assistant/v2`;
  const stream = await fetch(`${assistant}/task`, post({ message }));
  if (!stream.ok) throw new Error(`the assistant answered ${stream.status}: ${await stream.text()}`);
  const answer: Answer = { text: "", calls: [], asked: [] };
  let runId = "";
  for await (const { type, data } of eventsOf(stream)) {
    if (type === "RUN_STARTED") runId ||= data.runId;
    if (type === "TEXT_MESSAGE_CONTENT") answer.text += data.delta;
    if (type === "TOOL_CALL_START") {
      answer.calls.push(data.toolCallName);
      say(`  calls ${data.toolCallName}`);
    }
    if (type === "CUSTOM" && data.name === "approval_required") {
      const { tool, arguments: given, approval_id: id } = data.value;
      const approved = approves(tool);
      answer.asked.push({ tool, arguments: given });
      say(`  asks whether it may call ${tool}: ${approved ? "yes" : "no"}`);
      const decided = await fetch(`${assistant}/runs/${runId}/approvals/${id}`, post({ approved }));
      if (!decided.ok) throw new Error(`the approval answered ${decided.status}: ${await decided.text()}`);
    }
    if (type === "RUN_ERROR") throw new Error(`the run ended badly: ${JSON.stringify(data)}`);
  }
  return answer;
}

const post = (body: object): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

async function* eventsOf({ body }: Response): AsyncGenerator<Event> {
  if (body === null) return;
  for await (const record of recordsOf(body)) {
    const type = /^event: (.+)$/m.exec(record)?.[1];
    const data = /^data: (\{.+)$/m.exec(record)?.[1];
    if (type !== undefined && data !== undefined) yield { type, data: JSON.parse(data) };
  }
}
