/** Records of the assistant, and what names them. */
import { sql } from "kysely";
import type { WholeServer } from "../support/server.ts";
import type { Operation } from "./document.ts";

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
  await sql`insert into mcp_tools (server, name, fingerprint, state, seen_at)
    values ('yard', 'knot', 'f', 'approved', now()), ('yard', 'haul', 'f', 'changed', now())`.execute(
    server.db.database.kysely,
  );
  const { body: shipped } = await server.assistant({ path: "/skills?is_platform_provided=true" });
  const stranger = "00000000-0000-4000-8000-000000000000";
  const known: Record<string, readonly unknown[]> = {
    skill_id: [...skills, shipped.data[0].id, stranger],
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
    limit: [1, 100],
    offset: [0, 3],
  };
  return ({ path, id }, name) => {
    if (!path.startsWith("/api/assistant/")) return null;
    if (name === "agent_id") return [...(path.includes("/agent-catalog") ? outside : agents), stranger];
    if (name === "ids") return [id === "getSkills" ? skills : ["yard:knot", "yard:none"]];
    return known[name] ?? null;
  };
}
