/** Every operation of the published documents, with requests drawn from them: only what they promise comes back. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documented, expectAsDocumented, lateUntouched, run } from "./as-documented.ts";
import { readDocument } from "./document.ts";
import type { ContractReport } from "./run.ts";
import { openFixture, type Fixture } from "./fixture.ts";

const untouched = lateUntouched();
let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => Promise.all([fixture.server.close(), untouched.close()]));

/** 60 s on a quiet machine; the limit is for one with twenty times the load. */
const limitMs = 1_200_000;

it.each(documented)(
  "drawn requests to the %s are answered as documented",
  (_name, at, requests) => expectAsDocumented({ fixture, untouched }, at, requests),
  limitMs,
);

describe("the run finds out when the document", () => {
  const first = (id: string): any => {
    const document = structuredClone(fixture.published[0]) as any;
    const operations = Object.values<any>(document.paths).flatMap((methods) => Object.values<any>(methods));
    return { document, operation: operations.find(({ operationId }) => operationId === id) };
  };
  const runOne = (document: any, id: string): Promise<ContractReport> => {
    const read = readDocument(document);
    const documents = [{ ...read, operations: read.operations.filter((operation) => operation.id === id) }];
    return run(fixture, { documents, requests: 60, seed: 7 });
  };

  it("leaves a status out", async () => {
    const { document, operation } = first("getPlan");
    delete operation.responses["200"];
    expect((await runOne(document, "getPlan")).breaches.join()).toContain("200 is not documented");
  });

  it("says something else of an answer", async () => {
    const { document, operation } = first("listTechAdapters");
    operation.responses["200"].content["application/json"].schema.required = ["other"];
    expect((await runOne(document, "listTechAdapters")).breaches.join()).toContain("is not as documented");
  });

  it("takes more than the operation", async () => {
    const { document, operation } = first("createTechAdapter");
    operation.requestBody.content["application/json"].schema = { type: "object" };
    expect((await runOne(document, "createTechAdapter")).breaches.join()).toContain(
      "although the document takes it",
    );
  });

  it("takes less than the operation", async () => {
    const { document, operation } = first("createTechAdapter");
    operation.requestBody.content["application/json"].schema.required = ["other"];
    expect((await runOne(document, "createTechAdapter")).breaches.join()).toContain(
      "document does not take it",
    );
  });
});
