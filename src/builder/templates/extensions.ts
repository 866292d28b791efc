/**
 * The functions and filters that templates have beyond the language itself, described for template editors.
 */
import type { filters } from "./engine/filters.ts";
import type { ModuleNotes } from "./engine/module-notes.ts";

export interface Example {
  description?: string;
  example: string;
  notes?: string;
}

interface FunctionNote {
  description: string;
  schema: { arguments?: object[]; output: object };
  examples: Example[];
}

interface FilterNote extends FunctionNote {
  schema: { input: object; arguments?: object[]; output: object };
}

export interface TemplatingExtensions {
  filters: Record<keyof typeof filters, FilterNote>;
  globals: {
    functions: Record<"always" | "failure", FunctionNote>;
    values: Record<string, { description?: string; value: unknown }>;
  };
}

const text = { type: "string" };
const textMap = (...names: string[]): object => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, text])),
});

const repoUrl = { ...text, description: "The answer of a repository picker: `host?owner=…&repo=…`." };

/** Includes those of the operator's modules. */
export const extensionsWith = ({ filters, functions, values }: ModuleNotes) => ({
  filters: { ...templatingExtensions.filters, ...completed(filters) },
  globals: {
    functions: { ...templatingExtensions.globals.functions, ...completed(functions) },
    values: { ...templatingExtensions.globals.values, ...values },
  },
});

const completed = (notes: ModuleNotes["filters"]) =>
  Object.fromEntries(
    Object.entries(notes).map(([name, { description, schema = {}, examples = [] }]) => [
      name,
      { description, schema, examples: examples as Example[] },
    ]),
  );

const templatingExtensions: TemplatingExtensions = {
  filters: {
    pick: {
      description: "Takes one value out of an object, by a key or a path of keys.",
      schema: {
        input: {},
        arguments: [{ type: ["string", "number"], description: "`a` or `a.b[0]`" }],
        output: {},
      },
      examples: [{ example: "${{ parameters.owner | parseEntityRef | pick('name') }}" }],
    },
    parseEntityRef: {
      description: "Takes an entity reference apart.",
      schema: {
        input: {
          anyOf: [
            { ...text, description: "`[kind:][namespace/]name`" },
            { ...textMap("kind", "namespace", "name"), required: ["name"] },
          ],
        },
        arguments: [textMap("defaultKind", "defaultNamespace")],
        output: { ...textMap("kind", "namespace", "name"), required: ["kind", "namespace", "name"] },
      },
      examples: [
        {
          example: "${{ parameters.owner | parseEntityRef({ defaultKind: 'group' }) }}",
          notes: "`sailors` becomes `{ kind: group, namespace: default, name: sailors }`.",
        },
      ],
    },
    projectSlug: {
      description: "Owner and name of a repository.",
      schema: { input: repoUrl, output: text },
      examples: [
        {
          example: "${{ parameters.repoUrl | projectSlug }}",
          notes: "`git.example.com?owner=sea&repo=fleet` becomes `sea/fleet`.",
        },
      ],
    },
    parseRepoUrl: {
      description: "Takes the address of a repository apart.",
      schema: {
        input: repoUrl,
        output: {
          ...textMap("host", "repo", "owner", "organization", "workspace", "project"),
          required: ["host", "repo"],
        },
      },
      examples: [{ example: "${{ (parameters.repoUrl | parseRepoUrl).host }}" }],
    },
  },
  globals: {
    functions: {
      always: {
        description: "True. In the `if` of a step, it lets the step run although one before it has failed.",
        schema: { output: { type: "boolean" } },
        examples: [{ example: "if: ${{ always() }}" }],
      },
      failure: {
        description: "Whether a step before has failed. In the `if` of a step, it lets the step run then.",
        schema: { output: { type: "boolean" } },
        examples: [{ example: "if: ${{ failure() }}" }],
      },
    },
    values: {},
  },
};
