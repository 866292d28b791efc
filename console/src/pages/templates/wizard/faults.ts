/** Pure: what is wrong with the values of a wizard, by page. */
import { faultsOf, type Fault } from "../form/check-value.ts";
import { isRecord, keysOf } from "../form/json.ts";
import { pickerFaults } from "../form/picker-faults.ts";
import type { Draft, Subject } from "./subject.ts";

export interface PageFaults {
  /** By the index of the page. */
  pages: Record<number, Fault[]>;
  /** By environment. */
  overrides: Record<string, Fault[]>;
}

export const noFaults: PageFaults = { pages: {}, overrides: {} };

interface Problem {
  where: string;
  message: string;
}

/** The problems of a refused start, at the fields that they are about; others are shown with the refusal itself. */
export const faultsOfProblems = ({ pages }: Subject, problems: readonly Problem[]): PageFaults => {
  const found: PageFaults = { pages: {}, overrides: {} };
  for (const { where, message } of problems) {
    const [section, ...path] = keysOf(where);
    if (section === "values") {
      const name = path[0] ?? "";
      const index = pages.findIndex((page) => !page.isByEnvironment && page.names.has(name));
      if (index >= 0) (found.pages[index] ??= []).push({ path: indexed(path), message });
    }
    if (section === "environmentOverrides" && path[0] !== undefined)
      (found.overrides[path[0]] ??= []).push({ path: indexed(path.slice(1)), message });
  }
  return found;
};

const indexed = (path: readonly string[]): (string | number)[] =>
  path.map((key) => (/^\d+$/.test(key) ? Number(key) : key));

/** What can be said before the server is asked. */
export const localFaults = ({ pages, environments, kind }: Subject, draft: Draft): PageFaults => {
  const check = (schema: unknown, values: unknown): Fault[] => [
    ...faultsOf(isRecord(schema) ? { ...schema, type: "object" } : schema, values),
    ...pickerFaults(schema, values),
  ];
  const found: PageFaults = { pages: {}, overrides: {} };
  for (const [index, page] of pages.entries()) {
    if (!page.isByEnvironment) {
      const faults = check(page.schema, withDefaults(page.schema, draft.pages[index] ?? {}));
      if (faults.length > 0) found.pages[index] = faults;
    } else if (kind !== "create")
      for (const name of environments) {
        const faults = check(page.schema, withDefaults(page.schema, draft.overrides[name] ?? {}));
        if (faults.length > 0) found.overrides[name] = [...(found.overrides[name] ?? []), ...faults];
      }
  }
  return found;
};

/** The server fills in the defaults of fields that were left out. */
export const withDefaults = (schema: unknown, values: Record<string, unknown>): Record<string, unknown> => {
  const properties = isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {};
  const filled = { ...values };
  for (const [name, field] of Object.entries(properties))
    if (filled[name] === undefined && isRecord(field) && field["default"] !== undefined)
      filled[name] = field["default"];
  return filled;
};

export const countOf = ({ pages, overrides }: PageFaults): number =>
  [...Object.values(pages), ...Object.values(overrides)].reduce((sum, faults) => sum + faults.length, 0);

/** The first page that has one. */
export const firstFaultyPage = (subject: Subject, { pages, overrides }: PageFaults): number | null => {
  const index = subject.pages.findIndex(
    (page, place) =>
      (pages[place]?.length ?? 0) > 0 || (page.isByEnvironment && Object.keys(overrides).length > 0),
  );
  return index < 0 ? null : index;
};
