import { accessQueue } from "./approvals/access-requests/handler.ts";
import { hookQueue } from "./approvals/hooks/handlers.ts";

/** Apart from the module, so that the job queue can start before the builder is loaded. */
export const builderQueues = [hookQueue, accessQueue];
