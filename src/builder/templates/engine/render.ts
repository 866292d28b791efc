import {
  createTemplateRenderer,
  TemplateLimitError,
  TemplateRenderError,
  type TemplateRenderer,
  type PreparedTemplateContext,
  type TemplateContext,
  type TemplateRenderLimits,
  type TemplateValue,
} from "nunjitsu";
import { filters } from "./filters.ts";
import { noExtensions, type ModuleExtensions } from "./module-notes.ts";
import { rewriteMethodCalls } from "./method-calls.ts";
import { methodFilters } from "./methods.ts";
import {
  evaluatePath,
  isSingleExpression,
  maxRenderedLength,
  renderByExpression,
  renderMiddle,
} from "./shortcuts.ts";
import type { RenderResult } from "./template-value.ts";

/**
 * The only file that knows the template engine, which interprets a closed subset of nunjucks and gives
 * templates no access to the host. Regular expressions are allowed, so it must run where it can be terminated
 * (render-worker.ts).
 */

const limits: Partial<TemplateRenderLimits> = {
  sourceCodeUnits: 2 * 1024 * 1024,
  outputCodeUnits: maxRenderedLength,
  workUnits: 2_000_000,
  nestingDepth: 100,
};

export interface RenderOptions {
  /** Removes one line break after each block tag. */
  trimBlocks?: boolean;
  /** Removes the indentation before a block tag that starts its line. */
  lstripBlocks?: boolean;
  /** Uses `{{ }}` for expressions, and supports cookiecutter's additions to the language. */
  cookiecutterCompat?: boolean;
}

const allFilters = { ...filters, ...methodFilters };

type Extensions = Pick<ModuleExtensions, "filters" | "globals">;

const createEngine = (own: Extensions, options: RenderOptions = {}): TemplateRenderer =>
  createTemplateRenderer({
    allowRegexExecution: true,
    filters: { ...own.filters, ...allFilters },
    globals: { ...own.globals },
    ...options,
  });

/**
 * Steps of a template may also ask whether an earlier step failed; the result changes from render to render.
 */
const runState = { hasFailed: false };
const createStepEngine = (own: Extensions): TemplateRenderer =>
  createTemplateRenderer({
    allowRegexExecution: true,
    filters: { ...own.filters, ...allFilters },
    globals: { ...own.globals, always: () => true, failure: () => runState.hasFailed },
  });

const enginesWith = (own: Extensions) => ({ own, plain: createEngine(own), step: createStepEngine(own) });

/** Per thread. The extensions of modules are installed before its first job. */
const engines = enginesWith(noExtensions());

export function installExtensions(own: Extensions): void {
  Object.assign(engines, enginesWith(own));
  filterVerdicts.clear();
}

/** Variables of one entity, in named sections that are filled key by key. */
export interface TemplateScope {
  set: (section: string, key: string, value: TemplateValue) => void;
  /** Renders to text. */
  render: (template: string) => RenderResult;
  /** Like `render`, but a template that is a single expression keeps the type of its value. */
  evaluate: (template: string) => RenderResult;
}

/** A scope with empty sections and further constant variables. */
export const createTemplateScope = (
  sections: readonly string[],
  fixed: TemplateContext,
  options?: RenderOptions,
): TemplateScope => {
  const engine = options === undefined ? engines.plain : createEngine(engines.own, options);
  const variables = new Map<string, TemplateValue>(Object.entries(fixed));
  const filling = new Map(sections.map((section) => [section, emptySection()]));
  for (const [section, values] of filling) variables.set(section, values);
  let prepared: PreparedTemplateContext | undefined;
  // The engine's context is created at the first use, and later keys are added to it one by one.
  const pending: [path: [string, string], value: TemplateValue][] = [];
  const current = (): PreparedTemplateContext => {
    prepared ??= engine.prepareContext(Object.fromEntries(variables));
    for (const [path, value] of pending.splice(0)) prepared = prepared.withValue(path, value);
    return prepared;
  };
  const renderText = (template: string): RenderResult =>
    attempt(template, (text) => engine.render(text, current(), { limits }));
  // The shortcuts know only the standard tags.
  const isForCookiecutter = options?.cookiecutterCompat === true;
  return {
    set(section, key, value) {
      const values = filling.get(section);
      if (values === undefined) return;
      values[key] = value;
      if (prepared !== undefined) pending.push([[section, key], value]);
    },
    render: (template) =>
      isForCookiecutter
        ? renderText(template)
        : (renderByExpression(template, variables, renderText) ?? renderMiddle(template, renderText)),
    evaluate: (template) =>
      evaluatePath(template, variables) ??
      (isSingleExpression(template) ? null : renderByExpression(template, variables, renderText)) ??
      attempt(template, (text) => engine.renderValue(text, current(), { limits })),
  };
};

/** Without a prototype, so that no key of an upload has a special meaning. */
const emptySection = (): Record<string, TemplateValue> => Object.create(null);

/** Renders one template with one context. */
export const render = (template: string, context: TemplateContext): RenderResult =>
  createTemplateScope([], context).evaluate(template);

/**
 * Evaluates the texts of one step: a single expression keeps the type of its value, and an empty result is
 * undefined.
 */
export const createStepScope = (
  context: TemplateContext,
  hasFailed: boolean,
): ((template: string) => RenderResult) => {
  const variables = new Map<string, TemplateValue>(Object.entries(context));
  let prepared: PreparedTemplateContext | undefined;
  return (template) =>
    evaluatePath(template, variables) ??
    attempt(template, (text) => {
      runState.hasFailed = hasFailed;
      prepared ??= engines.step.prepareContext(context);
      return engines.step.renderValue(text, prepared, { limits, coercion: "json" });
    });
};

const neverRun = "{% if false %}";

/** Parses a template without running it; null when it is valid. */
export const checkSyntax = (template: string): (RenderResult & { ok: false }) | null => {
  const whole = `${neverRun}${template}{% endif %}`;
  const result = attempt(whole, (text) => engines.step.render(text, {}, { limits }));
  if (result.ok) return null;
  const { line, column } = result;
  return line === 1 && column !== undefined
    ? { ...result, column: Math.max(1, column - neverRun.length) }
    : result;
};

const filterVerdicts = new Map<string, boolean>();

/** Asks the engine, which does not list its built-in filters. The name must be an identifier. */
export const isKnownFilter = (name: string): boolean => {
  let known = filterVerdicts.get(name);
  if (known === undefined) {
    const result = attempt(`\${{ "" | ${name} }}`, (text) => engines.step.render(text, {}, { limits }));
    known = result.ok || !result.reason.startsWith("Unknown template filter");
    if (filterVerdicts.size < 1_000) filterVerdicts.set(name, known);
  }
  return known;
};

const attempt = (template: string, work: (text: string) => TemplateValue | undefined): RenderResult => {
  const rewritten = rewriteMethodCalls(template);
  try {
    return { ok: true, value: work(rewritten?.text ?? template) };
  } catch (error) {
    if (error instanceof TemplateRenderError || error instanceof TemplateLimitError) {
      const reason = error.message
        .replace(/^Template error at line \d+, column \d+: /, "")
        .replaceAll(/Template filter "?method\.(\w+)"?/g, "Template method $1");
      const { line, column } = error;
      if (rewritten !== null && line !== undefined)
        return { ok: false, reason, ...rewritten.place(line, column ?? 1) };
      return {
        ok: false,
        reason,
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
      };
    }
    // The engine's checks of its input; their text names keys of the context, nothing of the host.
    if (error instanceof TypeError || error instanceof RangeError)
      return { ok: false, reason: error.message };
    throw error;
  }
};
