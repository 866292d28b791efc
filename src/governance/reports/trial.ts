/** Tests policies without storing results: on a descriptor, or on everything that is deployed. */
import { isAllowed } from "../../platform/auth/policy.ts";
import { unavailable } from "../../platform/http/errors.ts";
import { newId } from "../../platform/lib/ids.ts";
import type { GovernanceContext } from "../context.ts";
import { governanceFailure } from "../errors.ts";
import { evaluatePolicies } from "../evaluations/evaluate.ts";
import { contentPolicy } from "../evaluations/policy-reader.ts";
import { resourcesOfUnit } from "../evaluations/resources.ts";
import { resultRow, resultView } from "../evaluations/result-row.ts";
import { countOutcomes } from "../evaluations/verdict.ts";
import { refuseUnsound, unknownPolicy } from "../policies/service.ts";
import type { TrialBody, TrialResults } from "./schema.ts";
import { descriptorOf, requireEnvironment, startReport } from "./service.ts";
import { policyOfTrial, type StoredTrial, type TrialPolicy } from "./trial-policy.ts";

export async function testPolicy(ctx: GovernanceContext, body: TrialBody): Promise<TrialResults> {
  const { environment } = body;
  requireEnvironment(ctx, environment);
  if (body.descriptor === undefined) throw nothingToTry();
  const descriptor = descriptorOf(body.descriptor, "/descriptor");
  const previous = body.previous === undefined ? null : descriptorOf(body.previous, "/previous");
  const policy = policyOfTrial(await readTrialPolicy(ctx, body));
  const { engines, policies } = ctx.governance;
  const now = ctx.now();
  const evaluated = await evaluatePolicies(
    { engines, readExceptions: (at) => policies.approved(at) },
    {
      policies: [policy],
      resources: resourcesOfUnit({ descriptor, previous, environment }),
      now,
      signal: ctx.signal,
      runId: newId(),
    },
  ).catch((error: unknown) => {
    // The client has gone, or the server stops: that is no defect.
    throw ctx.signal.aborted ? unavailable("PLATFORM_SHUTTING_DOWN", 1) : error;
  });
  const rows = evaluated.map((each) => resultRow(each, now, "report"));
  return { summary: countOutcomes(rows), results: rows.map(resultView) };
}

/** Returns the id of the report that lists who would be hit. */
export async function startTrial(ctx: GovernanceContext, body: TrialBody): Promise<{ reportId: string }> {
  const { environment } = body;
  requireEnvironment(ctx, environment);
  if (body.descriptor !== undefined) throw bothToTry();
  const policy = await readTrialPolicy(ctx, body);
  const request: StoredTrial = { policy, isGiven: body.policy !== undefined };
  return startReport(ctx, { kind: "trial", environment, request: { ...request }, policyId: null });
}

/** A stored policy, or a sound new one. */
async function readTrialPolicy(ctx: GovernanceContext, body: TrialBody): Promise<TrialPolicy> {
  const { policyId, policy: given } = body;
  if ((policyId === undefined) === (given === undefined)) throw whichPolicy();
  if (given !== undefined) {
    const { id: _id, ...content } = given;
    // Whom the platform calls is for those to say who may store policies.
    if (callsOthers.has(content.engine) && !isAllowed(ctx.actor, "createPolicy"))
      throw notYourEngine(content.engine);
    await refuseUnsound(ctx, content);
    // Compiled specs are kept by id and version: nothing else may have this one.
    return contentPolicy(`trial-${newId()}`, 0, content);
  }
  const id = policyId ?? "";
  const found = await ctx.governance.policies.find(id);
  if (found === null) throw unknownPolicy(id);
  const { status: _status, graceUntil: _end, ...policy } = found.policy;
  return policy;
}

const callsOthers: ReadonlySet<string> = new Set(["remote", "model"]);

const notYourEngine = (engine: string) =>
  governanceFailure("CGP_TRIAL_FORBIDDEN", {
    message: `Only who may create policies tests one with the engine ${engine} that is not stored.`,
    where: "/policy/engine",
  });

const whichPolicy = () =>
  governanceFailure("CGP_INVALID_TRIAL", {
    message: "The request names not one policy.",
    where: "/policy",
    solution: "Give either policy, what a new one would say, or policyId, the id of one that is stored.",
  });

const nothingToTry = () =>
  governanceFailure("CGP_INVALID_TRIAL", {
    message: "There is neither a descriptor nor everything: true.",
    where: "/descriptor",
  });

const bothToTry = () =>
  governanceFailure("CGP_INVALID_TRIAL", {
    message: "There are both a descriptor and everything: true.",
    where: "/descriptor",
  });
