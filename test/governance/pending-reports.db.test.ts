/** Reports that nobody evaluates yet: asked for early, and limited for each caller. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startWholeServer, type Answer, type TestRole, type WholeServer } from "../support/server.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({
    workers: "off",
    configure: (config) => void (config.governance.evaluations.pendingReports = 3),
  });
});
afterAll(() => server.close());

const topic = { id: "ext:pending", environment: "development", resourceType: "topic", descriptor: {} };
const evaluate = (as: TestRole): Promise<Answer> =>
  server.governance({ method: "POST", path: "/evaluate", body: topic, as });

it("a report that is asked for early is pending, without results", async () => {
  const { body } = await evaluate("admin");
  const report = await server.governance({ path: `/evaluation-reports/${body.reportId}` });
  expect(report.body).toEqual({
    id: body.reportId,
    status: "pending",
    evaluationScope: "resource",
    environment: "development",
    summary: { ok: 0, warning: 0, error: 0, failed: 0 },
    evaluationResults: [],
    createdAt: expect.any(String),
    endedAt: null,
  });
});

it("of ten requests of a caller at once as many are accepted as may be pending; others are not concerned", async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => evaluate("developer")));
  const refused = answers.filter(({ status }) => status !== 202);
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
    Array.from({ length: 7 }, () => [429, "CGP_TOO_MANY_REPORTS"]),
  );
  expect(refused[0]?.headers.get("retry-after")).toBe("2");
  expect((await evaluate("operator")).status).toBe(202);
});
