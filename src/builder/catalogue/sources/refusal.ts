import type { Failure } from "../../../platform/errors/failure.ts";
import { builderFailure } from "../../errors.ts";

/** The failure for a location, or a file in it, that cannot be read. */
export const unreadable = (where: string, message: string, solution?: string): Failure =>
  builderFailure("BUILDER_INVALID_LOCATION", {
    message,
    problems: [solution === undefined ? { where, message } : { where, message, solution }],
  });

export const tooLong = (where: string, maxBytes: number): Failure =>
  unreadable(where, `The file is larger than ${maxBytes} bytes.`);
