/** Settings of governance. */
import { Type } from "typebox";
import { count, section } from "./schema-parts.ts";

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
