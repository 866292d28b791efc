/**
 * What the scripted model of the stories says: A TEST PROGRAM that understands nothing. A question chooses a script by its words, and
 * the script goes by how many turns the agent has had. What the tools answer is real.
 */
import type { ChatRequest, Turn } from "../../support/scripted-model/script.ts";
import { payloads } from "./payloads.ts";
import { unitOf } from "./units.ts";

type Says = (request: ChatRequest, turn: number) => Turn;

const call = (name: string, given: object): Turn => ({ calls: [{ name, arguments: given }] });

/** The unit that the assistant deploys. */
export const assistedUnit = unitOf("assisted");

/** One whose descriptor has scripts in it. */
export const payloadUnit = { ...unitOf("assistant-payloads"), description: payloads.join(" ") };

const wanted = { descriptor: assistedUnit, environment: assistedUnit.environment };

/** The result of the last tool, without the marks and the note around it. */
function lastResult({ messages }: ChatRequest): any {
  const text = messages.at(-1)?.content ?? "";
  const from = text.indexOf("\n{") + 1;
  return JSON.parse(text.slice(from, text.lastIndexOf("}") + 1));
}

const lastText = ({ messages }: ChatRequest): string =>
  (messages.at(-1)?.content ?? "").replaceAll(/<\/?data-[^>]*>/g, "").trim();

/** The agent for deployments: previews, asks to start, and follows the plan. */
const deploys: Says = (request, turn) => {
  if (turn === 0) return call("load_skill", { name: "Deploy and follow" });
  if (turn === 1) return call("platform__preview_provisioning", wanted);
  if (turn === 2) return call("platform__start_provisioning", { ...wanted, removeData: false });
  const last = lastText(request);
  if (turn === 3)
    return last.startsWith("Error:")
      ? { text: `Nothing was started. ${last}` }
      : call("platform__get_plan", { planToken: lastResult(request).planToken, waitSeconds: 45 });
  const { id, status, tasks } = lastResult(request);
  return { text: `The plan \`${id}\` ended ${status} with ${tasks.length} tasks.` };
};

/** The same agent, asked to stop what is at work. */
const stops: Says = (request, turn) => {
  if (turn === 0) return call("load_skill", { name: "Deploy and follow" });
  const what = {
    deploymentUnitId: unitOf("rail-delays").id,
    environment: "development",
    mode: "forced",
  };
  return turn === 1 ? call("platform__terminate_provisioning", what) : { text: lastText(request) };
};

const handsOn =
  (text: string, task: string): Says =>
  (request, turn) =>
    turn === 0 ? { text, ...call("ask_provisioning", { task }) } : { text: lastText(request) };

const looks: Says = (_, turn) => {
  if (turn === 0) return call("load_skill", { name: "Explain a failed plan" });
  if (turn > 1) return { text: answer };
  return {
    text: "I look what waits and what failed.",
    calls: [
      { name: "platform__list_waiting", arguments: {} },
      { name: "platform__list_operations", arguments: { status: ["FAILED"], limit: 1 } },
      { name: "platform__get_plan", arguments: { planToken: "of-nowhere" } },
    ],
  };
};

const answer = `Two things need you:

1. **Access** to the positions of the fleet: \`group:default/fleet-team\` asks for it.
2. A deployment in production waits for an approval.

| Unit | Environment | Status |
|:-----|:------------|-------:|
| fleet-positions | development | DEPLOYED |
| parcel-tracking | development | CORRUPT |

The unit \`${unitOf("parcel-tracking").id}\` failed at its workload:

\`\`\`text
The bucket raw-parcels is owned by another account.
\`\`\`

> Ask the owner of the bucket first, then resume the plan.

More is in the [list of what waits](/waiting) and in [the handbook](https://handbook.example.com/buckets).`;

/** Scripts in the descriptor of a unit, which a tool reads, and in the answer. */
const showsPayloads: Says = (_, turn) => {
  if (turn === 0) return call("load_skill", { name: "Explain a failed plan" });
  const unit = { deploymentUnitId: payloadUnit.id, environment: payloadUnit.environment };
  if (turn === 1) return call("platform__get_unit_status", { ...unit, includeDescriptor: true });
  return { text: payloads.join("\n\n") };
};

const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `word${index + 1}${index % 30 === 29 ? ".\n\n" : ""}`).join(
    " ",
  );

const scripts: [when: RegExp, says: Says][] = [
  [
    /deploy the unit/i,
    handsOn("I look first what a deployment would change.", "Preview and deploy the unit assisted."),
  ],
  [/^stop/i, handsOn("That has to be stopped by force.", "Stop what is at work at rail-delays.")],
  [/what waits/i, looks],
  [/slow and patient/i, () => ({ text: words(80), tokenMs: 500 })],
  [/slow/i, () => ({ text: words(80), tokenMs: 60 })],
  [/very long/i, () => ({ text: words(6000) })],
  [/broken/i, () => ({ status: 401 })],
  [/cut off/i, () => ({ text: "This answer is cut in the mid", finish: "length" })],
  [/payloads/i, showsPayloads],
];

export const assistantScript = (request: ChatRequest): Turn => {
  const { messages } = request;
  const system = messages[0]?.content ?? "";
  if (system.startsWith("Write a title")) return { text: titleOf(lastText(request)) };
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const turn = messages.slice(asked).filter(({ role }) => role === "assistant").length;
  if (!system.includes("You are the assistant of a data platform")) {
    const says = messages[asked]?.content?.startsWith("Stop") === true ? stops : deploys;
    return says(request, turn);
  }
  const question = lastQuestionOf(messages[asked]?.content ?? "");
  const says = scripts.find(([when]) => when.test(question))?.[1];
  return says?.(request, turn) ?? { text: "I am a script of the stories, and have no words for this." };
};

/** A question without an answer stands before the next one, in one message; what its page shows stands behind it, as data. */
const lastQuestionOf = (content: string): string =>
  content
    .replaceAll(/\n\n<data-(\w+) [^]*?<\/data-\1>/g, "")
    .split("\n\n")
    .at(-1) ?? "";

const titleOf = (text: string): string =>
  text
    .replace(/^user: /, "")
    .replace(/\n*assistant:.*/s, "")
    .split(/\s+/)
    .slice(0, 5)
    .join(" ")
    .slice(0, 60);
