/** Area B, the assistant, as one HTTP interface; its operations come with the assistant itself. */
import type { Area } from "../platform/http/operation.ts";
import { assistantErrorBody, assistantErrorSchemas } from "./errors.ts";

export const assistantArea = (): Area => ({
  name: "assistant",
  prefix: "/api/assistant/v2",
  title: "Plinth assistant",
  version: "0.1.0",
  description: "A configurable multi-agent assistant over the platform's own operations.",
  invalidStatus: 422,
  errorSchemas: assistantErrorSchemas,
  register() {},
  toBody: assistantErrorBody,
});
