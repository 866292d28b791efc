/** The client against a real server: requests and refusals of the three interfaces, and a stream to its end. */
import { afterAll, beforeAll, expect, expectTypeOf, it } from "vitest";
import { ships, unitId } from "../../../test/coordinator/ships.ts";
import { startWholeServer, tokenOf, type WholeServer } from "../../../test/support/server.ts";
import {
  createClient,
  PlinthError,
  resultOf,
  type AssistantComponents,
  type CoordinatorComponents,
  type DataLayerComponents,
  type PlinthClient,
} from "./client.ts";

let server: WholeServer;
let plinth: PlinthClient;

beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
  plinth = createClient({ url: server.url, token: tokenOf("admin") });
});
afterAll(() => server.close());

const refusalOf = async (request: Promise<unknown>): Promise<PlinthError> => {
  const refusal: unknown = await request.catch((error: unknown) => error);
  if (!(refusal instanceof PlinthError)) throw new Error(`It was not refused: ${JSON.stringify(refusal)}`);
  return refusal;
};

it("provisions a unit and follows its plan to the end", async () => {
  const unit = ships();
  const token = await resultOf(
    plinth.coordinator.POST("/api/coordinator/v2/deployment-units/{deployment-unit-id}/provisioning", {
      params: { path: { "deployment-unit-id": unitId }, query: { environment: "development" } },
      body: {
        descriptor: unit,
        targetStatus: unit.components.map(({ id }) => ({
          componentId: id,
          targetStatus: "DEPLOYED" as const,
        })),
      },
    }),
  );
  const ids: number[] = [];
  let last = "";
  for await (const { id, event, data } of plinth.follow(
    `/api/coordinator/v1/execution-plans/${token}/events`,
  )) {
    ids.push(Number(id));
    if (event === "plan") last = JSON.parse(data).status;
  }
  expect(last).toBe("COMPLETED");
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  const plan = await resultOf(
    plinth.coordinator.GET("/api/coordinator/v1/execution-plans/{token}/status", {
      params: { path: { token } },
    }),
  );
  expectTypeOf(plan.dag).toExtend<CoordinatorComponents["schemas"]["TaskGraphStatus"]>();
  expect(plan.dag.status).toBe("COMPLETED");
  const units = await resultOf(
    plinth.coordinator.GET("/api/coordinator/v1/deployment-units", {
      params: { query: { environment: ["development"], status: ["DEPLOYED"] } },
    }),
  );
  expect(units.data.map(({ deploymentUnitId }) => deploymentUnitId)).toEqual([unitId]);
});

it("writes and reads records of the assistant and of the builder", async () => {
  const body = { name: "explain", content: "Read the log first." };
  const skill = await resultOf(plinth.assistant.POST("/api/assistant/v2/skills", { body }));
  expectTypeOf(skill).toExtend<AssistantComponents["schemas"]["Skill"]>();
  const path = { skill_id: skill.id };
  expect(
    await resultOf(plinth.assistant.GET("/api/assistant/v2/skills/{skill_id}", { params: { path } })),
  ).toEqual(skill);
  await resultOf(plinth.assistant.DELETE("/api/assistant/v2/skills/{skill_id}", { params: { path } }));
  const page = await resultOf(plinth.builder.GET("/api/catalog/entities/by-query", { params: {} }));
  expect(page.items).toBeInstanceOf(Array);
});

it("throws the refusals of all interfaces in one form", async () => {
  const path = { token: "none" };
  const unknown = await refusalOf(
    resultOf(
      plinth.coordinator.GET("/api/coordinator/v1/execution-plans/{token}/status", { params: { path } }),
    ),
  );
  expect(unknown).toMatchObject({ status: 404, code: "COORD_PLAN_NOT_FOUND" });
  expect([unknown.message, unknown.solutions.length > 0]).toEqual([expect.stringMatching(/\w/), true]);
  const invalid = await refusalOf(
    resultOf(plinth.assistant.POST("/api/assistant/v2/skills", { body: { name: "", content: "x" } })),
  );
  expect(invalid).toMatchObject({ status: 422, problems: [{ where: "body.name" }] });
  const hook = await refusalOf(
    resultOf(
      plinth.builder.GET("/api/builder/hooks/{id}", {
        params: { path: { id: "0e2f4c1e-5f0b-4a53-9c0e-1d2b3c4d5e6f" } },
      }),
    ),
  );
  expect(hook).toMatchObject({ status: 404, code: expect.stringMatching(/^BUILDER_/) });
  const stranger = createClient({ url: server.url, token: "no token of this server" });
  const refused = await refusalOf(
    resultOf(stranger.coordinator.GET("/api/coordinator/v1/environments", { params: {} })),
  );
  expect(refused.status).toBe(401);
});

it("queries the data layer, and reads what it tracks", async () => {
  const query =
    "query ($status: String) { allCoordinatorComponents(first: 10, condition: { status: $status }) { nodes { componentId } } }";
  const deployed = await plinth.query<{ allCoordinatorComponents: { nodes: { componentId: string }[] } }>(
    query,
    {
      variables: { status: "DEPLOYED" },
    },
  );
  const ids = ships().components.map(({ id }) => id);
  const found = deployed.allCoordinatorComponents.nodes.map(({ componentId }) => componentId);
  expect(found.toSorted()).toEqual(ids.toSorted());
  const named = await plinth.query("query A { __typename } query B { __schema { queryType { name } } }", {
    operationName: "A",
  });
  expect(named).toEqual({ __typename: "Query" });
  const metadata = await resultOf(plinth.dataLayer.GET("/api/data-layer/metadata"));
  expectTypeOf(metadata).toExtend<DataLayerComponents["schemas"]["Metadata"]>();
  expect(metadata.sources.map(({ name }) => name)).toEqual(["coordinator", "cgp", "marketplace"]);
});

it("throws what is wrong with a query, and what could not be read of its answer", async () => {
  const excess = await refusalOf(plinth.query("{ allCoordinatorComponents { totalCount } }"));
  expect(excess).toMatchObject({ status: 400, code: "GRAPHQL_PAGE", problems: [{ where: "" }] });
  const unknown = await refusalOf(plinth.query("{ a b }"));
  expect(unknown).toMatchObject({ status: 400, code: "GRAPHQL_INVALID" });
  expect(unknown.problems).toHaveLength(2);
  const value = `{ allCoordinatorDeploymentUnits(first: 1, condition: { updatedAt: "then" }) { nodes { unitId } } }`;
  const partly = await refusalOf(plinth.query(value));
  expect(partly).toMatchObject({
    status: 200,
    code: "GRAPHQL_VALUE",
    problems: [{ where: "allCoordinatorDeploymentUnits" }],
  });
  const conflict = await refusalOf(
    resultOf(plinth.dataLayer.PUT("/api/data-layer/metadata", { body: { sources: [] } })),
  );
  expect(conflict).toMatchObject({ status: 409, code: "DATA_LAYER_TRACKED" });
  const stranger = createClient({ url: server.url, token: "no token of this server" });
  expect(await refusalOf(stranger.query("{ __typename }"))).toMatchObject({ status: 401 });
  await expect(plinth.query("{ __typename }", { signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
});

it("shows the reference pages and their documents without a token", async () => {
  for (const name of ["builder", "coordinator", "assistant", "governance", "data-layer"]) {
    const page = await fetch(`${server.url}/docs/${name}`);
    const text = await page.text();
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const [, link = ""] = /href="([^"]+openapi\.json)"/.exec(text) ?? [];
    const document: any = await (await fetch(new URL(link, `${server.url}/docs/${name}`))).json();
    expect(text).toContain(`<title>${document.info.title}</title>`);
  }
});
