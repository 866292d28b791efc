/** Settings of governance. */
import { Type } from "typebox";
import { count, entry, section, text } from "./schema-parts.ts";

const names = (description: string) =>
  Type.Array(text("A name.", { maxLength: 255 }), { default: [], maxItems: 256, description });

const ownershipRule = entry(
  {
    name: text("Named where the rule refuses somebody.", { maxLength: 255 }),
    operations: Type.Array(
      Type.Enum(["start", "undeploy", "removeData", "rollBack", "resume"] as const, {
        description: "An operation on a unit.",
      }),
      { default: [], maxItems: 16, description: "Empty for every operation." },
    ),
    environments: names("Empty for every environment."),
    domains: names("Empty for every domain."),
    owners: Type.Union([Type.Enum(["mine", "any"] as const), names("References of owners.")], {
      default: "any",
      description: "`mine`: what the caller or a group of theirs owns; `any`; or references of owners.",
    }),
    effect: Type.Enum(["allow", "deny", "approval"] as const, { description: "What the rule does." }),
    groups: names("Who approves, never the requester; empty for the owners of the unit."),
  },
  "A rule.",
);

export const governance = section(
  {
    legacyPaths: Type.Boolean({
      default: true,
      description:
        "Serves the operations also below /governance-platform and /datamesh.provisioningcoordinator, for older clients.",
    }),
    onUnavailable: Type.Enum(["block", "warn"] as const, {
      default: "block",
      description: "Whether plans go on with a warning while the policies can't be read.",
    }),
    ownership: section(
      {
        rules: Type.Array(ownershipRule, {
          default: [],
          maxItems: 256,
          description:
            "Who may touch whose unit; the first that matches decides. Stored rules are tried after these, the default ones last.",
        }),
        // Without a default: an empty list says that no environment is guarded.
        approvalEnvironments: Type.Optional(
          Type.Array(text("A name.", { maxLength: 255 }), {
            maxItems: 256,
            description:
              "Where the default rules ask for an approval of deployments; `production`, or the environment of the highest priority, where this is not given.",
          }),
        ),
      },
      "Who may touch whose units. Operators and services may touch all of them.",
    ),
    engines: section(
      {
        threads: count(1, "Threads in which policies are evaluated.", { maximum: 64 }),
        timeoutMs: count(1_000, "Longest evaluation of one policy over one resource.", { maximum: 60_000 }),
        memoryMb: count(128, "Memory of each thread.", { minimum: 32, maximum: 4_096 }),
        cue: Type.Boolean({
          default: false,
          description: "Allows policies in CUE; the package cue-wasm must be installed.",
        }),
        model: Type.Boolean({ default: false, description: "Allows policies that ask an agent." }),
      },
      "How policies are evaluated.",
    ),
    evaluations: section(
      {
        parallelReports: count(2, "Reports that one process evaluates at once.", { maximum: 64 }),
        pendingReports: count(20, "Evaluations that one caller may have pending.", { maximum: 10_000 }),
        reportDays: count(7, "Days for which reports are kept.", { maximum: 3_650 }),
        resultDays: count(90, "Days for which results are kept; the latest of each stay.", {
          maximum: 3_650,
        }),
      },
      "Evaluations besides those of plans.",
    ),
  },
  "Policies that deployments are checked against.",
);
