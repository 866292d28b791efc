/** What the coordinator itself offers to the search: units, plans and adapters. */
import type { Db } from "../../platform/db/database.ts";
import { beginningsOf } from "../../platform/db/word-search.ts";
import type { SearchHit, SearchSource } from "../ports.ts";
import {
  findAdapters,
  findPlans,
  findUnits,
  type FoundAdapter,
  type FoundPlan,
  type FoundUnit,
} from "./store.ts";

/** A shorter beginning of a token would find some of too many. */
const token = /^[\w-]{4,256}$/;

export const ownSearch = (db: Db): SearchSource[] => [
  {
    kind: "UNIT",
    rule: "listUnits",
    async find(_ctx, { text, limit }) {
      const words = beginningsOf(text);
      if (words === null) return [];
      return (await findUnits(db, { typed: typedIn(text), words, limit })).map(unitHit);
    },
  },
  {
    kind: "PLAN",
    rule: "listPlans",
    async find(_ctx, { text, limit }) {
      const beginning = typedIn(text);
      return token.test(beginning) ? (await findPlans(db, { beginning, limit })).map(planHit) : [];
    },
  },
  {
    kind: "ADAPTER",
    rule: "listTechAdapters",
    async find(_ctx, { text, limit }) {
      const words = beginningsOf(text);
      if (words === null) return [];
      return (await findAdapters(db, { typed: typedIn(text), words, limit })).map(adapterHit);
    },
  },
];

const typedIn = (text: string): string => text.trim().toLowerCase();

const joined = (parts: readonly (string | null)[]): string | null =>
  parts.filter((part) => part !== null && part !== "").join(" · ") || null;

const onlyOf = (environments: readonly string[]): string | null =>
  environments.length === 1 ? (environments[0] ?? null) : null;

const unitHit = ({ unitKey, unitId, name, kind, domain, environments }: FoundUnit): SearchHit => ({
  id: unitKey,
  title: name ?? unitId,
  subtitle: joined([kind, domain, environments.join(", "), name === null ? null : unitId]),
  environment: onlyOf(environments),
  link: { unitId },
});

const planHit = ({ id, unitId, environment, action, status, createdAt }: FoundPlan): SearchHit => ({
  id,
  title: joined([action, unitId]) ?? id,
  subtitle: joined([status, environment, createdAt.toISOString()]),
  environment,
  link: { planId: id, ...(unitId !== null && { unitId }) },
});

const adapterHit = ({ id, name, version, environments }: FoundAdapter): SearchHit => ({
  id,
  title: name,
  subtitle: joined([version, environments.join(", "), id]),
  environment: onlyOf(environments),
  link: { adapterId: id },
});
