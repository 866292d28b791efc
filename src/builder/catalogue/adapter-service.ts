import type { RequestContext } from "../../platform/lib/request-context.ts";
import { builderFailure } from "../errors.ts";
import type { ProbeUrl, TechAdapterCatalogue, TechAdapterRegistration, CheckUrl } from "../ports.ts";
import type { Problem } from "../../platform/errors/failure.ts";
import { adapterUrnPattern } from "./adapter-schema.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import { OutboundError } from "../../platform/outbound/outbound-error.ts";

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

interface RegistrationRules {
  environments: readonly string[];
  checkUrl: CheckUrl;
}

/**
 * Rules of a registration that a schema cannot express, and some that it can, for callers without one. Each
 * string field is checked on its own, so that a body with other invalid fields can be checked too.
 */
export const checkRegistration = (
  body: Readonly<Record<string, unknown>>,
  rules: RegistrationRules,
): Problem[] => {
  const { id, version, url, environment } = body;
  const problems: Problem[] = [];
  if (typeof id === "string" && !new RegExp(adapterUrnPattern).test(id)) {
    problems.push({
      where: "/id",
      message: "The id has the form urn:<namespace>:itm:<adapter-name>:<version>.",
    });
  }
  const segment = typeof id === "string" ? id.slice(id.lastIndexOf(":") + 1) : "";
  if (typeof id === "string" && id.includes(":") && typeof version === "string" && version !== segment) {
    problems.push({
      where: "/version",
      message: `The version equals the last segment of the id, which is "${segment.slice(0, 100)}".`,
    });
  }
  if (typeof environment === "string" && !rules.environments.includes(environment)) {
    problems.push({
      where: "/environment",
      message: `The environment "${environment.slice(0, 100)}" is not configured.`,
      solution: `Use one of ${rules.environments.join(", ")}.`,
    });
  }
  if (typeof url === "string") problems.push(...checkAddress(url, rules.checkUrl));
  return problems;
};

const checkAddress = (url: string, checkUrl: CheckUrl): Problem[] => {
  const where = "/url";
  if (!URL.canParse(url)) return [{ where, message: "The url is not a URL." }];
  const { protocol } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") {
    return [{ where, message: "The url starts with http:// or https://." }];
  }
  const refused = checkUrl(url);
  return refused === null ? [] : [{ ...refused, where }];
};

const probeTimeoutMs = 2_000;

/**
 * Whether an HTTP server answers at an address. Any response counts, because adapters have no common health
 * check.
 */
export const createProbe =
  (outbound: Pick<Outbound, "request">): ProbeUrl =>
  async (url, signal) => {
    try {
      await outbound.request({
        method: "GET",
        url,
        timeoutMs: probeTimeoutMs,
        maxResponseBytes: 65_536,
        signal,
      });
      return true;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      if (error.reason === "too_large") return true;
      return error.reason === "aborted" || error.isRefused ? undefined : false;
    }
  };
