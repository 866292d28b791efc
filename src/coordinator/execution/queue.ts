/** Name of the job queue that hands new execution plans to the workers. */
export const planQueue = "execution-plan";
