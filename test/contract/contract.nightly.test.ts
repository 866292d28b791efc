import { afterAll, beforeAll, it } from "vitest";
import { documented, expectAsDocumented } from "./as-documented.ts";
import { openStage, type Stage } from "./stage.ts";

const requests = 2_000;
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.server.close());

it.each(documented)(`${requests} drawn requests to the %s are answered as documented`, (_name, at) =>
  expectAsDocumented(stage, at, requests),
);
