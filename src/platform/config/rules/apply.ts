import { deprecatedSetting } from "../renames.ts";
import type { Config, Settings } from "../schema/schema.ts";
import { isNothing, nodeAt, placeOf, type LocatedMap, type Path, type Place } from "../source/located.ts";
import type { ConfigProblems } from "../source/problems.ts";
import { chooseProviders } from "./auth.ts";
import { checkDataSources } from "./data-sources.ts";
import { readEnvironments } from "./environments.ts";
import { checkExecution } from "./execution.ts";
import { checkHooks } from "./hooks.ts";
import { isLoopbackHost } from "./loopback.ts";
import { checkMcpServers } from "./mcp.ts";
import { reportRemovedSettings } from "./renames.ts";
import { checkNotices } from "./notices.ts";
import type { Report } from "./report.ts";
import { checkWatching } from "./watching.ts";

type ComplianceServices = Config["marketplace-compliant-services"];

/** What the rules look at, and where they write. */
interface Rules {
  settings: Settings;
  /** Whether something was written at the path, as opposed to a default. */
  isSet: (path: Path) => boolean;
  /** Whether all these sections have the types of the schema; rules skip others. */
  intact: (...sections: (keyof Settings)[]) => boolean;
  /** Whether the sections that the rules about sign-in iterate over are maps. */
  authHasShape: boolean;
  report: Report;
}

export interface SchemaVerdict {
  isIntact: (section: string) => boolean;
  authHasShape: boolean;
}

/**
 * The rules that a schema cannot express. Removed settings are taken out of the tree first; the returned
 * function turns settings into the configuration, which is valid only when no problem was reported.
 */
export function applyRules(
  root: LocatedMap,
  problems: ConfigProblems,
  warnings: ConfigProblems,
): (settings: Settings, fits: SchemaVerdict) => Omit<Config, "dbs"> {
  reportRemovedSettings(root, { problems, warnings });
  const report: Report = {
    problem: (path, remark) => problems.add(pointAt(root, path), path, remark),
    warning: (path, remark) => warnings.add(pointAt(root, path), path, remark),
  };
  const isSet = (path: Path): boolean => {
    const node = nodeAt(root, path);
    return node !== undefined && !(node.kind === "leaf" && isNothing(node));
  };
  return (settings, { isIntact, authHasShape }) => {
    const intact: Rules["intact"] = (...sections) => sections.every(isIntact);
    return finish({ settings, isSet, intact, authHasShape, report });
  };
}

/** A value is pointed at where it stands, a map at its key. */
const pointAt = (root: LocatedMap, path: Path): Place =>
  placeOf(root, path, nodeAt(root, path)?.kind === "map" ? "key" : "value");

function finish(rules: Rules): Omit<Config, "dbs"> {
  const { settings, isSet, intact, authHasShape, report } = rules;
  const {
    "provisioning-coordinator": _deprecated,
    dbs: _sources,
    configOverride: _override,
    ...rest
  } = settings;
  const environments = readEnvironments(settings.mesh?.builder?.environments, report);
  if (authHasShape && intact("mode", "server")) {
    const situation = {
      mode: settings.mode,
      loopbackOnly: isLoopbackHost(settings.server.host),
      baseUrl: settings.server.baseUrl,
      environmentIsSet: isSet(["auth", "environment"]),
      entriesAreValid: intact("auth"),
    };
    chooseProviders(settings.auth, situation, report);
  }
  if (intact("database", "mode")) checkDatabase(rules);
  if (intact("adapters", "mode")) checkSecrets(rules);
  if (intact("actionHandlers")) checkHooks(settings, report);
  if (intact("assistant")) checkMcpServers(settings, report);
  if (intact("coordinator")) {
    const names = environments.map(({ name }) => name);
    checkExecution(settings, names, report);
    checkWatching(settings, names, report);
  }
  if (intact("notices", "server")) {
    const names = environments.map(({ name }) => name);
    checkNotices(settings, names, report);
  }
  if (intact("dbs", "configOverride", "dataLayer")) checkDataSources(settings, report);
  return {
    ...rest,
    mesh: { ...settings.mesh, builder: { ...settings.mesh?.builder, environments } },
    database: { ...settings.database, embedded: settings.database?.coordinator?.host === undefined },
    "marketplace-compliant-services": complianceServices(rules),
  };
}

function checkDatabase({ settings: { database, mode }, isSet, report }: Rules): void {
  if (database.coordinator.host !== undefined) return;
  const path = ["database", "coordinator"];
  const ignored = ["port", "user", "password"].filter((key) => isSet([...path, key]));
  if (ignored.length > 0) {
    report.warning([...path, ignored[0]!], {
      message: "has no effect: there is no database host, so the embedded database is used",
      solution: "Set COORDINATOR_DB_HOST or PLATFORM_DB_HOST.",
    });
  }
  if (mode === "production") {
    report.warning(path, {
      message: "has no host: production runs on the embedded database of this machine",
      solution: "Set COORDINATOR_DB_HOST or PLATFORM_DB_HOST to use a PostgreSQL server.",
    });
  }
}

/** Adapters get the secret, or a token signed with it, in a header; so it must survive there, and be long enough. */
function checkSecrets({ settings: { adapters, mode }, report }: Rules): void {
  const path = ["adapters", "secret"];
  const { secret, formerSecret } = adapters;
  if (formerSecret !== undefined) {
    checkSecret(["adapters", "formerSecret"], formerSecret, report);
    if (secret === undefined || secret === formerSecret)
      report.problem(["adapters", "formerSecret"], {
        message: "is the secret of before, and there is no other one in adapters.secret",
        solution: "Set adapters.secret to the new secret, or leave adapters.formerSecret out.",
      });
  }
  if (secret === undefined) {
    if (mode === "production") {
      report.warning(path, {
        message: "is not set: calls to tech adapters carry no credentials",
        solution: "Set CORE_BACKEND_PLUGIN_AUTH_SECRET.",
      });
    }
    return;
  }
  checkSecret(path, secret, report);
}

function checkSecret(path: Path, secret: string, report: Report): void {
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    report.problem(path, {
      message: "must consist of printable ASCII characters without spaces or line ends",
      solution: "Look for a line end that was stored with it.",
    });
  }
  if (secret.length < 32) {
    report.warning(path, {
      message: "is shorter than 32 characters",
      solution: "Use a longer random secret.",
    });
  }
}

/** The section of 2.1 is read when the new one is absent, as one service. */
function complianceServices({ settings, isSet, intact, report }: Rules): ComplianceServices {
  const current = settings["marketplace-compliant-services"];
  if (!intact("marketplace-compliant-services", "provisioning-coordinator")) return current;
  const ids = new Set<string>();
  for (const [index, { id }] of current.services.entries()) {
    if (ids.has(id)) {
      const path = ["marketplace-compliant-services", "services", index, "id"];
      report.problem(path, { message: "is the id of another service" });
    }
    ids.add(id);
  }
  const proxy = settings["provisioning-coordinator"]?.["depends-on"]?.["marketplace-proxy"];
  if (!proxy) return current;
  const { path, successor, solution } = deprecatedSetting;
  if (isSet([successor])) {
    report.warning(path, { message: `is not used, because ${successor} is given`, solution });
    return current;
  }
  report.warning(path, { message: "is deprecated", solution });
  const { id = "marketplace-proxy", name = "Marketplace proxy", ...rest } = proxy;
  return { services: [{ id, name, ...rest }] };
}
