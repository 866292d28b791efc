/** Settings of the GraphQL data layer and of the databases that it reads. */
import { Type } from "typebox";
import { count, entry, section, text } from "./schema-parts.ts";

const sourceName = (description: string) =>
  text(description, {
    maxLength: 63,
    pattern: "^[A-Za-z][A-Za-z0-9_.-]*$",
    "x-expects": "letters, digits, dots, hyphens and underscores, beginning with a letter",
  });

const schemas = (description: string) =>
  Type.Array(text("A schema of the database.", { maxLength: 63 }), {
    maxItems: 100,
    default: [],
    description,
  });

/** Where the product's own views are. */
export const ownSchema = "data_layer";

/** The sources that are there unless others are listed. */
export const ownSources = ["coordinator", "cgp", "marketplace"] as const;

export const dbs = section(
  {
    sources: Type.Array(
      entry(
        {
          name: sourceName("Name of the source; names of types begin with it."),
          db: Type.Optional(
            text("Database; not given, for coordinator, cgp and marketplace: that of the service.", {
              maxLength: 63,
            }),
          ),
        },
        "A database that the data layer shows. ENGINE_GRAPHQL_<NAME>_DATABASE_URL, where it is set, is its address; else the " +
          "address is made of the PLATFORM_DB_* variables.",
      ),
      {
        maxItems: 20,
        default: ownSources.map((name) => ({ name })),
        description: "The databases of the data layer.",
      },
    ),
  },
  "Databases that others read.",
);

export const configOverride = section(
  {
    sources: Type.Optional(
      Type.Array(
        entry(
          {
            name: sourceName("A name of dbs.sources."),
            allowSchemas: schemas("Schemas that are shown; empty for every one but the system's."),
            excludeSchemas: schemas("Schemas that are not shown."),
          },
          "What is shown of a source.",
        ),
        {
          maxItems: 20,
          description:
            "Replaces the whole list of what is shown, so the coordinator, cgp and marketplace sources have to be repeated.",
        },
      ),
    ),
  },
  "Replaces parts of the data layer's configuration.",
);

export const dataLayer = section(
  {
    autoTracking: Type.Boolean({
      default: true,
      description: "Whether the schema follows the databases. While it does, the metadata can't be edited.",
    }),
    metadataUrl: Type.Optional(
      text(
        "Address of the database with what is tracked, postgres://user:password@host:port/database; not given: the coordinator's " +
          "database. The schema plinth_data_layer is made in it.",
        {
          "x-secret": true,
          "x-env": "ENGINE_GRAPHQL_METADATA_DATABASE_URL",
          "x-empty": "unset",
        },
      ),
    ),
    trackingSeconds: count(30, "How often the catalogues of the databases are compared.", {
      maximum: 86_400,
    }),
    rowFilters: Type.Array(sourceName("A name of dbs.sources."), {
      maxItems: 20,
      default: [],
      description:
        "Sources besides the product's own whose tables filter their rows themselves, by policies (row level security) that " +
        "read `plinth.reads_all`, `plinth.domains` and `plinth.actor`. Other sources are shown to operators only.",
    }),
    connections: count(6, "Connections to each database.", { maximum: 100 }),
    timeoutMs: count(5_000, "Longest statement.", { maximum: 60_000 }),
    queryTimeoutMs: count(
      10_000,
      "Longest query, with all of its statements; what still runs then is cancelled.",
      {
        maximum: 120_000,
      },
    ),
    limits: section(
      {
        depth: count(12, "Nested fields of a query.", { maximum: 50 }),
        aliases: count(30, "Fields with an alias.", { maximum: 1_000 }),
        fields: count(500, "Fields, with those of the fragments at each of their places.", {
          maximum: 5_000,
        }),
        cost: count(10_000, "Objects that a query can return, and one for each of its fields."),
        page: count(100, "Highest `first` and `last`.", { maximum: 1_000 }),
        offset: count(10_000, "Highest `offset`."),
        tokens: count(2_000, "Tokens of a document.", { maximum: 20_000 }),
        answerLength: count(16_000_000, "Longest answer, in characters; no more is read for it either.", {
          maximum: 200_000_000,
        }),
      },
      "What a query may ask for; more is refused before it is planned, and a longer answer when it is read.",
    ),
    persistedQueries: Type.Enum(["automatic", "off"] as const, {
      default: "automatic",
      description: "Whether clients may send the hash of a query that they have sent before.",
    }),
    persistedQueryCount: count(1_000, "Queries that a process keeps by their hash.", { maximum: 100_000 }),
  },
  "The GraphQL data layer.",
);

/** A database of the data layer, as the settings and the variables give it. */
export interface DataSource {
  name: string;
  /** Undefined for one of the product's own whose service says which it is. */
  db?: string | undefined;
  /** The variable with its address. */
  variable: string;
  /** `postgres://…`; undefined where the embedded database has it. */
  url?: string | undefined;
  /** Whether the variable gave the address. */
  isGiven: boolean;
  /** Whether views of the product are shown, not tables of others. */
  isOwn: boolean;
  allowSchemas: readonly string[];
  excludeSchemas: readonly string[];
}
