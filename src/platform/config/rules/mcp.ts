import type { Settings } from "../schema/schema.ts";
import type { McpServerSettings } from "../schema/schema-mcp.ts";
import type { Report } from "./report.ts";

type Path = (string | number)[];

/**
 * Names are unique; a server has the settings of its transport and none of the other's, and one way to
 * authenticate.
 */
export function checkMcpServers({ assistant }: Pick<Settings, "assistant">, report: Report): void {
  const names = new Set(["platform", "agents"]);
  for (const [index, server] of assistant.mcpServers.entries()) {
    const path: Path = ["assistant", "mcpServers", index];
    if (names.has(server.name))
      report.problem([...path, "name"], { message: "repeats a name that is taken" });
    names.add(server.name);
    checkTransport(server, path, report);
    checkCredentials(server, path, report);
  }
}

const forPrograms = ["command", "cwd", "env"] as const;
const forAddresses = ["url", "headers", "token", "clientCredentials", "userIdentity"] as const;

function checkTransport(server: McpServerSettings, path: Path, report: Report): void {
  const isProgram = server.transport === "stdio";
  const needed = isProgram ? "command" : "url";
  if (server[needed] === undefined)
    report.problem([...path, needed], {
      message: "is missing",
      solution: isProgram ? "Name the program to start." : "Give the address of the server.",
    });
  for (const key of isProgram ? forAddresses : forPrograms) {
    if (server[key] === undefined) continue;
    report.problem([...path, key], {
      message: `has no meaning for the transport ${server.transport}`,
      solution: "Take it out, or use another transport.",
    });
  }
}

function checkCredentials(server: McpServerSettings, path: Path, report: Report): void {
  const given = (["token", "clientCredentials", "userIdentity"] as const).filter(
    (key) => server[key] !== undefined,
  );
  if (given.length > 1)
    report.problem([...path, given[1] ?? ""], {
      message: `can't go together with ${given[0]}: a call has one bearer token`,
      solution: "Leave one of them.",
    });
  const { secret = "" } = server.userIdentity ?? {};
  if (server.userIdentity !== undefined && secret.length < 32)
    report.warning([...path, "userIdentity", "secret"], {
      message: "is shorter than 32 characters",
      solution: "Use a longer random secret.",
    });
  for (const [name, value] of Object.entries(server.headers ?? {})) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name) || !/^[\x20-\x7e]*$/.test(value))
      report.problem([...path, "headers", name], { message: "is no header that HTTP could send" });
  }
}
