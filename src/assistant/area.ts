/** Area B, the assistant, as one HTTP interface. */
import type { Area } from "../platform/http/operation.ts";
import type { AssistantExtra, AssistantMeans } from "./context.ts";
import { assistantErrorBody, assistantErrorSchemas } from "./errors.ts";
import { addSkillRoutes } from "./skills/routes.ts";
import { addSessionRoutes } from "./sessions/routes.ts";

export interface AssistantDeps {
  means: AssistantMeans;
}

export const assistantArea = ({ means }: AssistantDeps): Area<AssistantExtra> => ({
  name: "assistant",
  prefix: "/api/assistant/v2",
  title: "Plinth assistant",
  version: "0.1.0",
  description: "A configurable multi-agent assistant over the platform's own operations.",
  invalidStatus: 422,
  errorSchemas: assistantErrorSchemas,
  extra: { assistant: means },
  register(app) {
    addSkillRoutes(app);
    addSessionRoutes(app);
  },
  toBody: assistantErrorBody,
});
