/** Pure: rules in words, and rules of a text. */
import { referenceText } from "../../../parts/values/text.ts";
import { effects, operations, type Operation, type Rule } from "./queries.ts";

export const operationWords: Record<Operation, string> = {
  start: "Start",
  undeploy: "Undeploy",
  removeData: "Remove data",
  rollBack: "Roll back",
  resume: "Resume",
};

export const effectWords: Record<Rule["effect"], string> = {
  allow: "Allow",
  approval: "Needs an approval",
  deny: "Refuse",
};

export const anyOr = (values: readonly string[], any: string): string =>
  values.length === 0 ? any : values.join(", ");

export const ownersText = ({ owners }: Rule): string => {
  if (Array.isArray(owners)) return owners.map(referenceText).join(", ");
  return owners === "mine" ? "the caller's own" : "anybody's";
};

export const newRule = (): Rule => ({
  name: "",
  operations: [],
  environments: [],
  domains: [],
  owners: "any",
  effect: "approval",
  groups: [],
});

type Values = Record<string, unknown>;

const isRecord = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const texts = (value: unknown): string[] | null => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) && value.every((each): each is string => typeof each === "string")
    ? value
    : null;
};

const known = new Set(["name", "operations", "environments", "domains", "owners", "effect", "groups"]);

/** The rules of a parsed text; throws with what is wrong, in which rule. */
export const rulesOf = (value: unknown): Rule[] => {
  const list = value === null || value === undefined ? [] : value;
  if (!Array.isArray(list)) throw new Error("The text is not a list of rules.");
  return list.map(ruleOf);
};

const ruleOf = (value: unknown, index: number): Rule => {
  const refuse = (why: string): never => {
    throw new Error(`Rule ${index + 1} ${why}`);
  };
  if (!isRecord(value)) return refuse("is not a group of fields.");
  const listOf = (name: string): string[] =>
    texts(value[name]) ?? refuse(`has ${name} that are not a list of texts.`);
  const odd = Object.keys(value).find((key) => !known.has(key));
  if (odd !== undefined) return refuse(`has the unknown field ${odd}.`);
  const name =
    typeof value["name"] === "string" && value["name"] !== "" ? value["name"] : refuse("has no name.");
  const effect =
    effects.find((each) => each === value["effect"]) ?? refuse(`has no effect: ${effects.join(", ")}.`);
  const wanted = listOf("operations");
  const chosen = operations.filter((each) => wanted.includes(each));
  if (chosen.length < wanted.length) return refuse(`has operations other than ${operations.join(", ")}.`);
  const { owners = "any" } = value;
  return {
    name,
    operations: chosen,
    environments: listOf("environments"),
    domains: listOf("domains"),
    owners: typeof owners === "string" ? owners : listOf("owners"),
    effect,
    groups: listOf("groups"),
  };
};
