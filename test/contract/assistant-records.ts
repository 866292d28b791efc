/** Records of the assistant, and what names them. */
import { sql } from "../../src/platform/db/sql.ts";
import type { ReplacedParts } from "../../src/assistant/module.ts";
import type { Script } from "../support/scripted-model/script.ts";
import type { ScriptedModel } from "../support/scripted-model/server.ts";
import { tokenOf, until, type WholeServer } from "../support/server.ts";
import type { Operation } from "./document.ts";

/** The model that answers whatever the drawn requests configure, and the one tool that agents may have. */
export const assistantParts = (model: ScriptedModel): ReplacedParts => ({
  runs: {
    readModel: async () => ({
      provider: "openai",
      endpoint: model.url,
      apiKey: "",
      deployment: "",
      apiVersion: "",
      model: "scripted",
      customHeaders: [],
    }),
  },
  tools: {
    list: async () => [
      {
        server: "yard",
        name: "haul",
        description: "Hauls.",
        inputSchema: { type: "object" },
        destructive: true,
      },
    ],
    call: async () => ({ text: "Hauled.", isError: false }),
  },
});

export const assistantScript: Script = [
  { last: "haul it", turn: { calls: [{ name: "yard__haul", arguments: {} }] } },
  { turn: { text: "Aye." } },
];

export async function fillAssistant(
  server: WholeServer,
): Promise<(operation: Operation, name: string) => readonly unknown[] | null> {
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await server.assistant({ method: "POST", path, body });
    if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status} ${answer.text}`);
    return answer.body.id;
  };
  // Some are deleted on the way.
  const names = Array.from({ length: 12 }, (_, n) => `record-${n}`);
  const skills = await Promise.all(names.map((name) => make("/skills", { name, content: "# Text" })));
  const agents = await Promise.all(names.map((name) => make("/agents", { name, label: name })));
  const away = "http://127.0.0.1:9";
  const outside = await Promise.all(
    names.map((name) => make("/agent-catalog", { name, description: "", endpoint: away })),
  );
  // Nothing else sets a key where requests only read.
  const theme = { method: "PUT", path: "/config/ui.theme", body: { value: "dark" } };
  const { status, text } = await server.assistant(theme);
  if (status !== 200) throw new Error(`The key was not set: ${status} ${text}`);
  await sql`insert into mcp_tools (server, name, fingerprint, state, seen_at)
    values ('yard', 'knot', 'f', 'approved', now()), ('yard', 'haul', 'f', 'changed', now())`.execute(
    server.db.database.db,
  );
  const hauler = await make("/agents", {
    name: "hauler",
    label: "Hauler",
    mcp_tools: [{ server: "yard", name: "haul" }],
  });
  const runs = await startRuns(server, hauler);
  const { body: shipped } = await server.assistant({ path: "/skills?is_platform_provided=true" });
  const unknownId = "00000000-0000-4000-8000-000000000000";
  const known: Record<string, readonly unknown[]> = {
    skill_id: [...skills, shipped.data[0].id, unknownId],
    skill_ids: [[shipped.data[0].id], skills.slice(-1)],
    subagent_ids: [[], agents.slice(0, 1), agents.slice(1)],
    endpoint: [away],
    payload: [{}, { protocol: "a2a" }],
    provider: ["openai", "vllm", "azure", "anthropic", "", "openai-compatible"],
    custom_header: ["", "X-Team: sea", '{"X-Team": "sea"}'],
    mcp_tools: [[{ server: "yard", name: "knot" }]],
    server: ["yard"],
    name: ["knot", "other"],
    tools: [[{ id: "yard:haul", fingerprint: "f" }], [{ id: "yard:none", fingerprint: "f" }]],
    key: ["ui.theme", "other"],
    type: [["skill"], ["skill", "tool"]],
    message: ["Hello", "haul it"],
    session_id: [...runs.map(({ sessionId }) => sessionId), unknownId],
    run_id: [...runs.map(({ runId }) => runId), unknownId],
    response_id: [...runs.map(({ runId }) => `resp_${runId}`), unknownId],
    approval_id: [...runs.flatMap(({ approvalIds }) => approvalIds), unknownId],
    model: ["hauler", "orchestrator", "nobody"],
    messages: [[{ role: "user", content: "Hello" }], [{ role: "system", content: "Be brief." }]],
    input: ["Hello", [{ role: "user", content: [{ type: "input_text", text: "Hello" }] }]],
    previous_response_id: [null, ...runs.map(({ runId }) => `resp_${runId}`)],
    request_id: [null],
    after: [0, 1],
    limit: [1, 100],
    offset: [0, 3],
  };
  const ofA2a = a2aValues(runs, unknownId);
  return ({ path, id }, name) => {
    if (id.startsWith("a2a") || id.endsWith("CardOfAgent")) return ofA2a[name] ?? null;
    if (!path.startsWith("/api/assistant/")) return null;
    if (name === "messages" && id === "uiChat")
      return [[{ role: "user", parts: [{ type: "text", text: "Hello" }] }]];
    if (name === "agent_id" && path.includes("/task")) return [null, hauler, unknownId];
    if (name === "agent_id") return [...(path.includes("/agent-catalog") ? outside : agents), unknownId];
    if (name === "ids") return [id === "getSkills" ? skills : ["yard:knot", "yard:none"]];
    return known[name] ?? null;
  };
}

/** Messages and tasks of both generations of A2A. */
function a2aValues(runs: readonly BegunRun[], unknownId: string): Record<string, readonly unknown[]> {
  const message = (text: string) => ({ messageId: `drawn ${text}`, role: "ROLE_USER", parts: [{ text }] });
  const older = { messageId: "drawn", role: "user", parts: [{ kind: "text", text: "Hello" }] };
  const tasks = [...runs.map(({ runId }) => runId), unknownId].map((id) => ({ id }));
  const decisions = runs.flatMap(({ runId, approvalIds }) =>
    approvalIds.map((id) => ({
      ...message("yes"),
      taskId: runId,
      parts: [{ data: { approval_id: id, approved: false } }],
    })),
  );
  const messages = [message("Hello"), message("haul it"), older, ...decisions];
  return {
    agent_name: ["hauler", "orchestrator", "nobody"],
    "a2a-version": ["1.0", "0.3", "2.0"],
    method: [
      "SendMessage",
      "SendStreamingMessage",
      "GetTask",
      "ListTasks",
      "CancelTask",
      "SubscribeToTask",
      "message/send",
      "message/stream",
      "tasks/get",
      "tasks/cancel",
      "tasks/resubscribe",
      "other",
    ],
    params: [...messages.map((each) => ({ message: each })), ...tasks, { pageSize: 2 }, {}],
  };
}

interface BegunRun {
  runId: string;
  sessionId: string;
  approvalIds: string[];
}

/** Some have answered, the others wait for the user. */
async function startRuns(server: WholeServer, agentId: string): Promise<BegunRun[]> {
  const begin = async (message: string): Promise<BegunRun> => {
    const answer = await fetch(`${server.url}/api/assistant/v2/task`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokenOf("admin")}`, "content-type": "application/json" },
      body: JSON.stringify({ message, agent_id: agentId }),
    });
    const reader = answer.body!.getReader();
    const { value } = await reader.read();
    await reader.cancel();
    const { runId, threadId } = JSON.parse(/data: (.*)/.exec(Buffer.from(value).toString())![1]!);
    const { body } = await until(
      () => server.assistant({ path: `/runs/${runId}` }),
      (run) => ["completed", "waiting"].includes(run.body.status),
    );
    const approvalIds = body.approvals.map(({ id }: { id: string }) => id);
    return { runId, sessionId: threadId, approvalIds };
  };
  const messages = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? "Hello" : "haul it"));
  return Promise.all(messages.map(begin));
}
