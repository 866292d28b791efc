/** What an adapter of the kit says to do reaches whoever started the operation, however the adapter answers. */
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  createAdapterServer,
  Failure,
  refuse,
  type AdapterHandlers,
  type AdapterServer,
} from "../../src/adapters/kit/adapter-kit.ts";
import { registerAdapter, startWholeServer, type WholeServer } from "../support/server.ts";
import { ended, ships, start } from "./ships.ts";

const problem = {
  where: "/components/0/specific/directory",
  message: "is no name for a directory",
  solution: "Use small letters.",
};
const refused = refuse("The component cannot be a directory.", [problem]);

let server: WholeServer;
const adapters: AdapterServer[] = [];

beforeAll(async () => {
  server = await startWholeServer();
});
afterAll(async () => {
  await server.close();
  for (const adapter of adapters) await adapter.close();
});

/** A unit of one component that an adapter with these handlers deploys. */
async function unitOf(name: string, handlers: Partial<AdapterHandlers>, async: boolean) {
  const adapter = createAdapterServer({
    name,
    async,
    closeGraceMs: 50,
    handlers: {
      validate: async () => [],
      provision: async () => ({ result: "made" }),
      unprovision: async () => ({ result: "gone" }),
      ...handlers,
    },
  });
  adapters.push(adapter);
  const id = `urn:dmb:itm:${name}:1`;
  const url = await adapter.listen({ port: 0 });
  await registerAdapter(server, { id, url, properties: { asyncValidation: async } });
  const all = ships(`urn:dmb:dp:sea:${name}:0`);
  const [hull] = all.components;
  return { ...all, components: [{ ...hull!, infrastructureTemplateId: id }] };
}

const resultOf = async (token: string, taskId: string): Promise<string> => {
  const { body } = await server.coordinator({ path: `/v1/execution-plans/${token}/status` });
  const found = (node: any): any =>
    node.id === taskId ? node : node.dependsOnTasks.map(found).find((each: unknown) => each !== undefined);
  return found(body.dag).result.message;
};

it.each([
  ["at once", false],
  ["by a token", true],
])("a provision that is refused %s says what to do", async (how, async) => {
  const unit = await unitOf(
    `provision-${how.replaceAll(" ", "-")}`,
    {
      provision: async () => {
        throw refused;
      },
    },
    async,
  );
  const token = await start(server, unit);
  expect(await ended(server, token)).toBe("FAILED");
  const text = await resultOf(token, `provision:${unit.components[0]?.id}`);
  expect(text).toContain(`${problem.where}: ${problem.message}`);
  expect(text).toContain(`What to do: ${problem.solution}`);
});

it.each([
  ["returns its problems", false, async () => [problem]],
  ["returns its problems by a token", true, async () => [problem]],
  [
    "throws its refusal",
    false,
    async () => {
      throw refused;
    },
  ],
  [
    "throws a failure of its own",
    true,
    async () => {
      const { where, message, solution } = problem;
      const problems = [{ where, message }];
      throw new Failure({
        kind: "invalid",
        code: "X",
        message: "It is no name.",
        problems,
        solutions: [solution],
      });
    },
  ],
])("a validation that %s says what to do", async (how, async, validate) => {
  const unit = await unitOf(`validate-${how.replaceAll(" ", "-")}`, { validate }, async);
  const descriptor = JSON.stringify({ ...unit, environment: "development" });
  const { status, body } = await server.coordinator({
    method: "POST",
    path: "/v1/validate",
    body: { descriptor },
  });
  expect(status).toBe(200);
  const found = body.results.find(({ errors }: any) => errors.code === "COORD_COMPONENT_NOT_VALID");
  expect(found?.errors.moreInfo).toEqual({
    problems: [`${problem.where}: ${problem.message}`],
    solutions: [problem.solution],
  });
});
