import { accessQueue } from "./access-requests/queue.ts";
import { hookQueue } from "./hooks/queue.ts";

/** Apart from the module, so that the job queue can start before the builder is loaded. */
export const builderQueues = [hookQueue, accessQueue];
