import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** A full collection, after which what nothing refers to is not in memory any more. */
export const collectGarbage: () => void = runInNewContext("gc");
