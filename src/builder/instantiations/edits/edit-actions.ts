/**
 * The steps of tasks that change an existing entity. No template can name these actions: the plan contains
 * what they change.
 */
import { setTimeout as wait } from "node:timers/promises";
import { type Action, type ActionContext, requestContextOf } from "../../actions/action.ts";
import { builderFailure } from "../../errors.ts";
import type { ReverseProvisioner } from "../../ports.ts";
import type { EditPlan, TemplateStep } from "../../templates/template.ts";
import type { JsonObject } from "../../templates/json-schema.ts";
import { notEditable, placeOfPlan, readForEnvironment, withEditable } from "./editable.ts";
import { publishEdit } from "./publish-edit.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/** The last step of a plan, after the steps of its template. */
export const editStep: TemplateStep = {
  id: "entityEdit",
  name: "Change the entity's files",
  action: "entity:edit",
  input: {},
};

/** The steps of a reverse provisioning. */
export const reverseSteps: readonly TemplateStep[] = [
  { id: "entityRead", name: "Ask the adapter what exists", action: "entity:reverse-provision", input: {} },
  { ...editStep, input: { updates: "${{ steps.entityRead.output.updates }}" } },
];

export const createEditActions = (reverse: ReverseProvisioner): ReadonlyMap<string, Action> =>
  new Map([edit, reverseProvision(reverse)].map((action) => [action.id, action]));

const edit: Action = {
  id: editStep.action,
  description: "Changes the files of an entity and publishes the change.",
  supportsDryRun: false,
  onlyReads: true,
  input: { type: "object", properties: { updates: { type: "object" } } },
  run: async (ctx) => publishEdit(ctx, planOf(ctx)),
};

const planOf = ({ edit: plan }: ActionContext): EditPlan => {
  if (plan === undefined) throw new Error("a task without an entity is to change one");
  return plan;
};

/** Interval at which a plan of the coordinator is polled. */
const pauseMs = 500;

const reverseProvision = (reverse: ReverseProvisioner): Action => ({
  id: "entity:reverse-provision",
  description: "Has the adapter of an entity read what exists, and answers the updates.",
  supportsDryRun: false,
  onlyReads: true,
  input: { type: "object" },
  output: { type: "object", properties: { updates: { type: "object" }, planId: { type: "string" } } },
  async run(ctx) {
    const { checkpoint, say, signal, output } = ctx;
    // Repeating the start after a crash is harmless: the adapter only reads.
    const planId = await checkpoint("plan", () => start(reverse, ctx));
    say(`The coordinator's plan ${planId} asks the adapter.`);
    for (;;) {
      signal.throwIfAborted();
      const end = await reverse.readEnd(requestContextOf(ctx), planId);
      if (end === null) {
        await wait(pauseMs, undefined, { signal });
        continue;
      }
      if (!end.isCompleted)
        throw builderFailure("BUILDER_STEP_FAILED", {
          message: `The adapter could not be asked: ${end.message ?? "the plan did not complete"}`,
        });
      output("planId", planId);
      output("updates", end.updates);
      return;
    }
  },
});

async function start(reverse: ReverseProvisioner, ctx: ActionContext): Promise<string> {
  const { deps, signal, now } = ctx;
  const plan = planOf(ctx);
  const environment = plan.environment ?? "";
  const place = placeOfPlan(deps, plan);
  const { catalogInfo, configuration } = await withEditable(place, { deps, signal, now }, (files, open) =>
    readForEnvironment(place, { deps, signal, now }, { open, files, environment }),
  );
  const spec = catalogInfo["spec"];
  const mesh: JsonObject = isRecord(spec) && isRecord(spec["mesh"]) ? spec["mesh"] : {};
  const { useCaseTemplateId, infrastructureTemplateId } = mesh;
  if (typeof useCaseTemplateId !== "string" || typeof infrastructureTemplateId !== "string")
    throw notEditable(
      `${plan.entityRef} names no useCaseTemplateId and infrastructureTemplateId, so no adapter can be asked about it.`,
    );
  return reverse.start(requestContextOf(ctx), {
    useCaseTemplateId,
    infrastructureTemplateIds: [infrastructureTemplateId],
    environment,
    params: {
      ...ctx.withoutSecrets(ctx.parameters),
      ...(configuration === null ? {} : { environmentSpecificConfig: configuration }),
    },
    catalogInfo,
  });
}
