/** Why the driving of a run is broken off from outside. */

/** Reason of an abort: somebody else has the run, or nobody wants it any more. */
export const runLost = new Error("the run belongs to somebody else");
/** Reason of an abort: the process stops and has waited long enough. */
export const processStopping = new Error("the process stops");
