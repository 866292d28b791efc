/**
 * Checks that all plans ended correctly: the API's state of each plan against the calls in the adapter's
 * journal.
 */
import { componentsOfPlan, readCalls, readDeployed, readTakeovers, type Plan } from "./plans.ts";
import type { Running } from "../processes.ts";

export interface Evidence {
  apis: readonly string[];
  adapter: string;
  plans: readonly Plan[];
  killed: readonly Running[];
}

export interface Findings {
  calls: number;
  repeats: number;
  /** From the kill to the moment at which another worker went on, for each plan that lost its worker. */
  takeoversMs: number[];
  problems: string[];
}

export async function check({ apis, adapter, plans, killed }: Evidence): Promise<Findings> {
  const findings: Findings = { calls: 0, repeats: 0, takeoversMs: [], problems: [] };
  const api = apis[0]!;
  const kills = killed.map(({ killedAt }) => killedAt ?? 0);
  const takenOver = new Set<string>();
  for (const plan of plans) {
    if (plan.status !== "COMPLETED") findings.problems.push(`the plan of ${plan.unitId} is ${plan.status}`);
    const deployed = await readDeployed(api, plan);
    if (deployed !== componentsOfPlan)
      findings.problems.push(`${plan.unitId} has ${deployed} of ${componentsOfPlan} components deployed`);
    for (const at of await readTakeovers(api, plan)) {
      takenOver.add(plan.unitId);
      const kill = kills.findLast((each) => each <= at);
      if (kill === undefined) findings.problems.push(`${plan.unitId} was taken over before any kill`);
      else findings.takeoversMs.push(at - kill);
    }
  }
  const calls = await readCalls(adapter);
  findings.calls = calls.length;
  const byComponent = Map.groupBy(calls, ({ componentId }) => componentId);
  for (const { unitId } of plans) {
    for (let part = 0; part < componentsOfPlan; part++) {
      const own = byComponent.get(`${unitId}:part-${part}`) ?? [];
      const acted = own.filter((call) => call.acted).length;
      if (acted !== 1) findings.problems.push(`${unitId}:part-${part} was deployed ${acted} times`);
      if (new Set(own.map(({ idempotencyKey, bodyHash }) => `${idempotencyKey} ${bodyHash}`)).size > 1)
        findings.problems.push(`${unitId}:part-${part} was called in different ways`);
      if (own.length > 1 && !takenOver.has(unitId))
        findings.problems.push(`${unitId}:part-${part} was called again although its worker lived`);
      findings.repeats += Math.max(0, own.length - 1);
    }
  }
  return findings;
}
