import type { Area } from "../platform/http/operation.ts";
import { exampleValues as assistantValues } from "./assistant/example-values.ts";
import { schemaNames as assistantNames } from "./assistant/schema-names.ts";
import { tags as assistantTags } from "./assistant/tags.ts";
import { exampleValues as authValues } from "./auth/example-values.ts";
import { schemaNames as authNames } from "./auth/schema-names.ts";
import { tags as authTags } from "./auth/tags.ts";
import { exampleValues as builderValues } from "./builder/example-values.ts";
import { schemaNames as builderNames } from "./builder/schema-names.ts";
import { tags as builderTags } from "./builder/tags.ts";
import { exampleValues as coordinatorValues } from "./coordinator/example-values.ts";
import { schemaNames as coordinatorNames } from "./coordinator/schema-names.ts";
import { tags as coordinatorTags } from "./coordinator/tags.ts";
import { exampleValues as dataLayerValues } from "./data-layer/example-values.ts";
import { schemaNames as dataLayerNames } from "./data-layer/schema-names.ts";
import { tags as dataLayerTags } from "./data-layer/tags.ts";
import { exampleValues as governanceValues } from "./governance/example-values.ts";
import { schemaNames as governanceNames } from "./governance/schema-names.ts";
import { tags as governanceTags } from "./governance/tags.ts";

type Description = Pick<Area, "tags" | "schemaNames" | "exampleValues">;

const descriptions: Record<string, Description> = {
  builder: { tags: builderTags, schemaNames: builderNames, exampleValues: builderValues },
  assistant: { tags: assistantTags, schemaNames: assistantNames, exampleValues: assistantValues },
  auth: { tags: authTags, schemaNames: authNames, exampleValues: authValues },
  governance: { tags: governanceTags, schemaNames: governanceNames, exampleValues: governanceValues },
  "data-layer": { tags: dataLayerTags, schemaNames: dataLayerNames, exampleValues: dataLayerValues },
  coordinator: { tags: coordinatorTags, schemaNames: coordinatorNames, exampleValues: coordinatorValues },
};

/** The area with what its document says beyond its operations: groups, names of schemas, examples. */
export const describeArea = <Extra extends object>(area: Area<Extra>): Area<Extra> => ({
  ...area,
  ...descriptions[area.name],
});
