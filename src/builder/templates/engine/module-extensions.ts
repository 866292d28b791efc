/**
 * Filters and globals of the operator's modules. They are called while a template renders, so they run in the
 * render worker with its limits of time and memory; their code is trusted, unlike that of templates.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TemplateFilter } from "nunjitsu";
import { hasProperties } from "../../../platform/lib/is-record.ts";
import { noExtensions, type ExtensionNote, type ModuleExtensions } from "./module-notes.ts";
import type { Json } from "./template-value.ts";

/** A folder of modules whose filters and globals templates may use. */
export interface ExtensionModules {
  folder: string;
  modules: readonly string[];
}

/** The modules listed in the folder's package.json under `plinth.templateFilters`; none without it. */
export async function readExtensionModules(folder: string): Promise<ExtensionModules> {
  const text = await readFile(join(folder, "package.json"), "utf8");
  const description = JSON.parse(text) as { plinth?: { templateFilters?: unknown } };
  const names = description.plinth?.templateFilters;
  const modules = Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  return { folder, modules };
}

/**
 * Never rejects: a module that cannot be loaded is reported as a problem. `isTaken` says which filters
 * already exist.
 */
export async function loadExtensions(
  { folder, modules }: ExtensionModules,
  isTaken: (filter: string) => boolean,
): Promise<ModuleExtensions> {
  const found = noExtensions();
  const from = createRequire(join(folder, "package.json"));
  for (const name of modules) {
    try {
      const exported: unknown = await import(pathToFileURL(from.resolve(name)).href);
      const offered = await extensionsOf(exported);
      if (offered.length === 0) found.notes.problems.push(`${name}: it exports no templateFilters`);
      for (const offer of offered) add(found, { ...offer, module: name }, isTaken);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      found.notes.problems.push(`${name}: ${message.split("\n")[0] ?? ""}`);
    }
  }
  return found;
}

interface FoundExtension {
  kind: "filter" | "global";
  name: string;
  value: unknown;
  note: ExtensionNote;
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
const reserved = new Set(["constructor", "prototype", "__proto__", "always", "failure"]);

function add(
  { filters, globals, notes }: ModuleExtensions,
  { kind, name, value, note, module }: FoundExtension & { module: string },
  isTaken: (filter: string) => boolean,
): void {
  const refuse = (why: string): void => void notes.problems.push(`${module}: the ${kind} ${name} ${why}`);
  if (!identifier.test(name) || reserved.has(name)) return refuse("has a name that can't be used");
  if (kind === "filter") {
    if (typeof value !== "function") return refuse("is no function");
    // A module cannot replace a built-in filter.
    if (isTaken(name)) return refuse("is there already");
    filters[name] = refusePromises(name, value as TemplateFilter);
    notes.filters[name] = note;
  } else if (typeof value === "function") {
    globals[name] = refusePromises(name, value as TemplateFilter);
    notes.functions[name] = note;
  } else if (isJson(value)) {
    globals[name] = value;
    notes.values[name] = { ...(note.description === "" ? {} : { description: note.description }), value };
  } else {
    refuse("is neither a function nor JSON");
  }
}

/** Refuses a promise, which would be rendered as an empty object. */
const refusePromises =
  (name: string, work: TemplateFilter): TemplateFilter =>
  (...given) => {
    const answer: unknown = work(...given);
    if (typeof answer === "object" && answer !== null && "then" in answer) {
      throw new TypeError(`${name} answers later, which no template waits for`);
    }
    return answer as ReturnType<TemplateFilter>;
  };

/** `templateFilters` and `templateGlobals` of the module, of its default export, and of backend modules. */
async function extensionsOf(exported: unknown): Promise<FoundExtension[]> {
  const offers: FoundExtension[] = [];
  const candidates = hasProperties(exported) ? [exported, exported["default"]] : [];
  const inner = candidates.flatMap((each) =>
    hasProperties(each) && "default" in each ? [each["default"]] : [],
  );
  for (const candidate of new Set([...candidates, ...inner])) {
    if (!hasProperties(candidate)) continue;
    offers.push(...listed("filter", candidate["templateFilters"]));
    offers.push(...listed("global", candidate["templateGlobals"]));
    offers.push(...(await registered(candidate)));
  }
  const known = new Set<string>();
  return offers.filter(({ kind, name }) => !known.has(`${kind} ${name}`) && known.add(`${kind} ${name}`));
}

/** A map by name, or a list of objects with a name. */
function listed(kind: FoundExtension["kind"], given: unknown): FoundExtension[] {
  if (Array.isArray(given)) {
    return given.filter(hasProperties).map((each) => ({
      kind,
      name: String(each["id"]),
      value: each["filter"] ?? each["fn"] ?? each["value"],
      note: noteOf(each),
    }));
  }
  if (!hasProperties(given)) return [];
  return Object.entries(given).map(([name, value]) => ({ kind, name, value, note: { description: "" } }));
}

function noteOf({ description, schema, examples }: Record<string, unknown>): ExtensionNote {
  return {
    description: typeof description === "string" ? description : "",
    ...(hasProperties(schema) && isJson(schema) ? { schema } : {}),
    ...(Array.isArray(examples) && isJson(examples) ? { examples: examples as object[] } : {}),
  };
}

/**
 * A Backstage backend module registers its filters with the scaffolder's extension point. Its other
 * dependencies are replaced by stubs that do nothing.
 */
async function registered(candidate: Record<string, unknown>): Promise<FoundExtension[]> {
  const { getRegistrations } = candidate;
  if (candidate["$$type"] !== "@backstage/BackendFeature" || typeof getRegistrations !== "function")
    return [];
  const offers: FoundExtension[] = [];
  const templating = {
    addTemplateFilters: (given: unknown) => void offers.push(...listed("filter", given)),
    addTemplateGlobals: (given: unknown) => void offers.push(...listed("global", given)),
  };
  const registrations: unknown = Reflect.apply(getRegistrations, candidate, []);
  for (const registration of Array.isArray(registrations) ? (registrations as unknown[]) : []) {
    const init = hasProperties(registration) ? registration["init"] : undefined;
    if (!hasProperties(registration) || registration["pluginId"] !== "scaffolder" || !hasProperties(init))
      continue;
    const { deps, func } = init;
    if (!hasProperties(deps) || typeof func !== "function") continue;
    const given = Object.entries(deps).map(([key, ref]) => [
      key,
      hasProperties(ref) && ref["id"] === "scaffolder.templating" ? templating : silent,
    ]);
    await Reflect.apply(func, undefined, [Object.fromEntries(given)]);
  }
  return offers;
}

/** Every member is a function that does nothing. */
const silent: object = new Proxy(
  {},
  {
    get: (_target, member) =>
      typeof member === "symbol" || member === "then"
        ? undefined
        : () => (member === "child" ? silent : undefined),
  },
);

const deepest = 20;

function isJson(value: unknown, depth = 0): value is Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > deepest) return false;
  return Object.values(value).every((item) => isJson(item, depth + 1));
}
