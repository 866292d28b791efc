/** Pure. Checks the configuration of the applications, whether it is a file of its own or a section of the chart's values. */
import {
  deprecatedSetting,
  oldEnvironmentDefault,
  removedSettings,
  renamedVariables,
} from "../../platform/config/renames.ts";
import { chooseProviders } from "../../platform/config/rules/auth.ts";
import { readEnvironments } from "../../platform/config/rules/environments.ts";
import { reportLostMappings } from "../../platform/config/rules/renames.ts";
import type { Report } from "../../platform/config/rules/report.ts";
import type { AuthSettings } from "../../platform/config/schema/schema-auth.ts";
import {
  isNothing,
  nodeAt,
  placeOf,
  showPath,
  showPlace,
  type Located,
  type LocatedMap,
  type Path,
} from "../../platform/config/source/located.ts";
import { newProblems } from "../../platform/config/source/problems.ts";
import { namesIn } from "../../platform/config/source/substitute.ts";
import type { Item, Severity } from "../finding.ts";
import { isMap, referenceText, settingsOf, type Plain, type YamlFile } from "../files/yaml-file.ts";
import type { FileInputs, Found } from "./inputs.ts";

interface Section {
  file: YamlFile;
  /** Where in the file the configuration begins. */
  base: Path;
  root: LocatedMap;
  settings: { [key: string]: Plain };
}

/** Sections of values in which charts keep the configuration of the applications. */
const sections = ["config", "appConfig", "app-config", "globalConfiguration"];

export function checkConfiguration(inputs: FileInputs): Found[] {
  const found = [
    ...inputs.configs.map((file) => sectionAt(file, [])),
    ...inputs.values.flatMap((file) => sections.map((name) => sectionAt(file, [name]))),
  ].filter((section) => section !== null);
  const isSet = isSetIn(inputs);
  return found.flatMap((section) => [
    ...checkEnvironments(section),
    ...checkRemovedSettings(section, isSet),
    ...checkAuth(section),
    ...checkCompliantServices(section),
    ...checkLostMappings(section, isSet),
    ...checkOldReferences(section),
    ...checkStartup(section, inputs),
    ...checkDataContracts(section),
  ]);
}

export const isSetIn =
  ({ variables }: Pick<FileInputs, "variables">) =>
  (name: string): boolean =>
    variables.some((variable) => variable.name === name && variable.isSet);

function sectionAt(file: YamlFile, base: Path): Section | null {
  const node = nodeAt(file.root, base);
  if (node?.kind !== "map") return null;
  const settings = settingsOf(node);
  return isMap(settings) ? { file, base, root: node, settings } : null;
}

interface Remark {
  severity: Severity;
  item: Item;
  path: Path;
  message: string;
  solution?: string | undefined;
  /** What is wrong is that it is there. */
  isKey?: boolean;
}

/** A finding at a path of the section; the message begins with the path, as in `config check`. */
function at({ root, base }: Section, { severity, item, path, message, solution, isKey }: Remark): Found {
  const node = nodeAt(root, path);
  const place = placeOf(root, path, isKey || node === undefined || node.kind === "map" ? "key" : "value");
  return {
    severity,
    item,
    where: showPlace(place),
    message: `${showPath([...base, ...path])} ${message}`,
    ...(solution === undefined ? {} : { solution }),
  };
}

/** What a rule of the product reports, as findings of one item. */
function reported(section: Section, item: Item, rule: (report: Report) => void): Found[] {
  const found: Found[] = [];
  rule({
    problem: (path, remark) => found.push(at(section, { severity: "breaking", item, path, ...remark })),
    warning: (path, remark) => found.push(at(section, { severity: "warning", item, path, ...remark })),
  });
  return found;
}

const environmentsPath = ["mesh", "builder", "environments"];

function checkEnvironments(section: Section): Found[] {
  const node = nodeAt(section.root, environmentsPath);
  if (node === undefined) return [];
  const written = settingsOf(node);
  const found = reported(section, "environments", (report) => void readEnvironments(written, report));
  if (!Array.isArray(written)) return found;
  written.forEach((entry, index) => {
    if (!isMap(entry) || Number.isSafeInteger(entry["priority"])) return;
    const path = [...environmentsPath, index, "priority"];
    const digits = typeof entry["priority"] === "string" && /^-?\d+$/.test(entry["priority"]);
    const message = "must be a whole number";
    found.push({
      ...at(section, {
        severity: "breaking",
        item: "environments",
        path,
        message,
        solution: "Lower numbers come first.",
      }),
      ...(digits && {
        edits: [edit(section, { kind: "set", path, value: Number(entry["priority"]) })],
      }),
    });
  });
  return found;
}

type SectionEdit = NonNullable<Found["edits"]>[number]["edit"];

const edit = ({ file, base }: Section, change: SectionEdit): NonNullable<Found["edits"]>[number] => ({
  file: file.file,
  edit: { ...change, path: [...base, ...change.path] },
});

const pages = new Set(["outputPortPage", "dataProductPage"]);

function checkRemovedSettings(section: Section, isSet: (name: string) => boolean): Found[] {
  return removedSettings.flatMap(({ path, message, solution }): Found[] => {
    const node = nodeAt(section.root, path);
    if (node === undefined) return [];
    const [, , , page, part] = path;
    const isView = page !== undefined && pages.has(page);
    const remark = { severity: "breaking" as const, path, message, solution, isKey: true };
    const removal = { edits: [edit(section, { kind: "remove", path })] };
    if (isView) {
      const from = showPath([...section.base, ...path]);
      const draft = {
        pageId: page,
        part: part === "gridInfo" ? "grid" : "side",
        from,
        content: settingsOf(node),
      } as const;
      return [{ ...at(section, { ...remark, item: "removed-settings" }), draft, ...removal }];
    }
    // Without the new name the key has the only copy of the value.
    const now = renamedVariables.find(({ old }) => old === path[0])?.now[0].name ?? "";
    return [{ ...at(section, { ...remark, item: "licence" }), ...(isSet(now) ? removal : {}) }];
  });
}

function checkAuth(section: Section): Found[] {
  const auth = section.settings["auth"];
  if (!isMap(auth) || !isMap(auth["providers"])) return [];
  const environment = auth["environment"];
  const path = ["auth", "environment"];
  if (environment === referenceText)
    return [
      at(section, {
        severity: "warning",
        item: "auth-environment",
        path,
        message:
          "takes its value from elsewhere, so it could not be compared with the keys of auth.providers",
        solution: "Where it is empty, set it: its default is now default, no longer development.",
      }),
    ];
  const isSet = environment !== undefined && environment !== null && environment !== "";
  const providers = Object.fromEntries(
    Object.entries(auth["providers"]).map(([name, keys]) => [name, mapsOf(keys)]),
  );
  // Addresses and modes are judged by the start; here it is only about names.
  const situation = {
    mode: "development",
    loopbackOnly: true,
    environmentIsSet: isSet,
    entriesAreValid: false,
  } as const;
  const settings = {
    environment: typeof environment === "string" && isSet ? environment : "default",
    providers,
  } as unknown as AuthSettings;
  const found = reported(
    section,
    "auth-environment",
    (report) => void chooseProviders(settings, situation, report),
  );
  return found.map((each) => {
    if (each.message.includes("metadataUrl")) return { ...each, item: "providers" as const };
    const isOldDefault = each.message.endsWith(oldEnvironmentDefault.message);
    if (!isOldDefault) return each;
    return { ...each, edits: [edit(section, { kind: "set", path, value: oldEnvironmentDefault.old })] };
  });
}

/** Only what is a map counts: a chart may have other keys beside the environments. */
const mapsOf = (keys: Plain): { [key: string]: Plain } =>
  isMap(keys) ? Object.fromEntries(Object.entries(keys).filter(([, value]) => isMap(value))) : {};

function checkCompliantServices(section: Section): Found[] {
  const { path, successor, solution } = deprecatedSetting;
  const node = nodeAt(section.root, path);
  if (node === undefined) return [];
  const item = "compliant-services";
  const proxy = settingsOf(node);
  const given = nodeAt(section.root, [successor]);
  const isThere = given !== undefined && !(given.kind === "leaf" && isNothing(given));
  const message = isThere ? `is not used, because ${successor} is given` : "is deprecated";
  const found = at(section, { severity: "warning", item, path, message, solution });
  const removal = edit(section, { kind: "remove", path });
  if (isThere) return [{ ...found, edits: [removal] }];
  if (!isMap(proxy)) return [found];
  const { id = "marketplace-proxy", name = "Marketplace proxy", ...rest } = writtenAt(section, path);
  const value = { services: [{ id, name, ...rest }] };
  return [{ ...found, edits: [removal, edit(section, { kind: "set", path: [successor], value })] }];
}

/** The value as the file has it, references included. */
function writtenAt({ file, base }: Section, path: Path): { [key: string]: Plain } {
  const value = [...base, ...path].reduce<Plain | undefined>(
    (holder, part) => (isMap(holder) ? holder[part] : undefined),
    file.plain,
  );
  return isMap(value) ? value : {};
}

function checkLostMappings(section: Section, isSet: (name: string) => boolean): Found[] {
  const warnings = newProblems();
  reportLostMappings(section.root, isSet, warnings);
  return warnings.list.map(({ where, message, solution }) => ({
    severity: "warning",
    item: "removed-mappings",
    where,
    message,
    ...(solution === undefined ? {} : { solution }),
  }));
}

/** Values that take what they say from a variable with an old name. */
function checkOldReferences(section: Section): Found[] {
  const found: Found[] = [];
  const visit = (node: Located, path: Path): void => {
    if (node.kind === "map") for (const [key, { value }] of node.entries) visit(value, [...path, key]);
    else if (node.kind === "list") node.items.forEach((item, index) => visit(item, [...path, index]));
    else for (const name of namesOf(node)) report(name, path, node);
  };
  const report = (name: string, path: Path, { source }: Leaf): void => {
    const renamed = renamedVariables.find(({ old }) => old === name);
    if (renamed === undefined) return;
    const now = renamed.now[0].name;
    const item = itemOfVariable(name);
    const message = `asks for ${name}, which is now ${now}`;
    const change: SectionEdit =
      source.type === "template"
        ? { kind: "set", path, value: source.text.replaceAll(wholeName(name), now) }
        : { kind: "set", path: [...path, "$env"], value: now };
    found.push({
      ...at(section, { severity: "breaking", item, path, message, solution: `Ask for ${now}.` }),
      edits: [edit(section, change)],
    });
  };
  visit(section.root, []);
  return found;
}

type Leaf = Extract<Located, { kind: "leaf" }>;

const wholeName = (name: string): RegExp => new RegExp(String.raw`(?<=\$\{)${name}(?![A-Za-z0-9_])`, "g");

const namesOf = ({ source }: Leaf): Iterable<string> => {
  if (source.type === "variable") return [source.name];
  return source.type === "template" ? namesIn(source.text) : [];
};

export function itemOfVariable(name: string): Item {
  if (name.includes("AUTH_SECRET")) return "mock-provisioner";
  return name.includes("SQL_") ? "database-variables" : "licence";
}

const startup = [
  ["practiceShaperLocations", "taxonomy", "hasTaxonomy"],
  ["accessRequestLocations", "access request templates", "hasAccessTemplates"],
] as const;

/** Only a configuration of the whole platform can say it, so files without such a section are passed over. */
function checkStartup(section: Section, { catalogue }: FileInputs): Found[] {
  if (section.settings["mesh"] === undefined && section.settings["startupActions"] === undefined) return [];
  return startup.flatMap(([key, what, known]): Found[] => {
    const path = ["startupActions", "catalog", key];
    if (nodeAt(section.root, path) !== undefined || catalogue?.[known] === true) return [];
    const message = `is not set: the first start registers the default ${what}, unless some are registered`;
    return [
      at(section, {
        severity: "info",
        item: "startup-actions",
        path,
        message,
        solution: "Set it to [] before the upgrade if you do not want that.",
      }),
    ];
  });
}

const contractsPath = ["mesh", "marketplace", "dataContracts", "enabled"];

function checkDataContracts(section: Section): Found[] {
  if (section.settings["mesh"] === undefined || nodeAt(section.root, contractsPath) !== undefined) return [];
  const message = "is not set: the new page of data contracts is on";
  return [
    at(section, {
      severity: "info",
      item: "data-contracts",
      path: contractsPath,
      message,
      solution: "Set it to false to turn the page off.",
    }),
  ];
}
