import type { RequestContext } from "../../platform/lib/request-context.ts";
import { builderFailure } from "../errors.ts";
import type { ProbeUrl, TechAdapterCatalogue, TechAdapterRegistration } from "../ports.ts";
import { checkRegistration, type RegistrationRules } from "./check-registration.ts";

export interface TechAdapterDeps extends RegistrationRules {
  catalogue: TechAdapterCatalogue;
  probeUrl: ProbeUrl;
}

export type Reachable = "true" | "false" | "unknown";

/**
 * Registers an adapter and its address in one environment, or updates them. The response says whether the
 * address answers, but an adapter may be registered before it runs.
 */
export const registerTechAdapter = async (
  ctx: RequestContext,
  registration: TechAdapterRegistration,
  deps: TechAdapterDeps,
): Promise<{ reachable: Reachable }> => {
  const problems = checkRegistration({ ...registration }, deps);
  if (problems.length > 0)
    throw builderFailure("BUILDER_INVALID_ADAPTER", { message: problemText(problems), problems });
  const [, reachable] = await Promise.all([
    deps.catalogue.register(ctx, registration),
    probe(ctx, registration.url, deps),
  ]);
  if (reachable === "false") {
    ctx.log.warn({ adapter: registration.id }, "registered a tech adapter that does not answer");
  }
  return { reachable };
};

/** The message of a failure with these problems. */
export const problemText = (problems: readonly unknown[]): string =>
  `The registration is not valid: ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}.`;

const probe = async (ctx: RequestContext, url: string, { probeUrl }: TechAdapterDeps): Promise<Reachable> => {
  try {
    const answers = await probeUrl(url, ctx.signal);
    return answers === undefined ? "unknown" : answers ? "true" : "false";
  } catch {
    // The probe is only informative, so it must never fail a registration.
    return "unknown";
  }
};
