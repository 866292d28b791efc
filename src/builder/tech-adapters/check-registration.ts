import type { Problem } from "../../platform/errors/failure.ts";
import type { CheckUrl } from "../ports.ts";
import { adapterUrnPattern } from "./schema.ts";

export interface RegistrationRules {
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
