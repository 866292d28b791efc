/** Name of the job queue that hands instantiation tasks to the workers. */
export const instantiationQueue = "instantiation";
