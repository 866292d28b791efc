/**
 * Finds the actions that a module exports in one of the forms that Backstage modules use: objects with `id`
 * and `handler`, functions without parameters that create one, and backend modules that register with the
 * scaffolder's extension point.
 */
import { hasProperties } from "../../../platform/lib/is-record.ts";

export interface ModuleAction {
  id: string;
  description?: unknown;
  supportsDryRun?: unknown;
  schema?: { input?: unknown; output?: unknown };
  handler: (ctx: object) => unknown;
}

export interface FoundActions {
  actions: ModuleAction[];
  problems: string[];
}

export async function findActions(exported: object, name: string): Promise<FoundActions> {
  const found: FoundActions = { actions: [], problems: [] };
  for (const value of candidatesOf(exported)) {
    try {
      if (isAction(value)) found.actions.push(value);
      else if (isFeature(value)) await register(value, found);
      else if (isMaker(value)) {
        const made: unknown = value();
        if (isAction(made)) found.actions.push(made);
      }
    } catch (error) {
      found.problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const known = new Set<string>();
  const actions = found.actions.filter(({ id }) => !known.has(id) && known.add(id));
  return { actions, problems: found.problems };
}

/** The exports, the members of the default export, and the members of lists, each once. */
function candidatesOf(exported: object): Set<unknown> {
  const all = new Set<unknown>();
  const add = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) all.add(each);
    else all.add(value);
  };
  for (const value of Object.values(exported)) {
    add(value);
    const isPlain = typeof value === "object" && value !== null && !isAction(value) && !isFeature(value);
    if (isPlain) for (const inner of Object.values(value)) add(inner);
  }
  return all;
}

const isAction = (value: unknown): value is ModuleAction =>
  hasProperties(value) && typeof value["id"] === "string" && typeof value["handler"] === "function";

interface Feature {
  getRegistrations: () => unknown;
}

const isFeature = (value: unknown): value is Feature =>
  hasProperties(value) &&
  value["$$type"] === "@backstage/BackendFeature" &&
  typeof value["getRegistrations"] === "function";

/** `createSomethingAction()`; a function that needs parameters cannot be called without knowing them. */
const isMaker = (value: unknown): value is () => unknown =>
  typeof value === "function" && value.length === 0 && /^create\w*Action$/.test(value.name);

async function register(feature: Feature, found: FoundActions): Promise<void> {
  const registrations = feature.getRegistrations();
  for (const registration of Array.isArray(registrations) ? (registrations as unknown[]) : []) {
    if (!hasProperties(registration) || registration["pluginId"] !== "scaffolder") continue;
    const init = registration["init"];
    if (!hasProperties(init) || typeof init["func"] !== "function" || !hasProperties(init["deps"])) continue;
    const deps = Object.fromEntries(
      Object.entries(init["deps"]).map(([key, ref]) => [
        key,
        dependency(hasProperties(ref) ? String(ref["id"]) : "", found),
      ]),
    );
    await (init["func"] as (deps: object) => unknown)(deps);
  }
}

/**
 * The dependency that a backend would pass to the module: the list of actions, a log or an empty
 * configuration.
 */
function dependency(id: string, found: FoundActions): unknown {
  if (id === "scaffolder.actions") {
    return {
      addActions: (...actions: unknown[]): void => {
        for (const action of actions.flat()) if (isAction(action)) found.actions.push(action);
      },
    };
  }
  if (id === "core.logger" || id === "core.rootLogger") return silentLog;
  if (id === "core.rootConfig") return emptyConfig;
  // Other extension points of the scaffolder have no effect in this server.
  if (id.startsWith("scaffolder.")) return proxy(() => () => undefined);
  return proxy((member) => () => {
    throw new Error(`the service ${id} (${member}) is not there for modules of actions`);
  });
}

/** Returns a value for any member except those that identify promises and primitives. */
const proxy = (answer: (member: string) => unknown): object =>
  new Proxy(
    {},
    {
      get: (_target, member) =>
        typeof member === "symbol" || member === "then" ? undefined : answer(member),
    },
  );

const silent = (): void => {};
const silentLog = {
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  child: (): object => silentLog,
};

const emptyConfig = proxy((member) => {
  if (member === "has") return () => false;
  if (member === "keys") return () => [];
  return (key: unknown) => {
    if (member.startsWith("getOptional")) return undefined;
    throw new Error(`the configuration has no ${String(key)}`);
  };
});
