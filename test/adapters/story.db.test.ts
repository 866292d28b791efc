/** The short case of `npm run test:adapters`: one unit over the four miniatures, on one server. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import { startMiniatures, type Miniatures } from "./miniatures/all.ts";
import { register } from "./fixture.ts";
import { requestProblems, steps, worldOf, type World } from "./story.ts";
import { subcomponentSteps } from "./subcomponents.ts";

let server: WholeServer;
let miniatures: Miniatures;
let world: World;

beforeAll(async () => {
  miniatures = await startMiniatures();
  server = await startWholeServer();
  await register(server, miniatures);
  world = worldOf(server, miniatures, 1);
});
afterAll(async () => {
  await server.close();
  await Promise.all(Object.values(miniatures).map((miniature) => miniature.close()));
});

it.each([...steps, ...subcomponentSteps])("%s", (...[, run]) => run(world));

it("every request to an adapter is one of the adapter OpenAPI", () => {
  const calls = Object.values(miniatures).flatMap((miniature) => miniature.calls);
  expect(calls.length).toBeGreaterThan(40);
  expect(requestProblems(miniatures)).toEqual([]);
});
