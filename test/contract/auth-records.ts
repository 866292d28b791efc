/** Tokens and a service account, and what names them. */
import { pageCursor } from "../../src/platform/lib/page-cursor.ts";
import { send, type WholeServer } from "../support/server.ts";
import type { Operation } from "./document.ts";

export async function fillAuth(
  server: WholeServer,
): Promise<(operation: Operation, name: string) => readonly unknown[] | null> {
  const call = async (method: string, path: string, body: object): Promise<any> => {
    const { status, body: answer, text } = await send(`${server.url}/api/auth`, { method, path, body });
    if (status >= 300) throw new Error(`${path} answered ${status} ${text}`);
    return answer;
  };
  await call("PUT", "/v1/service-accounts/bot", { roles: ["viewer", "developer"] });
  const made = [];
  for (const name of ["one", "two", "three", "four", "five"])
    made.push(await call("POST", "/v1/tokens", { name, ...(name === "one" && { service: "bot" }) }));
  const ids = made.map(({ id }): string => id);
  const cursor = pageCursor(["2026-11-21T08:20:43.167Z", ids[0] ?? ""]);
  const known: Record<string, readonly unknown[]> = {
    tokenId: [...ids, "none"],
    // Of the account, whose token nobody revokes but with the account.
    access_token: [made[0].token, made[0].token, "none"],
    duration_seconds: [60, 3_600],
    scope: ["read", "coordinator:read service:computational-governance", "none"],
    scopes: [["read"], ["builder", "governance:read"], ["none"]],
    service: ["bot", "none"],
    name: ["bot", "other", "admin"],
    roles: [["viewer"], ["developer", "viewer"]],
    owner: ["all", "service:default/bot"],
    after: [cursor, "none"],
    expiresInDays: [1, 30, 400],
    domains: [["sea"]],
    limit: [1, 100],
  };
  return ({ path }, name) => (path.startsWith("/api/auth") ? (known[name] ?? null) : null);
}
