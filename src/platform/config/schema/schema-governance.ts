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
  },
  "Policies that deployments are checked against.",
);
