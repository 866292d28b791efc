/** Templates of the catalogue, parsed and checked once for each version of their entity. */
import type { Problem } from "../../platform/errors/failure.ts";
import { heapBytesOf } from "../../platform/worker-pool/heap-bytes.ts";
import { escapeKey } from "../../platform/lib/json-pointer.ts";
import type { Entity } from "../entity.ts";
import { builderFailure } from "../errors.ts";
import { firstTag } from "./engine/expressions.ts";
import type { InputFault } from "./engine/render-input.ts";
import { textsOf } from "./engine/template-value.ts";
import type { Json } from "./engine/template-value.ts";
import { overrunReason, type Renderer } from "../renderer.ts";
import { parseTemplate, refOf, templateLimits, type ParsedTemplate, type Template } from "./template.ts";

export interface TemplateDeps {
  renderer: Renderer;
  renderTimeoutMs: number;
  /** The actions that a step may name. */
  actions: { has: (id: string) => boolean };
}

export interface TemplateLoader {
  /** The template of an entity of the catalogue; throws a Failure that lists all its problems. */
  load: (entity: Entity) => Promise<Template>;
  /** The same for its form, which users may fill in although a step cannot be run. */
  loadForm: (entity: Entity) => Promise<Template>;
  /** The template of an entity that need not be in the catalogue: nothing of it is cached. */
  read: (entity: Entity) => Promise<Template>;
  /** The problems of such an entity. */
  check: (entity: Entity) => Promise<Problem[]>;
}

/** The cached templates: how many, and the heap that all of them and one of them may take. */
export const cacheLimits = { templates: 500, bytes: 64 * 1024 * 1024, bytesOfOne: 8 * 1024 * 1024 } as const;

interface Cached {
  version: string;
  parsed: Promise<ParsedTemplate>;
  /** 0 until it is parsed. */
  bytes: number;
}

export function createTemplateLoader(deps: TemplateDeps): TemplateLoader {
  const known = new Map<string, Cached>();
  let bytes = 0;
  const forget = (ref: string, cached: Cached | undefined): void => {
    if (cached === undefined || known.get(ref) !== cached) return;
    known.delete(ref);
    bytes -= cached.bytes;
  };
  const evictOldest = (): void => {
    for (const [ref, oldest] of known) {
      if (known.size <= cacheLimits.templates && bytes <= cacheLimits.bytes) return;
      forget(ref, oldest);
    }
  };
  const store = (ref: string, version: string, parsed: Promise<ParsedTemplate>): void => {
    forget(ref, known.get(ref));
    const cached: Cached = { version, parsed, bytes: 0 };
    known.set(ref, cached);
    evictOldest();
    parsed.then(
      (found) => {
        if (known.get(ref) !== cached) return;
        cached.bytes = heapBytesOf(found, cacheLimits.bytesOfOne);
        bytes += cached.bytes;
        if (cached.bytes > cacheLimits.bytesOfOne) forget(ref, cached);
        else evictOldest();
      },
      // A check that failed to run says nothing about the template.
      () => forget(ref, cached),
    );
  };
  const readKnown = (entity: Entity): Promise<ParsedTemplate> => {
    const version = entity.metadata.etag;
    if (version === undefined) return readTemplate(deps, entity);
    const ref = refOf(entity);
    const cached = known.get(ref);
    if (cached?.version === version) return cached.parsed;
    const parsed = readTemplate(deps, entity);
    store(ref, version, parsed);
    return parsed;
  };
  return {
    load: async (entity) => accept(await readKnown(entity), refOf(entity)),
    async loadForm(entity) {
      const { template, problems } = await readKnown(entity);
      const ofForm = problems.filter(({ where }) => !/^\/spec\/(?:steps|output)(?:\/|:|$)/.test(where));
      return accept({ template, problems: ofForm }, refOf(entity));
    },
    read: async (entity) => accept(await readTemplate(deps, entity), refOf(entity)),
    check: async (entity) => (await readTemplate(deps, entity)).problems,
  };
}

function accept({ template, problems }: ParsedTemplate, ref: string): Template {
  if (problems.length === 0) return template;
  throw builderFailure("BUILDER_INVALID_TEMPLATE", {
    message: `The template ${ref} can't be run; ${problems.length} places in it need a correction.`,
    problems,
  });
}

/** Parses a template and makes all checks that are possible before it runs. */
async function readTemplate(deps: TemplateDeps, entity: Entity): Promise<ParsedTemplate> {
  const { template, problems } = parseTemplate(entity, refOf(entity));
  const found = [
    ...problems,
    ...unknownActions(deps, template),
    // One that is too long is refused as it is, and not worth a thread's time.
    ...(template.planText.length > templateLimits.bytes ? [] : await expressionProblems(deps, template)),
  ];
  return { template, problems: found.slice(0, maxProblems) };
}

const maxProblems = 200;

const unknownActions = ({ actions }: TemplateDeps, { plan }: Template): Problem[] =>
  plan.steps.flatMap(({ id, action }, index) =>
    actions.has(action)
      ? []
      : [
          {
            where: `/spec/steps/${index}/action`,
            message: `Step "${id}" names the action ${action}, which this server does not have.`,
            solution: "Correct its name, or add the plugin that brings it.",
          },
        ],
  );

async function expressionProblems(deps: TemplateDeps, { plan }: Template): Promise<Problem[]> {
  const spec: Json = {
    steps: plan.steps.map(({ input, if: condition, each }) => ({
      input,
      ...(condition === undefined ? {} : { if: condition }),
      ...(each === undefined ? {} : { each }),
    })),
    output: plan.output,
  };
  const result = await deps.renderer.run("check", spec);
  if (Array.isArray(result)) return result.map((fault) => toProblem(plan.steps, fault));
  const { path, text } = textsOf(spec)[result.step] ?? { path: [], text: "" };
  const reason = overrunReason(result, deps.renderTimeoutMs);
  return [toProblem(plan.steps, { path, reason, ...firstTag(text) })];
}

/** `where` is `/spec/steps/0/input/name:1:9`: the key, then line and column in its text. */
function toProblem(steps: readonly { id: string }[], { path, reason, line, column }: InputFault): Problem {
  const position = line === undefined ? "" : `:${line}:${column ?? 1}`;
  const [part = "", index = "", ...keys] = path;
  const place = part === "steps" ? `Step "${steps[Number(index)]?.id}", ${keys.join(".")}` : path.join(".");
  const pointer = path.map(escapeKey).join("/");
  return { where: `/spec/${pointer}${position}`, message: `${place}: ${reason}.` };
}
