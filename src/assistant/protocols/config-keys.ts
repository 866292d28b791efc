/** Pure: the keys of the configuration that runs read. They may only tighten what the settings allow. */
import { Type, type TSchema } from "typebox";
import { assistant } from "../../platform/config/schema/schema-assistant.ts";
import { createChecker } from "../../platform/http/input/check-input.ts";
import type { InputProblem } from "../../platform/http/operation.ts";
import type { RunLimits, RunSettings } from "../settings.ts";

interface ConfigKey {
  description: string;
  /** What a value may be; `settings` are those that it may not exceed. */
  schema(settings: RunSettings): TSchema;
  /** What holds while the key is not set, or is null. */
  fallback(settings: RunSettings): unknown;
}

const { budgets, approvals } = assistant.properties;

const descriptionOf = (schema: TSchema): string => (schema as { description?: string }).description ?? "";

/** From the weakest to the strictest. */
const decisions = ["auto", "ask", "deny"] as const;

export const configKeys: Record<keyof RunLimits, ConfigKey> = {
  budgets: {
    description:
      "What one run may use, where that is less than the settings `assistant.budgets` allow. Fields that are left out are as in the settings.",
    schema: (settings) =>
      Type.Object(
        Object.fromEntries(
          Object.entries(budgets.properties).map(([name, field]) => {
            const description = descriptionOf(field);
            const maximum = settings.budgets[name as keyof RunSettings["budgets"]];
            return [name, Type.Optional(Type.Integer({ minimum: 1, maximum, description }))];
          }),
        ),
        { additionalProperties: false },
      ),
    fallback: (settings) => settings.budgets,
  },
  approvals: {
    description:
      "Which tool calls wait for the user or are refused, besides those of the settings `assistant.approvals`, and how long: of both decisions on a tool the stricter one counts, of both times the shorter one.",
    schema: (settings) =>
      Type.Object(
        {
          destructive: Type.Optional(
            Type.Enum(decisions.slice(decisions.indexOf(settings.approvals.destructive)), {
              description: descriptionOf(approvals.properties.destructive),
            }),
          ),
          expireHours: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: settings.approvals.expireHours,
              description: `${descriptionOf(approvals.properties.expireHours)} It counts for approvals that are asked for afterwards.`,
            }),
          ),
          rules: Type.Optional(
            Type.Array(approvals.properties.rules.items, {
              maxItems: 1_000,
              description: "The first rule that matches a tool decides; `auto` exempts it from later ones.",
            }),
          ),
        },
        { additionalProperties: false },
      ),
    fallback: ({ approvals: { destructive, expireHours } }) => ({ destructive, expireHours, rules: [] }),
  },
};

export const configKeyOf = (key: string): ConfigKey | null =>
  Object.hasOwn(configKeys, key) ? configKeys[key as keyof RunLimits] : null;

/** Problems of the `value` of a body for a key that runs read; none for null, with which the settings hold. */
export function configProblems(key: ConfigKey, value: unknown, settings: RunSettings): InputProblem[] {
  if (value === null) return [];
  const schema = Type.Object({ value: key.schema(settings) });
  return createChecker().compile("body", schema)({ value: structuredClone(value) });
}

export interface StoredLimits {
  limits: RunLimits;
  /** Keys whose stored values can't be read. */
  invalid: string[];
}

/** Stored values were checked against the settings of their time, so only their form counts; the stricter of both holds. */
export function limitsOf(
  rows: readonly { key: string; value: unknown }[],
  settings: RunSettings,
): StoredLimits {
  const invalid: string[] = [];
  const largest = Object.keys(settings.budgets).map((name) => [name, Number.MAX_SAFE_INTEGER]);
  const weakest = {
    ...settings,
    budgets: Object.fromEntries(largest) as RunSettings["budgets"],
    approvals: {
      ...settings.approvals,
      destructive: decisions[0],
      expireHours: Number.MAX_SAFE_INTEGER,
    },
  };
  const limits: RunLimits = { budgets: {}, approvals: {} };
  for (const { key, value } of rows) {
    const known = configKeyOf(key);
    if (known === null || value === null) continue;
    if (configProblems(known, value, weakest).length > 0) invalid.push(key);
    else Object.assign(limits, { [key]: value });
  }
  return { limits, invalid };
}
