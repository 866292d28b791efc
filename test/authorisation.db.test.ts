/**
 * Every operation of every published document, sent by nobody and by each role: 401, 403 or an answer of the operation itself. Who may
 * do what is written out in `src/platform/auth/policy.test.ts`; this shows that each route asks.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isPolicyId, policy, type PolicyId } from "../src/platform/auth/policy.ts";
import { startWholeServer, testRoles, tokenOf, type WholeServer } from "./support/server.ts";

interface Operation {
  method: string;
  path: string;
  rule: PolicyId;
  hasBody: boolean;
}

const areas = ["coordinator", "builder", "governance", "assistant", "data-layer", "auth"];
const methods = ["get", "post", "put", "patch", "delete"];

const operations = areas.flatMap((area): Operation[] => {
  const document = JSON.parse(readFileSync(new URL(`../openapi/${area}.json`, import.meta.url), "utf8"));
  const prefix = document.servers[0].url.replace(/\/$/, "");
  return Object.entries<any>(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => {
        const rule = item[method]["x-rule"];
        if (!isPolicyId(rule)) throw new Error(`${method} ${path} names no rule`);
        return {
          method: method.toUpperCase(),
          path: prefix + path.replaceAll(/\{[^}]+\}/g, "nothing-of-this-name"),
          rule,
          hasBody: item[method].requestBody !== undefined,
        };
      }),
  );
});

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
});
afterAll(() => server.close());

it("covers the documents", () => expect(operations.length).toBeGreaterThan(200));

it.each(operations)("$method $path asks for $rule", async (operation) => {
  const rule = policy[operation.rule];
  const answers: Record<string, string> = { nobody: await verdictOn(operation, null) };
  const due: Record<string, string> = { nobody: rule === "public" ? "answered" : "unauthenticated" };
  for (const role of testRoles) {
    answers[role] = await verdictOn(operation, role);
    const may = rule === "public" || rule.roles.some((one) => one === role);
    due[role] = may ? "answered" : "forbidden";
  }
  expect(answers).toEqual(due);
});

async function verdictOn({ method, path, rule, hasBody }: Operation, as: (typeof testRoles)[number] | null) {
  const stop = new AbortController();
  const response = await fetch(server.url + path, {
    method,
    signal: stop.signal,
    redirect: "manual",
    headers: {
      ...(as === null ? {} : { authorization: `Bearer ${tokenOf(as)}` }),
      ...(hasBody ? { "content-type": "application/json" } : {}),
    },
    ...(hasBody ? { body: "{}" } : {}),
  });
  // A stream that is open has been answered.
  if (response.ok) {
    stop.abort();
    return "answered";
  }
  const text = await response.text();
  if (response.status === 401) return "unauthenticated";
  return response.status === 403 && text.includes(`${rule} needs`) ? "forbidden" : "answered";
}
