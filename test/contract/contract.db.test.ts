/** Every operation of the published documents, with requests drawn from them: only what they promise comes back. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDocument, type ApiDocument } from "./document.ts";
import { runContract, type ContractReport } from "./run.ts";
import { openStage, type Stage } from "./stage.ts";

const requests = 2_000;
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.server.close());

const run = (options: Partial<Parameters<typeof runContract>[0]> = {}): Promise<ContractReport> =>
  runContract({ ...stage, url: stage.server.url, requests, seed: Date.now() % 2 ** 31, ...options });

/** Whether these succeed depends on what ran before them, or on an upload that drawn bytes are not. */
const needsLuck = new Set([
  // Their bodies have so much that must fit that few do; of 4,000 drawn requests five previews came through.
  "previewProvisioning",
  "startProvisioning",
  "resumePlan",
  "rollBack",
  "previewRollback",
  "terminateUnitProvisioning",
  "terminatePlan",
  "deleteTechAdapter",
  "getAdapterDeployment",
  "upsertAdapterDeployment",
  "deleteAdapterDeployment",
  "settleUnknownOutcome",
  "pollUnknownOutcome",
  "buildDescriptor",
  "importRecords",
  "sendAccessRequest",
  "provisionDescriptor",
  "unprovisionDescriptor",
  "replayWebhookDeliveries",
  "startDriftCheck",
  "getDriftCheck",
  // Its ids are known to third parties alone.
  "updateHook",
  "retryAccessRequest",
  // Its body is in git's own words.
  "cloneRepository",
  "answerHook",
  "getLocation",
  "unregisterLocation",
  "removeEntity",
  "previewDescriptor",
  "cancelInstantiation",
  "retryInstantiation",
  "scaffolderCancel",
  "scaffolderRetry",
  // What is deleted, decided or cancelled is so for those that come after.
  "patchSessionTitle",
  "listSessionMessages",
  "deleteSession",
  "decideApproval",
  "cancelRun",
  "deleteSkill",
  "deleteAgent",
  "deleteRegisteredAgent",
  "removeSkill",
  "removeMcpTool",
  // Its answers come from hosts elsewhere.
  "scaffolderAutocomplete",
]);

/** Operations of which no request succeeded, although that takes no luck. */
const silentOf = (statuses: ContractReport["statuses"]): string[] =>
  [...statuses]
    .filter(([id, counts]) => !needsLuck.has(id) && ![...counts.keys()].some((status) => status < 300))
    .map(([id]) => id);

async function succeedsAlone(document: ApiDocument): Promise<boolean> {
  const untouched = await openStage();
  try {
    for (let round = 0; round < 6; round++) {
      const more = await run({
        ...untouched,
        url: untouched.server.url,
        documents: [document],
        requests: 100,
        seed: (Date.now() + round) % 2 ** 31,
      });
      expect(more.breaches).toEqual([]);
      if (silentOf(more.statuses).length === 0) return true;
    }
    return false;
  } finally {
    await untouched.server.close();
  }
}

it.each([
  ["coordinator", 0],
  ["builder", 1],
  ["assistant", 2],
])(`${requests} drawn requests to the %s are answered as documented`, async (_name, at) => {
  const document = stage.documents[at]!;
  const { breaches, statuses, judged } = await run({ documents: [document] });
  expect(breaches).toEqual([]);
  expect(Math.min(judged.fitting, judged.unfitting)).toBeGreaterThan(requests / 20);
  // An operation has a few dozen of them, and what it names may have been deleted by others; one that none came
  // through has to show it with more, alone on a server that nobody has touched.
  for (const id of silentOf(statuses)) {
    const operations = document.operations.filter((operation) => operation.id === id);
    expect(await succeedsAlone({ ...document, operations }), id).toBe(true);
  }
});

describe("the run finds out when the document", () => {
  const first = (id: string): any => {
    const document = structuredClone(stage.published[0]) as any;
    const operations = Object.values<any>(document.paths).flatMap((methods) => Object.values<any>(methods));
    return { document, operation: operations.find(({ operationId }) => operationId === id) };
  };
  const runOne = (document: any, id: string): Promise<ContractReport> => {
    const read = readDocument(document);
    const documents = [{ ...read, operations: read.operations.filter((operation) => operation.id === id) }];
    return run({ documents, requests: 60, seed: 7 });
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
    operation.requestBody.content["application/json"].schema.required.push("other");
    expect((await runOne(document, "createTechAdapter")).breaches.join()).toContain(
      "document does not take it",
    );
  });
});
