import { Type } from "typebox";
import { count, entry, section, text } from "./schema-parts.ts";

/** Where entities come from, beyond what users register. */
export const catalogue = section(
  {
    folders: Type.Array(text("A folder; a relative one is below the working directory."), {
      maxItems: 100,
      default: [],
      description: "Folders whose files may be registered as locations of the type `file`.",
    }),
    refreshSeconds: count(300, "How often each location is read again; 0 for never.", {
      minimum: 0,
      maximum: 2_592_000,
    }),
    readTimeoutMs: count(60_000, "Longest reading of one location."),
  },
  "The catalogue of entities.",
);

const startupLocation = entry(
  {
    type: Type.Enum(["file", "url", "git"] as const, {
      default: "file",
      description: "Type of the location.",
    }),
    target: text("Its target, as in `POST /api/catalog/locations`."),
  },
  "One location.",
);

const startupLocations = (description: string, targets: readonly string[]) =>
  Type.Array(startupLocation, {
    maxItems: 100,
    default: targets.map((target) => ({ type: "file" as const, target })),
    description,
  });

/** What is done once, at the first start of an installation or of this release. */
export const startupActions = section(
  {
    catalog: section(
      {
        practiceShaperLocations: startupLocations(
          "Locations of the default taxonomy, registered when no taxonomy is. An empty list: none.",
          ["default-taxonomy.yaml"],
        ),
        accessRequestLocations: startupLocations(
          "Locations of the default access request templates, registered when there are none. An empty list: none.",
          ["access-request-templates.yaml"],
        ),
        locations: startupLocations("Further locations, registered when no other location is.", []),
      },
      "Locations that are registered once.",
    ),
  },
  "Actions that run once, at the first start. They never remove anything and are never repeated.",
);
