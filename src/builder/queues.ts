import { accessQueue } from "./access-requests/handler.ts";
import { hookQueue } from "./hooks/handlers.ts";

/** Apart from the module, so that the job queue can start before the builder is loaded. */
export const builderQueues = [hookQueue, accessQueue];
