/** Pure: parses a Template entity of the catalogue. */
import { createHash } from "node:crypto";
import type { Problem } from "../../platform/errors/failure.ts";
import type { Entity } from "../entity.ts";
import { plainSchema, secretFields, secretSearch, type JsonSchema } from "./json-schema.ts";
import type { Json } from "./engine/template-value.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export const templateApiVersion = "scaffolder.backstage.io/v1beta3";

export interface TemplateStep {
  id: string;
  name: string;
  action: string;
  input: Json;
  if?: Json;
  each?: Json;
}

/**
 * The parts of a template that a task needs; stored with it, so that later versions of the template do not
 * affect it.
 */
export interface TemplatePlan {
  entityRef: string;
  /** Location of the template's own file. */
  baseUrl: string;
  steps: TemplateStep[];
  output: Json;
  /** Paths of parameters whose values are secrets. */
  secretFields: string[][];
  /** Set when the task changes an existing entity. */
  edit?: EditPlan;
}

/** The entity that a task changes. */
export interface EditPlan {
  kind: "edit" | "reverse";
  entityRef: string;
  /** The location of the entity's file, and the location that provides it, as `type:target`. */
  location: string;
  origin: string;
  /** Commit that the change is made from. */
  base: string;
  /** Whether the change is published to the entity's own branch or to a new one. */
  publishTo: "branch" | "push";
  /** The environment about which an adapter is asked. */
  environment: string | null;
  /**
   * The values that the creation template derives from the parameters; null when that template is unknown.
   */
  expressions: Record<string, Json> | null;
}

export interface Template {
  plan: TemplatePlan;
  /** The plan as JSON text, and its hash. */
  planText: string;
  hash: string;
  title: string;
  description?: string;
  /** One for each page of the form. */
  pages: JsonSchema[];
  /** The same without keywords for forms. */
  schemas: JsonSchema[];
  secretsSchema?: JsonSchema;
}

export interface ParsedTemplate {
  template: Template;
  /** Each with its place in the entity. */
  problems: Problem[];
}

/**
 * `bytes` is of the steps and the output, `formBytes` of the parameters and the secrets. Of the public templates that were looked at,
 * the largest form has 27 KB and 9 pages, and the longest steps have 7 KB.
 */
export const templateLimits = {
  steps: 200,
  pages: 200,
  idLength: 100,
  bytes: 1024 * 1024,
  formBytes: 1024 * 1024,
} as const;

const reserved = new Set(["constructor", "prototype", "__proto__"]);

export function parseTemplate(entity: Entity, entityRef: string): ParsedTemplate {
  const problems: Problem[] = [];
  if (entity.apiVersion !== templateApiVersion) {
    const message = `The template is of ${entity.apiVersion}; only ${templateApiVersion} is known.`;
    problems.push({ where: "/apiVersion", message });
  }
  const spec = entity.spec ?? {};
  const form = formOf(spec, problems);
  const { pages } = form;
  const plan: TemplatePlan = {
    entityRef,
    baseUrl: baseUrlOf(entity),
    steps: stepsOf(spec["steps"], problems),
    output: asJson(spec["output"] ?? {}),
    secretFields: secretFieldsOf(pages, problems),
  };
  const planText = JSON.stringify(plan);
  if (planText.length > templateLimits.bytes) {
    problems.push({
      where: "/spec",
      message: `The template is longer than ${templateLimits.bytes} characters.`,
    });
  }
  const hash = createHash("sha256").update(planText).update(form.text).digest("hex");
  const template: Template = {
    plan,
    planText,
    hash,
    title: textOr(entity.metadata.title, entity.metadata.name),
    ...(typeof entity.metadata.description === "string" ? { description: entity.metadata.description } : {}),
    pages,
    schemas: pages.map((page) => plainSchema(page)),
    ...(form.secrets === null ? {} : { secretsSchema: plainSchema(form.secrets) }),
  };
  return { template, problems };
}

/** The reference of an entity, in lower case. */
export const refOf = ({ kind, metadata }: Entity): string =>
  `${kind}:${metadata.namespace ?? "default"}/${metadata.name}`.toLowerCase();

/** Only the annotation that the catalogue itself sets: an entity could name any file of this server. */
function baseUrlOf({ metadata }: Entity): string {
  const annotations: unknown = metadata.annotations;
  const location = isRecord(annotations) ? annotations["backstage.io/managed-by-location"] : undefined;
  return typeof location === "string" ? location.replace(/^(?:url|git):(?=\S)/, "") : "";
}

interface Form {
  pages: JsonSchema[];
  /** Schema of the secrets, where the template has one. */
  secrets: JsonSchema | null;
  /** Both as JSON text. */
  text: string;
}

/** An empty form for one that is too large: it is neither searched for secrets nor sent to a thread. */
function formOf({ parameters, secrets }: Record<string, unknown>, problems: Problem[]): Form {
  const schema = isRecord(secrets) ? (secrets["schema"] ?? secrets) : undefined;
  const form = { pages: pagesOf(parameters, problems), secrets: isRecord(schema) ? schema : null };
  const text = JSON.stringify([form.pages, form.secrets]);
  if (text.length <= templateLimits.formBytes) return { ...form, text };
  problems.push({
    where: "/spec/parameters",
    message: `The parameters and secrets of the template are longer than ${templateLimits.formBytes} characters.`,
    solution: "Let fields pick from the catalogue instead of long lists of choices, or split the template.",
  });
  return { pages: [], secrets: null, text: "" };
}

function pagesOf(parameters: unknown, problems: Problem[]): JsonSchema[] {
  if (parameters === undefined || parameters === null) return [];
  const pages: unknown[] = Array.isArray(parameters) ? parameters : [parameters];
  if (pages.length > templateLimits.pages) {
    const message = `A template has ${templateLimits.pages} pages of parameters at most.`;
    problems.push({ where: "/spec/parameters", message });
    return [];
  }
  return pages.filter((page, index): page is JsonSchema => {
    if (isRecord(page)) return true;
    problems.push({ where: `/spec/parameters/${index}`, message: "A page of parameters is a JSON Schema." });
    return false;
  });
}

function secretFieldsOf(pages: readonly JsonSchema[], problems: Problem[]): string[][] {
  const budget = secretSearch();
  return pages.flatMap((page, index) => {
    const paths = secretFields(page, budget);
    if (paths !== null) return paths;
    const message = "The definitions of this page lead to each other in too many ways.";
    problems.push({ where: `/spec/parameters/${index}`, message });
    return [];
  });
}

function stepsOf(steps: unknown, problems: Problem[]): TemplateStep[] {
  if (!Array.isArray(steps)) {
    problems.push({ where: "/spec/steps", message: "A template has a list of steps." });
    return [];
  }
  if (steps.length > templateLimits.steps) {
    problems.push({ where: "/spec/steps", message: `A template has ${templateLimits.steps} steps at most.` });
    return [];
  }
  return steps.flatMap((step: unknown, index) => {
    const where = `/spec/steps/${index}`;
    if (!isRecord(step) || typeof step["action"] !== "string" || step["action"] === "") {
      problems.push({ where: `${where}/action`, message: `Step ${index + 1} names no action.` });
      return [];
    }
    const id = textOr(step["id"], `step-${index + 1}`);
    if (id.length > templateLimits.idLength || reserved.has(id)) {
      problems.push({ where: `${where}/id`, message: `Step ${index + 1} has an id that can't be used.` });
    }
    const action = step["action"];
    const parsed: TemplateStep = {
      id,
      name: textOr(step["name"], action),
      action,
      input: asJson(step["input"] ?? {}),
    };
    if (step["if"] !== undefined && step["if"] !== null) parsed.if = asJson(step["if"]);
    if (step["each"] !== undefined && step["each"] !== null) parsed.each = asJson(step["each"]);
    return [parsed];
  });
}

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : otherwise;

/** Entities are JSON already; this only changes the type. */
const asJson = (value: unknown): Json => value as Json;

/** Whether a step runs although an earlier one has failed. */
export const runsAfterFailure = ({ if: condition }: TemplateStep): boolean =>
  typeof condition === "string" && /\b(?:always|failure)\s*\(/.test(condition);
