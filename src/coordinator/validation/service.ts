/** Synchronous validation of a descriptor: everything the coordinator itself can say of it, without an adapter. */
import type { CoordinatorContext } from "../context.ts";
import { parseUnitYaml } from "../descriptor/yaml.ts";
import { checkUnit } from "../planning/plan.ts";
import { loadEnabledAdapters } from "../deployment-units/store.ts";
import type { Problem } from "../../platform/errors/failure.ts";
import { coordinatorErrorBody, invalidDescriptor } from "../errors.ts";
import type { ErrorObject } from "../error-schema.ts";
import type { ValidateBody, ValidationResult } from "./schema.ts";

export async function validateDescriptor(
  ctx: CoordinatorContext,
  body: ValidateBody,
): Promise<ValidationResult> {
  const { unit, problems } = parseUnitYaml(body.descriptor);
  const found: Problem[] = [...problems];
  if (unit) {
    const { settings, database } = ctx.coordinator;
    const adapters = await loadEnabledAdapters(database.kysely, unit.environment ?? "");
    found.push(
      ...checkUnit(unit, {
        // Only the descriptor names one here, so what is wrong with it is said of the descriptor.
        environment: undefined,
        environments: settings.environments,
        hasAdapter: (template) => unit.environment === undefined || adapters.has(template),
        unitIdPattern: settings.unitIdPattern,
      }),
    );
  }
  return {
    results: [
      {
        validationPhaseKind: "INTERNAL_VALIDATION_PHASE",
        validatedDescriptor: body.descriptor,
        errors: errorsOf(found),
        status: found.length === 0 ? "COMPLETED" : "FAILED",
      },
    ],
  };
}

const errorsOf = (problems: Problem[]): ErrorObject =>
  problems.length === 0
    ? {
        errors: [],
        code: "",
        userMessage: "",
        input: "",
        inputErrorField: "",
        moreInfo: { problems: [], solutions: [] },
      }
    : (coordinatorErrorBody(invalidDescriptor(problems)).body as ErrorObject);
