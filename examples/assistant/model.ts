/**
 * The model of this example: A TEST PROGRAM that follows a script and understands nothing. It chooses what to
 * call next from how far the conversation is, and puts values of the last tool's result into the next call,
 * as a language model would. What the tools answer is real.
 */
import type { ChatRequest, Turn } from "../../test/support/scripted-model/script.ts";
import { startScriptedModel } from "../../test/support/scripted-model/server.ts";

type Says = (request: ChatRequest) => Turn;

const wanted = { systemRef: "system:default/mobility.fleet-positions.0", environment: "development" };

const call = (name: string, given: object): Turn => ({ calls: [{ name, arguments: given }] });
const loadSkill = (name: string): Turn => call("load_skill", { name });
const platform = (name: string, given: object): Turn => call(`platform__${name}`, given);

/** The result of the last tool, without the marks around it. */
function lastResult({ messages }: ChatRequest): any {
  const text = messages.at(-1)?.content ?? "";
  const from = text.indexOf("{");
  return from < 0 ? text : JSON.parse(text.slice(from, text.lastIndexOf("}") + 1));
}

/** Number of the turn within this question; answers to earlier questions do not count. */
function turnOf({ messages }: ChatRequest): number {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  return messages.slice(asked).filter(({ role }) => role === "assistant").length;
}

const question = ({ messages }: ChatRequest): string =>
  messages.findLast(({ role }) => role === "user")?.content ?? "";

const lastText = ({ messages }: ChatRequest): string => messages.at(-1)?.content ?? "";

/** The agent for deployments: previews, starts what it has previewed, and follows the plan to its end. */
const deploys: Says = (request) => {
  switch (turnOf(request)) {
    case 0:
      return loadSkill("Deploy and follow");
    case 1:
      return platform("preview_provisioning", wanted);
    case 2:
      return platform("start_provisioning", { ...wanted, planHash: lastResult(request).planHash });
    case 3: {
      const { planToken } = lastResult(request);
      if (planToken === undefined) return { text: `Nothing was started: ${lastText(request)}` };
      return platform("get_plan", { planToken, waitSeconds: 45 });
    }
    default: {
      const { status, tasks } = lastResult(request);
      return { text: `The plan ended ${status} with ${tasks.length} tasks.` };
    }
  }
};

/** The first agent, asked to deploy: hands it on, and reports the result. */
const handsOn: Says = (request) =>
  turnOf(request) === 0
    ? call("ask_provisioning", { task: "Deploy the system fleet-positions to development and follow the plan." })
    : { text: lastText(request).replaceAll(/<\/?[^>]+>/g, "").trim() };

/** The first agent, asked for a reason: finds the failed plan and quotes its log. */
const explains: Says = (request) => {
  switch (turnOf(request)) {
    case 0:
      return loadSkill("Explain a failed plan");
    case 1:
      return platform("list_operations", { status: ["FAILED"], limit: 1 });
    case 2:
      return platform("get_plan", { planToken: lastResult(request).operations[0].operation.executionPlanId });
    case 3: {
      const { id, tasks } = lastResult(request);
      const failed = tasks.find((task: any) => task.status === "FAILED" && task.componentName !== "");
      return platform("get_plan_logs", { planToken: id, level: "ERROR", taskId: failed.id });
    }
    default: {
      const { lines } = lastResult(request);
      return { text: `Because of this, at ${lines[0].timestamp}: ${lines[0].message}` };
    }
  }
};

const script: Says = (request) => {
  const isFirst = (request.messages[0]?.content ?? "").includes("You are the assistant of a data platform");
  if (!isFirst) return deploys(request);
  return /why/i.test(question(request)) ? explains(request) : handsOn(request);
};

const { url } = await startScriptedModel(script);
console.log(JSON.stringify({ listening: url, what: "a scripted test program, not a language model" }));
