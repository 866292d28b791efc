/** Tools that build and check descriptors. */
import { Type } from "typebox";
import { environment, textInput } from "./inputs.ts";
import { platformTool, Refused, urlPath, waitFor, type Caller } from "./tool.ts";

export const systemRef = textInput("Reference of a system of the catalogue: `system:namespace/name`.", 400);

/** Given in full, or built from the catalogue, so that a model need not copy a long descriptor. */
export const descriptorSource = {
  systemRef: Type.Optional(systemRef),
  descriptor: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: "A descriptor, instead of a system's." }),
  ),
};

interface Source {
  systemRef?: string | undefined;
  descriptor?: object | undefined;
  environment?: string | undefined;
}

export async function descriptorOf(caller: Caller, source: Source): Promise<Record<string, any>> {
  const { descriptor, systemRef: ref, environment: target } = source;
  if (descriptor !== undefined) return descriptor;
  if (ref === undefined) throw new Refused(400, "Give either systemRef or descriptor.");
  return (await build(caller, { systemRef: ref, environment: target })).descriptor;
}

async function build(caller: Caller, body: { systemRef: string; environment: string | undefined }) {
  const { value, headers } = await caller.post("/api/builder/descriptor/preview", { body });
  const warnings = headers["x-plinth-warning"]?.split(" | ") ?? [];
  return { descriptor: value.descriptor as Record<string, any>, warnings };
}

export const buildDescriptor = platformTool({
  name: "build_descriptor",
  title: "Build a descriptor",
  description:
    "Builds the descriptor of a system of the catalogue, with its components, for one environment. Changes nothing. " +
    "The other tools build it by themselves when they are given systemRef.",
  readOnly: true,
  input: Type.Object({ systemRef, environment }),
  run: build,
});

const longestWaitSeconds = 10;

export const validateDescriptor = platformTool({
  name: "validate_descriptor",
  title: "Check a descriptor",
  description:
    "Checks a descriptor, or that of a system: its form first, then what the tech adapter of each component says. A check " +
    "takes a while: when the status is RUNNING, ask again with the token.",
  readOnly: true,
  input: Type.Object({
    ...descriptorSource,
    environment: Type.Optional(environment),
    token: Type.Optional(textInput("Token of a check that was running, instead of a new one.", 128)),
  }),
  async run(caller, { token: known, ...source }) {
    const token = known ?? (await begin(caller, source));
    const path = urlPath`/api/coordinator/v2/validate/${token}/status`;
    const value = await waitFor(caller, {
      seconds: longestWaitSeconds,
      isFinal: ({ status }) => status !== "RUNNING",
      ask: async () => (await caller.get(path)).value,
    });
    return { token, ...outcome(value) };
  },
});

async function begin(caller: Caller, source: Source): Promise<string> {
  const descriptor = await descriptorOf(caller, source);
  // JSON is YAML as well.
  const body = { descriptor: JSON.stringify(descriptor) };
  return (await caller.post("/api/coordinator/v2/validate", { body })).value as string;
}

/** Leaves out the descriptor, which each phase repeats. */
function outcome({ status, validationSummaryStatus }: any) {
  const results = validationSummaryStatus.results as any[];
  return {
    status,
    results: results.map(({ validationPhaseKind, status: phase, errors }) => ({
      phase: validationPhaseKind,
      status: phase,
      ...(phase === "FAILED" ? { errors } : {}),
    })),
  };
}
