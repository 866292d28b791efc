/** Area B, the assistant, as one HTTP interface. */
import type { Area } from "../platform/http/operation.ts";
import type { AssistantExtra, AssistantDeps } from "./context.ts";
import { assistantErrorBody, assistantErrorSchemas } from "./errors.ts";
import { addA2aRoutes, cardBase } from "./protocols/a2a/routes.ts";
import { addAgentRoutes } from "./agents/routes.ts";
import { addAttachmentRoutes } from "./agents/attachment-routes.ts";
import { addConfigRoutes } from "./protocols/config-routes.ts";
import { addExternalAgentRoutes } from "./agents/external/routes.ts";
import { mcpBase, resourceMetadataBase } from "./protocols/mcp/resource.ts";
import { addMcpServerRoutes } from "./protocols/mcp/routes.ts";
import { addSignInRoutes, serverMetadataBases } from "./protocols/mcp/sign-in-routes.ts";
import { addModelRoutes } from "./models/routes.ts";
import { addToolRoutes } from "./tools/mcp/routes.ts";
import { addSkillRoutes } from "./agents/skill-routes.ts";
import { addCompatRoutes, compatBase } from "./protocols/compat-routes.ts";
import { addPortableRoutes } from "./agents/transfer/routes.ts";
import { addRetrievalRoutes } from "./retrieval/routes.ts";
import { addApprovalRoutes } from "./runs/approvals/routes.ts";
import { addRunRoutes } from "./runs/routes.ts";
import { addSessionRoutes } from "./runs/session-routes.ts";

export interface AssistantAreaOptions {
  deps: AssistantDeps;
}

export const assistantArea = ({ deps }: AssistantAreaOptions): Area<AssistantExtra> => ({
  name: "assistant",
  prefix: "/api/assistant/v2",
  title: "Plinth assistant",
  version: "0.1.0",
  description: "A configurable multi-agent assistant over the platform's own operations.",
  aliases: [compatBase, mcpBase, cardBase, resourceMetadataBase, ...serverMetadataBases],
  invalidStatus: 422,
  errorSchemas: assistantErrorSchemas,
  extra: { assistant: deps },
  async register(app) {
    addSkillRoutes(app);
    addAgentRoutes(app);
    addAttachmentRoutes(app);
    addToolRoutes(app);
    addConfigRoutes(app);
    addModelRoutes(app);
    addExternalAgentRoutes(app);
    addSessionRoutes(app);
    addRunRoutes(app);
    addApprovalRoutes(app);
    addCompatRoutes(app);
    addA2aRoutes(app);
    addMcpServerRoutes(app);
    addSignInRoutes(app);
    addRetrievalRoutes(app);
    await addPortableRoutes(app);
  },
  toBody: assistantErrorBody,
});

/** The part that the platform's own tools call: searches only. */
export const searchArea = (options: AssistantAreaOptions): Area<AssistantExtra> => ({
  ...assistantArea(options),
  aliases: [],
  register: addRetrievalRoutes,
});
