/** A unit with very many tasks does not keep another one waiting; judged by the order of the calls, not by the clock. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { mockAdapterId, startWholeServer, until, type WholeServer } from "../support/server.ts";
import { provisioningPath, wanted } from "./ships.ts";

const taskCount = 1_000;
const places = 8;
let server: WholeServer;

beforeAll(async () => {
  server = await startWholeServer({
    configure: (config) =>
      void Object.assign(config.coordinator.execution, { parallelTasksPerAdapter: places }),
  });
  await server.registerMock();
});
afterAll(() => server.close());

const unitOf = (id: string, count: number) => ({
  id,
  name: id,
  version: "1.0.0",
  environment: "development",
  components: Array.from({ length: count }, (_, index) => ({
    id: `${id}:c${index}`,
    name: `c${index}`,
    kind: "storage",
    infrastructureTemplateId: mockAdapterId,
    dependsOn: [],
  })),
});

const startUnit = async (id: string, count: number): Promise<string> => {
  const unit = unitOf(id, count);
  const body = { descriptor: unit, targetStatus: wanted(unit) };
  const answer = await server.coordinator({ method: "POST", path: provisioningPath(id), body });
  expect(answer.status).toBe(202);
  return answer.body;
};

it(`${taskCount} tasks of one unit leave room for another's, and say what they wait for`, async () => {
  server.mock.setBehaviours({ default: { delayMs: 50 } });
  const calls = (id: string) =>
    server.mock.journal().filter(({ idempotencyKey }) => idempotencyKey?.startsWith(`${id}:`) === true);
  const many = await startUnit("urn:dmb:dp:sea:many:0", taskCount);
  const statusOf = (token: string) => server.coordinator({ path: `/v1/execution-plans/${token}/status` });
  const waits = await until(
    () => statusOf(many),
    ({ text }) => text.includes('"limit":"parallelTasksPerAdapter"'),
  );
  expect(waits.text).toMatch(/Ready; waits for a free place [^"]*\(\d+ of 8 are at work on its adapter\)/);
  const few = await startUnit("urn:dmb:dp:sea:few:0", 1);
  await until(
    () => statusOf(few),
    ({ body }) => body.dag.status === "COMPLETED",
  );
  // Both calls of the small unit were made while most of the large one's first thousand still waited.
  expect(calls(few)).toHaveLength(2);
  expect(calls(many).length).toBeLessThan(taskCount);
  await server.coordinator({ method: "POST", path: `/v1/execution-plans/${many}/terminate` });
});
