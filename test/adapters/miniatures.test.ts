/** The four kinds of public adapters are checked fairly. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckResult, Report } from "../../src/adapters/conformance/run.ts";
import { checkMiniature, leastScores } from "./check.ts";
import { adapterRequestProblems } from "../support/adapter-openapi.ts";
import { miniatureNames, startMiniatures, type MiniatureName, type Miniatures } from "./miniatures/all.ts";

let miniatures: Miniatures;
const reports = new Map<MiniatureName, Report>();

beforeAll(async () => {
  miniatures = await startMiniatures();
  for (const name of miniatureNames) reports.set(name, await checkMiniature(miniatures[name].url));
});
afterAll(() => Promise.all(Object.values(miniatures).map((miniature) => miniature.close())));

const idsOf = (name: MiniatureName, outcome: CheckResult["outcome"]): string[] =>
  (reports.get(name)?.results ?? []).filter((result) => result.outcome === outcome).map(({ id }) => id);

describe.each(miniatureNames)("an adapter in the shape of %s", (name) => {
  it("fails no check, and has a score that its author would accept", () => {
    const failing = (reports.get(name)?.results ?? []).flatMap(({ id, outcome, deviations }) =>
      outcome === "fail" ? [`${id}: ${deviations.map(({ what }) => what).join(" ")}`] : [],
    );
    expect(failing).toEqual([]);
    expect(reports.get(name)?.score).toBeGreaterThanOrEqual(leastScores[name]);
    expect(reports.get(name)?.leftBehind).toEqual([]);
    expect(miniatures[name].deployed.size).toBe(0);
  });

  it("gets the calls that the coordinator would make", () => {
    const { calls } = miniatures[name];
    const paths = new Set(calls.filter(({ method }) => method === "POST").map(({ path }) => path));
    // The first call of each kind is a regular one; odd input comes later.
    const first = [...paths].flatMap((path) => calls.find((call) => call.path === path) ?? []);
    expect(first.length).toBeGreaterThanOrEqual(5);
    expect(first.flatMap(adapterRequestProblems)).toEqual([]);
  });
});

it("what is optional and not there is skipped, however that is said", () => {
  expect(idsOf("fastapi", "skipped")).toEqual(
    expect.arrayContaining([
      "validation.v2-valid",
      "validation.v2-invalid",
      "reverse.reads",
      "reverse.missing-fields",
    ]),
  );
  expect(idsOf("akka", "skipped")).toEqual(
    expect.arrayContaining(["validation.v2-valid", "access.set", "access.revoke-all", "reverse.reads"]),
  );
});

it("a change of access comes with the info of the provisioning", () => {
  for (const name of ["spring", "collection"] as const)
    expect(idsOf(name, "pass")).toEqual(
      expect.arrayContaining(["access.set", "access.same-set", "access.smaller-set", "access.revoke-all"]),
    );
});
