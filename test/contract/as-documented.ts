/** The drawn requests of one document, and what has to be true of the answers. */
import { expect } from "vitest";
import type { ApiDocument } from "./document.ts";
import { runContract, type ContractReport } from "./run.ts";
import { openFixture, type Fixture } from "./fixture.ts";

/** The documents of the stage, by name and place; how many requests each gets in a run of the tests. */
export const documented: [name: string, at: number, requests: number][] = [
  ["coordinator", 0, 250],
  ["builder", 1, 250],
  ["assistant", 2, 250],
  ["governance", 3, 250],
  // It has six operations.
  ["data-layer", 4, 60],
  ["auth", 5, 150],
];

export const run = (
  fixture: Fixture,
  options: Pick<Parameters<typeof runContract>[0], "requests"> & Partial<Parameters<typeof runContract>[0]>,
): Promise<ContractReport> =>
  runContract({ ...fixture, url: fixture.server.url, seed: Date.now() % 2 ** 31, ...options });

/** The second fixture, on which operations without a success are tried again. It is made when the first operation needs it. */
export interface Untouched {
  open(): Promise<Fixture>;
  close(): Promise<void>;
}

export function lateUntouched(): Untouched {
  let opened: Promise<Fixture> | undefined;
  return {
    open: () => (opened ??= openFixture()),
    close: async () => (await opened)?.server.close(),
  };
}

export async function expectAsDocumented(
  { fixture, untouched }: { fixture: Fixture; untouched: Untouched },
  at: number,
  requests: number,
): Promise<void> {
  const document = fixture.documents[at]!;
  const { breaches, statuses, judged } = await run(fixture, { documents: [document], requests });
  expect(breaches).toEqual([]);
  expect(Math.min(judged.fitting, judged.unfitting)).toBeGreaterThan(requests / 40);
  // An operation has a few dozen of them, and what it names may have been deleted by others; one that none came
  // through has to show it with more, on a server that only such operations have used, or at last alone on one.
  const silent = silentOf(statuses);
  if (silent.length === 0) return;
  for (const id of await failing(await untouched.open(), document, silent)) {
    const own = await openFixture();
    try {
      expect(await failing(own, document, [id]), id).toEqual([]);
    } finally {
      await own.server.close();
    }
  }
}

/** Whether these succeed depends on what ran before them, or on an upload that drawn bytes are not. */
const rarelySucceed = new Set([
  // Their bodies have so much that must fit that few do; of 4,000 drawn requests five previews came through.
  "previewProvisioning",
  // They are for people, and the requests are a program's.
  "getUserInfo",
  "getNoticeChoices",
  "putNoticeChoices",
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
  "putMaintenanceWindows",
  "getReconcile",
  "approveReconcile",
  "refuseReconcile",
  // No channel is configured.
  "getNotice",
  "sendNoticeAgain",
  "sendTestNotice",
  "getDriftCheck",
  // They lead to an identity provider and back, so that each answer is a redirect; test/auth/browser has a provider.
  "beginBrowserSignIn",
  "endBrowserSignIn",
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
  // Stand on an entity in a repository whose template has an edit template; edit-templates.db.test.ts has one.
  "getEntityForm",
  "acceptEdit",
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
  // They stand on the status or the version that others have changed, or on a policy of its own for each request.
  "changePolicy",
  "setPolicyStatus",
  "decideException",
  "revokeException",
  "requestException",
  "testPolicy",
  "startEvaluation",
  // They were removed and answer 410 to every request.
  "listEvaluationReportsRemoved",
  "listViolationsRemoved",
  "countViolationsRemoved",
  "listMetricResultsRemoved",
  // The metadata follows the databases, so that it answers 409; metadata.slow.test.ts has a server where it does not.
  "replaceDataLayerMetadata",
  // It is answered 409 unless the metadata was reset just before.
  "restoreDataLayerMetadata",
  // They stand on an identity provider; sign-in.db.test.ts and registered-client.db.test.ts have one.
  "getProtectedResource",
  "getProtectedResourceAtRoot",
  "getAuthorizationServer",
  "getOpenIdConfiguration",
  "registerClient",
  "beginSignIn",
  "endSignIn",
  "getToken",
]);

/** Operations of which no request succeeded, although that takes no luck. */
const silentOf = (statuses: ContractReport["statuses"]): string[] =>
  [...statuses]
    .filter(([id, counts]) => !rarelySucceed.has(id) && ![...counts.keys()].some((status) => status < 300))
    .map(([id]) => id);

/** A machine that is slow for a while must not make an operation look as if it never succeeds. */
const untilSuccess = { endsWithSuccess: true, waitMs: 5_000 };

/** The operations of which none of 600 requests succeeded. */
async function failing(fixture: Fixture, document: ApiDocument, ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const id of ids) {
    const operations = document.operations.filter((operation) => operation.id === id);
    const documents = [{ ...document, operations }];
    const { breaches, statuses } = await run(fixture, { documents, requests: 600, ...untilSuccess });
    expect(breaches).toEqual([]);
    found.push(...silentOf(statuses));
  }
  return found;
}
