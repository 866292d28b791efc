/** Pure: parses a Template entity of the catalogue. */
import { createHash } from "node:crypto";
import type { Problem } from "../../platform/errors/failure.ts";
import type { Entity } from "../entity.ts";
import { plainSchema, secretFields, type JsonSchema } from "./json-schema.ts";
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

export const templateLimits = { steps: 200, idLength: 100, bytes: 1024 * 1024 } as const;

const reserved = new Set(["constructor", "prototype", "__proto__"]);

export function parseTemplate(entity: Entity, entityRef: string): ParsedTemplate {
  const problems: Problem[] = [];
  if (entity.apiVersion !== templateApiVersion) {
    const message = `The template is of ${entity.apiVersion}; only ${templateApiVersion} is known.`;
    problems.push({ where: "/apiVersion", message });
  }
  const spec = entity.spec ?? {};
  const pages = pagesOf(spec["parameters"], problems);
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
  const secrets = isRecord(spec["secrets"]) ? (spec["secrets"]["schema"] ?? spec["secrets"]) : undefined;
  const hash = createHash("sha256").update(planText).update(JSON.stringify(pages)).digest("hex");
  const template: Template = {
    plan,
    planText,
    hash,
    title: textOr(entity.metadata.title, entity.metadata.name),
    ...(typeof entity.metadata.description === "string" ? { description: entity.metadata.description } : {}),
    pages,
    schemas: pages.map((page) => plainSchema(page)),
    ...(isRecord(secrets) ? { secretsSchema: plainSchema(secrets) } : {}),
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

function pagesOf(parameters: unknown, problems: Problem[]): JsonSchema[] {
  if (parameters === undefined || parameters === null) return [];
  const pages: unknown[] = Array.isArray(parameters) ? parameters : [parameters];
  return pages.filter((page, index): page is JsonSchema => {
    if (isRecord(page)) return true;
    problems.push({ where: `/spec/parameters/${index}`, message: "A page of parameters is a JSON Schema." });
    return false;
  });
}

function secretFieldsOf(pages: readonly JsonSchema[], problems: Problem[]): string[][] {
  return pages.flatMap((page, index) => {
    const paths = secretFields(page);
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
