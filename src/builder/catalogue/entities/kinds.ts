/**
 * Pure: rules for the `spec` of the kinds that the platform knows. The spec of other kinds is not checked.
 */

export interface FieldRule {
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

export const specRulesOf = (kind: string): readonly FieldRule[] => {
  const known = kind.toLowerCase();
  return Object.hasOwn(rules, known) ? (rules[known] ?? []) : [];
};
