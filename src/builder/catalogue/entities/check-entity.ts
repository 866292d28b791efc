/** Pure: whether a document is a valid entity, including the rules of its kind. */
import { escapeKey } from "../../../platform/lib/json-pointer.ts";
import { showValue, textOf, type YamlMap, type YamlValue } from "./yaml.ts";
import { parseEntityRef } from "../../entity.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/** A problem at a place in a document; `pointer` is a JSON pointer. */
export interface EntityProblem {
  pointer: string;
  message: string;
}

/** Longest names; names of systems and components include those of their parents. */
const maxNameChars = 63;
const maxComposedNameChars = 253;
const maxApiVersionChars = 253;
const maxAnnotations = 500;
const maxTags = 500;

/** Longest key of a label or annotation: a prefix of 253 characters, a slash and a name of 63. */
const maxKeyChars = 253 + 1 + 63;

// A file may hold thousands of documents, so the time that a pattern takes grows no faster than the text.
const apiVersionPattern = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?\/)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;
const kindPattern = /^[A-Za-z][A-Za-z0-9]{0,62}$/;
const namePattern = /^[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+|[-_]{2,}[A-Za-z0-9]+)*$/;
const namespacePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/i;
const tagPattern = /^[a-z0-9:+#]+(?:-[a-z0-9:+#]+)*$/;
const keyPattern =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\/)?[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** All problems of a document as an entity; empty for a valid one. */
export function checkEntity(document: YamlValue): EntityProblem[] {
  if (!isRecord(document))
    return [{ pointer: "", message: "An entity is a map with apiVersion, kind and metadata." }];
  const problems: EntityProblem[] = [];
  const check = (pointer: string, holds: boolean, message: string): void => {
    if (!holds) problems.push({ pointer, message });
  };
  const { apiVersion, kind, metadata } = document;
  check(
    "/apiVersion",
    fits(apiVersion, apiVersionPattern, maxApiVersionChars),
    `apiVersion is not valid: it is ${showValue(apiVersion)}.`,
  );
  check(
    "/kind",
    fits(kind, kindPattern, 63),
    `The kind is at most 63 letters and digits and begins with a letter; it is ${showValue(kind)}.`,
  );
  if (isRecord(metadata)) problems.push(...checkMetadata(metadata, typeof kind === "string" ? kind : ""));
  else problems.push({ pointer: "/metadata", message: "metadata must be a map with a name." });
  const spec = document["spec"];
  check("/spec", spec === undefined || isRecord(spec), "spec must be a map.");
  if (typeof kind === "string" && (spec === undefined || isRecord(spec))) {
    problems.push(...checkSpec(spec ?? {}, kind));
  }
  return problems;
}

/** Whether it is a string of limited length that matches the pattern. */
const fits = (value: YamlValue | undefined, pattern: RegExp, maxChars: number): boolean =>
  typeof value === "string" && value.length <= maxChars && pattern.test(value);

function checkMetadata(metadata: YamlMap, kind: string): EntityProblem[] {
  const problems: EntityProblem[] = [];
  const { name, namespace } = metadata;
  const longest = /^(?:system|component)$/i.test(kind) ? maxComposedNameChars : maxNameChars;
  if (!fits(name, namePattern, longest)) {
    const words = `at most ${longest} letters and digits, with single -, _ or . between them`;
    problems.push({ pointer: "/metadata/name", message: `The name is ${words}; it is ${showValue(name)}.` });
  }
  if (namespace !== undefined && !fits(namespace, namespacePattern, 63)) {
    problems.push({
      pointer: "/metadata/namespace",
      message: `The namespace is at most 63 letters and digits, with single - between them; it is ${showValue(namespace)}.`,
    });
  }
  for (const field of ["title", "description"]) {
    const value = metadata[field] ?? null;
    if (value !== null && typeof value !== "string") {
      problems.push({ pointer: `/metadata/${field}`, message: `The ${field} must be a text.` });
    }
  }
  problems.push(
    ...checkPairs(metadata, "labels"),
    ...checkPairs(metadata, "annotations"),
    ...checkTags(metadata),
  );
  return problems;
}

function checkPairs(metadata: YamlMap, field: "labels" | "annotations"): EntityProblem[] {
  const pairs = metadata[field] ?? {};
  const pointer = `/metadata/${field}`;
  if (!isRecord(pairs)) return [{ pointer, message: `${field} must be a map of texts.` }];
  const entries = Object.entries(pairs);
  if (entries.length > maxAnnotations)
    return [{ pointer, message: `There are at most ${maxAnnotations} ${field}.` }];
  return entries.flatMap(([key, value]) => {
    const at = `${pointer}/${escapeKey(key)}`;
    const problems: EntityProblem[] = [];
    if (!fits(key, keyPattern, maxKeyChars)) {
      problems.push({ pointer: at, message: `"${key.slice(0, 100)}" is not a valid name among ${field}.` });
    }
    const sound = field === "annotations" ? typeof value === "string" : isLabelValue(value);
    if (!sound)
      problems.push({
        pointer: at,
        message: `A value among ${field} must be a short text; it is ${showValue(value)}.`,
      });
    return problems;
  });
}

const isLabelValue = (value: YamlValue): boolean =>
  value === "" || fits(value, /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/, 63);

function checkTags(metadata: YamlMap): EntityProblem[] {
  const tags = metadata["tags"] ?? [];
  const pointer = "/metadata/tags";
  if (!Array.isArray(tags)) return [{ pointer, message: "tags must be a list of texts." }];
  if (tags.length > maxTags) return [{ pointer, message: `There are at most ${maxTags} tags.` }];
  return tags.flatMap((tag, index) =>
    fits(tag, tagPattern, 63)
      ? []
      : [
          {
            pointer: `${pointer}/${index}`,
            message: `A tag is at most 63 lower case letters, digits and :+#, with single - between them; it is ${showValue(tag)}.`,
          },
        ],
  );
}

function checkSpec(spec: YamlMap, kind: string): EntityProblem[] {
  return specRulesOf(kind).flatMap((rule) => {
    const value = spec[rule.field] ?? null;
    const pointer = `/spec/${rule.field}`;
    if (value === null) {
      return rule.required
        ? [{ pointer, message: `A ${kind} needs spec.${rule.field}, ${rule.words}.` }]
        : [];
    }
    return checkField(value, rule, pointer);
  });
}

function checkField(value: YamlValue, rule: FieldRule, pointer: string): EntityProblem[] {
  const wrong = [
    { pointer, message: `spec.${rule.field} must be ${rule.words}; it is ${showValue(value)}.` },
  ];
  switch (rule.type) {
    case "text":
      return textOf(value) === undefined ? wrong : [];
    case "reference":
      return isReference(value) ? [] : wrong;
    case "references":
      if (rule.orOne === true && typeof value === "string") return isReference(value) ? [] : wrong;
      if (!Array.isArray(value)) return wrong;
      return value.flatMap((item, index) =>
        isReference(item)
          ? []
          : [
              {
                pointer: `${pointer}/${index}`,
                message: `This must be a reference to an entity; it is ${showValue(item)}.`,
              },
            ],
      );
    case "list":
      return Array.isArray(value) ? [] : wrong;
    case "map":
      return isRecord(value) ? [] : wrong;
    case "schemas":
      return isRecord(value) || (Array.isArray(value) && value.every(isRecord)) ? [] : wrong;
    default:
      return typeof value === "string" && rule.choices?.includes(value) === true ? [] : wrong;
  }
}

/** URNs of components are references too, because descriptors use them. */
const isReference = (value: YamlValue): boolean =>
  typeof value === "string" &&
  (/^urn:[^\s]+$/i.test(value.trim()) || parseEntityRef(value, { kind: "any" }) !== null);

/**
 * Pure: rules for the `spec` of the kinds that the platform knows. The spec of other kinds is not checked.
 */

interface FieldRule {
  field: string;
  type: "text" | "reference" | "references" | "list" | "map" | "schemas" | "choice";
  required: boolean;
  /** For references: a single string counts as a list of one. */
  orOne?: boolean;
  choices?: readonly string[];
  /** The expected type, for messages. */
  words: string;
}

const text = (field: string): FieldRule => ({ field, type: "text", required: false, words: "a text" });
const reference = (field: string): FieldRule => ({
  field,
  type: "reference",
  required: false,
  words: "a reference to an entity",
});
const references = (field: string): FieldRule => ({
  field,
  type: "references",
  required: false,
  words: "a list of references to entities",
});
const map = (field: string): FieldRule => ({ field, type: "map", required: false, words: "a map" });
const list = (field: string): FieldRule => ({ field, type: "list", required: false, words: "a list" });
const needed = (rule: FieldRule): FieldRule => ({ ...rule, required: true });

const owner = reference("owner");
const steps = list("steps");
const parameters: FieldRule = {
  field: "parameters",
  type: "schemas",
  required: false,
  words: "a JSON schema or a list of them",
};

const rules: Record<string, FieldRule[]> = {
  system: [owner, text("type"), reference("domain"), map("mesh")],
  component: [
    owner,
    text("type"),
    reference("system"),
    reference("subcomponentOf"),
    { ...references("dependsOn"), orOne: true },
    references("dependencyOf"),
    references("providesApis"),
    references("consumesApis"),
    map("mesh"),
  ],
  domain: [owner, text("type"), reference("subdomainOf"), map("mesh")],
  group: [text("type"), map("profile"), reference("parent"), references("children"), references("members")],
  user: [map("profile"), references("memberOf")],
  api: [needed(text("type")), owner, reference("system"), needed(text("definition"))],
  resource: [
    needed(text("type")),
    owner,
    reference("system"),
    references("dependsOn"),
    references("dependencyOf"),
  ],
  location: [text("type"), text("target"), list("targets")],
  template: [owner, needed(text("type")), parameters, needed(steps), map("output")],
  edittemplate: [owner, text("type"), parameters, steps, map("output")],
  reverseprovisioningtemplate: [owner, text("type"), parameters, steps],
  accesscontrolrequesttemplate: [
    owner,
    { field: "type", type: "choice", required: true, choices: ["grant", "revoke"], words: "grant or revoke" },
    needed(parameters),
    steps,
    text("useCaseTemplateId"),
  ],
  taxonomy: [owner],
  systemtype: [owner, text("resourceTypeId"), text("resourceType")],
  componenttype: [owner, text("resourceTypeId"), text("resourceType")],
  domaintype: [owner],
};

const specRulesOf = (kind: string): readonly FieldRule[] => {
  const known = kind.toLowerCase();
  return Object.hasOwn(rules, known) ? (rules[known] ?? []) : [];
};
