/**
 * Registers templates. A template with `url` and `environment` also registers its adapter's deployment there.
 */
import { inTransaction } from "../../platform/db/database.ts";
import type { Problem } from "../../platform/errors/failure.ts";
import { writeAudit, type CoordinatorContext } from "../context.ts";
import { environmentProblems } from "../environments.ts";
import { checkId, checkUrl, refuseInvalid, versionOf } from "./service.ts";
import { insertAdapter, upsertDeployment } from "./store.ts";
import type { TemplateBody } from "./template-schema.ts";
import { upsertTemplate } from "./template-store.ts";

/** Returns the id of the template. Idempotent. */
export async function registerTemplate(ctx: CoordinatorContext, body: TemplateBody): Promise<string> {
  refuseInvalid(problemsOf(ctx, body));
  const { id, name, description, version, url, environment, properties = {} } = body;
  const adapterId = body.infrastructureIdRef ?? id;
  await inTransaction(ctx.coordinator.database, async (tx) => {
    await upsertTemplate(tx, body);
    if (url !== undefined && environment !== undefined) {
      // A registered adapter keeps its name; its version comes from its id, not from the template.
      const adapterVersion = adapterId.includes(":") ? versionOf(adapterId) : version;
      await insertAdapter(tx, { id: adapterId, name, description, version: adapterVersion, labels: [] });
      await upsertDeployment(tx, { adapterId, environment, url, enabled: true, properties });
    }
    const detail = url === undefined ? {} : { adapter: `${adapterId}@${environment}`, url };
    await writeAudit(tx, ctx, { operation: "registerTemplate", subject: `template:${id}`, detail });
  });
  return id;
}

function problemsOf(ctx: CoordinatorContext, body: TemplateBody): Problem[] {
  const { id, infrastructureIdRef, url, environment } = body;
  const problems = checkId(id);
  if (infrastructureIdRef !== undefined) {
    problems.push(
      ...checkId(infrastructureIdRef).map((each) => ({ ...each, where: "/infrastructureIdRef" })),
    );
  }
  if (environment !== undefined) problems.push(...environmentProblems(ctx, environment, "/environment"));
  if (url === undefined) return problems;
  problems.push(...checkUrl(ctx, url));
  if (environment === undefined) {
    const message = "The adapter at the url can't be placed without an environment.";
    problems.push({
      where: "/environment",
      message,
      solution: "Give the environment, or leave out the url.",
    });
  }
  return problems;
}
