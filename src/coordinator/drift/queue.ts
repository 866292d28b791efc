/** Name of the job queue that hands drift checks to the workers. */
export const driftQueue = "drift-check";
