import { isRecord } from "../../../platform/lib/is-record.ts";
import type { Problem } from "../../../platform/errors/failure.ts";
import { checkContent } from "./content.ts";
import { idKey } from "../../ids.ts";
import { descriptorLimits } from "./limits.ts";
import { newProblemList, problemsOf, report } from "./problem-list.ts";
import type { ProblemList } from "./problem-list.ts";

/** A map as JSON or YAML gives it. */
export type DescriptorObject = Record<string, unknown>;

/**
 * The fields of a deployment unit descriptor that the coordinator reads; unknown keys stay in `descriptor`.
 */
export interface Unit {
  id: string;
  /** `idKey(id)`. */
  key: string;
  name: string;
  /** Empty when the descriptor has none. */
  version: string;
  environment: string | undefined;
  /** Present when the unit itself is provisioned, before its components. */
  infrastructureTemplateId: string | undefined;
  components: readonly Component[];
  /** JSON pointer of the descriptor in the request. */
  pointer: string;
  descriptor: DescriptorObject;
}

export interface Component {
  id: string;
  /** `idKey(id)`. */
  key: string;
  name: string;
  version: string;
  infrastructureTemplateId: string | undefined;
  /** As written and with the same indexes; an unreadable entry is "". */
  dependsOn: readonly string[];
  /** Nested `components` of every level, parents first. */
  subcomponents: readonly Component[];
  /** For a subcomponent, the key of its direct parent. */
  parentKey: string | undefined;
  /** JSON pointer in the request. */
  pointer: string;
  descriptor: DescriptorObject;
}

/** The unit by the configuration: without root provisioning nothing is provisioned for the unit itself. */
export const asConfigured = (unit: Unit, { rootProvisioning }: { rootProvisioning: boolean }): Unit =>
  rootProvisioning ? unit : { ...unit, infrastructureTemplateId: undefined };

export interface UnitReading {
  /** Undefined when the value is not a unit at all; otherwise everything that could be read. */
  unit: Unit | undefined;
  problems: Problem[];
}

/**
 * Reads a unit from a descriptor object leniently: unknown keys are allowed, a missing version is empty,
 * numbers are accepted as text. `base` is the JSON pointer of the descriptor in the request.
 */
export function readUnit(value: unknown, base = "/descriptor"): UnitReading {
  if (!isRecord(value)) {
    const solution = "Give an object with id, name, version and components.";
    return {
      unit: undefined,
      problems: [{ where: base, message: "The descriptor is not an object.", solution }],
    };
  }
  if (isAbsent(value["id"]) && isRecord(value["dataProduct"])) {
    const message = "The descriptor is wrapped in `dataProduct`, as tech adapters are sent it.";
    const solution = "Send what stands under `dataProduct`, without that key.";
    return { unit: undefined, problems: [{ where: base, message, solution }] };
  }
  const unsound = checkContent(value, base);
  if (unsound.length > 0) return { unit: undefined, problems: unsound };
  const reader: Reader = { problems: newProblemList(), count: 0 };
  const id = readId(reader, value, base);
  const unit: Unit = {
    id,
    key: idKey(id),
    name: readText(reader, value, "name", base) ?? "",
    version: readText(reader, value, "version", base) ?? "",
    environment: readText(reader, value, "environment", base),
    infrastructureTemplateId: readTemplateId(reader, value, base),
    components: readComponents(reader, value, base),
    pointer: base,
    descriptor: value,
  };
  if (reader.count > descriptorLimits.components)
    report(reader.problems, tooManyComponents(reader.count, base));
  return { unit, problems: problemsOf(reader.problems) };
}

interface Reader {
  problems: ProblemList;
  /** Components and subcomponents seen. */
  count: number;
}

function readComponents(reader: Reader, owner: DescriptorObject, base: string): Component[] {
  const list = owner["components"];
  const where = `${base}/components`;
  if (list === undefined || list === null) {
    // A misspelt key must not pass for "no components": that would undeploy all of them.
    const solution = "Give the list of components; write [] when there are none.";
    report(reader.problems, { where, message: "The descriptor has no components list.", solution });
    return [];
  }
  return readComponentList(reader, { list, where, parentId: undefined });
}

interface ListPlace {
  list: unknown;
  where: string;
  /** Id of the component that the list is nested in. */
  parentId: string | undefined;
}

function readComponentList(reader: Reader, { list, where, parentId }: ListPlace): Component[] {
  if (!Array.isArray(list)) {
    const solution = "Give a list of objects, each with an id.";
    report(reader.problems, { where, message: "components is not a list.", solution });
    return [];
  }
  const components: Component[] = [];
  for (let index = 0; index < list.length; index += 1) {
    reader.count += 1;
    // Beyond the limit components are only counted: the request is refused anyway.
    if (reader.count > descriptorLimits.components) continue;
    const pointer = `${where}/${index}`;
    const item: unknown = list[index];
    if (isRecord(item)) components.push(readComponent(reader, item, { pointer, parentId }));
    else {
      const solution = "Give an object with an id.";
      report(reader.problems, { where: pointer, message: "The component is not an object.", solution });
    }
  }
  return components;
}

function readComponent(
  reader: Reader,
  value: DescriptorObject,
  { pointer, parentId }: { pointer: string; parentId: string | undefined },
): Component {
  const name = readText(reader, value, "name", pointer) ?? "";
  const derivable = parentId !== undefined && name !== "" && isAbsent(value["id"]);
  const id = derivable ? deriveId(reader, `${parentId}:${name}`, pointer) : readId(reader, value, pointer);
  const nested = value["components"];
  const direct = isAbsent(nested)
    ? noComponents
    : readComponentList(reader, { list: nested, where: `${pointer}/components`, parentId: id });
  return {
    id,
    key: idKey(id),
    name,
    version: readText(reader, value, "version", pointer) ?? "",
    infrastructureTemplateId: readTemplateId(reader, value, pointer),
    dependsOn: readDependsOn(reader, value, pointer),
    subcomponents: direct.length === 0 ? direct : direct.flatMap((child) => [child, ...child.subcomponents]),
    parentKey: parentId === undefined ? undefined : idKey(parentId),
    pointer,
    descriptor: value,
  };
}

const noComponents: readonly Component[] = [];
const noDependencies: readonly string[] = [];
// oxlint-disable-next-line no-control-regex -- Control characters are exactly what an identifier may not hold.
const controlCharacter = /[\u0000-\u001f\u007f]/;

function readId(reader: Reader, owner: DescriptorObject, base: string): string {
  const where = `${base}/id`;
  const value = owner["id"];
  const solution = "Give an identifier, for example urn:dmb:cmp:finance:orders:0:storage.";
  if (isAbsent(value)) {
    report(reader.problems, { where, message: "The id is missing.", solution });
    return "";
  }
  const text = textOf(value);
  if (text === undefined) {
    report(reader.problems, { where, message: "The id is not text.", solution });
    return "";
  }
  const message = faultOfId(text);
  if (message === undefined) return text;
  report(reader.problems, { where, message, solution });
  return "";
}

/** Id of a subcomponent that has only a name. */
function deriveId(reader: Reader, id: string, pointer: string): string {
  const message = faultOfId(id);
  if (message === undefined) return id;
  const solution = "Give the subcomponent an id of its own, or a shorter, plainer name.";
  report(reader.problems, { where: `${pointer}/name`, message, solution });
  return "";
}

function faultOfId(text: string): string | undefined {
  if (text.trim() === "") return "The id is empty.";
  if (text.length > descriptorLimits.idLength) {
    return `The id is longer than ${descriptorLimits.idLength} characters.`;
  }
  if (
    text.length > descriptorLimits.idBytes / 3 &&
    Buffer.byteLength(idKey(text)) > descriptorLimits.idBytes
  ) {
    return `The id is longer than ${descriptorLimits.idBytes} bytes.`;
  }
  return controlCharacter.test(text) ? "The id holds a control character." : undefined;
}

function readTemplateId(reader: Reader, owner: DescriptorObject, base: string): string | undefined {
  const text = readText(reader, owner, "infrastructureTemplateId", base);
  return text === undefined || text.trim() === "" ? undefined : text;
}

function readText(reader: Reader, owner: DescriptorObject, field: string, base: string): string | undefined {
  const value = owner[field];
  if (typeof value === "string") return value;
  if (isAbsent(value)) return undefined;
  const text = textOf(value);
  if (text === undefined) {
    const message = `${field} is not text.`;
    report(reader.problems, { where: `${base}/${field}`, message, solution: `Give ${field} as a string.` });
  }
  return text;
}

function readDependsOn(reader: Reader, owner: DescriptorObject, base: string): readonly string[] {
  const value = owner["dependsOn"];
  if (isAbsent(value)) return noDependencies;
  const where = `${base}/dependsOn`;
  if (!Array.isArray(value)) {
    const solution = "Give a list of component ids.";
    report(reader.problems, { where, message: "dependsOn is not a list.", solution });
    return noDependencies;
  }
  return value.map((item: unknown, index) => {
    const text = textOf(item);
    if (text !== undefined && text.trim() !== "") return text;
    const solution = "Give the id of a component of this unit, or remove the entry.";
    const message = "The dependsOn entry is not a component id.";
    report(reader.problems, { where: `${where}/${index}`, message, solution });
    return "";
  });
}

function tooManyComponents(count: number, base: string): Problem {
  return {
    where: `${base}/components`,
    message: `The descriptor has ${count} components; at most ${descriptorLimits.components} are allowed.`,
    solution: "Split the deployment unit.",
  };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : undefined;
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}
