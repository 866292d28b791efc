/** Settings of the mesh: its environments, and how the builder works in it. */
import { Type } from "typebox";
import { catalogue, instantiations } from "./schema-builder.ts";
import {
  count,
  environmentName,
  environmentNamePattern,
  environmentNameWords,
  section,
} from "./schema-parts.ts";
import { actions, git } from "./schema-publishing.ts";

/** A name or `{name, priority}`; written as one schema with two types so that each mistake gives one message. */
const environmentEntry = Type.Unsafe<string | { name: string; priority: number }>({
  type: ["string", "object"],
  pattern: environmentNamePattern,
  "x-expects": environmentNameWords,
  properties: {
    name: environmentName("Name of the environment."),
    priority: Type.Integer({
      minimum: -1_000_000,
      maximum: 1_000_000,
      description: "Lower comes first; the lowest number is the highest priority.",
    }),
  },
  required: ["name", "priority"],
  additionalProperties: false,
  description: "A name, or `{name, priority}`.",
});

export const mesh = section(
  {
    builder: section(
      {
        environments: Type.Array(environmentEntry, {
          minItems: 1,
          maxItems: 100,
          default: ["development", "production"],
          description:
            "The environments: all as names (the first has the highest priority) or all as `{name, priority}`.",
        }),
        namespace: Type.String({
          pattern: "^[a-z0-9][a-z0-9-]{0,30}$",
          "x-expects": "at most 31 lower case letters, digits and hyphens",
          default: "dmb",
          description: "The `<namespace>` in URNs of this platform.",
        }),
        archive: section(
          {
            maxUploadBytes: count(20_971_520, "Maximum size of an uploaded archive."),
            maxUnpackedBytes: count(104_857_600, "Maximum total size of its entries."),
            maxEntries: count(5000, "Maximum number of entries."),
            maxFileBytes: count(1_048_576, "Maximum size of one entry."),
            maxRatio: count(100, "Maximum ratio of unpacked to packed bytes."),
            renderTimeoutMs: count(700, "Time limit for rendering one template, or the input of one step."),
          },
          "Limits of a descriptor archive.",
        ),
        actions,
        git,
        catalogue,
        instantiations,
      },
      "The builder.",
    ),
    marketplace: section(
      {
        dataContracts: section(
          {
            enabled: Type.Boolean({
              default: true,
              description: "Whether there is a page of the data contracts of deployed output ports.",
            }),
          },
          "The page of data contracts.",
        ),
      },
      "What the marketplace shows.",
    ),
  },
  "The data mesh.",
);
