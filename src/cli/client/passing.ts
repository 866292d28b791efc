import type { Failure } from "../../platform/errors/failure.ts";

/** Whether the same call may succeed a moment later. */
export const isPassing = ({ kind, code }: Failure): boolean =>
  kind === "unavailable" || kind === "limit" || code === "CLI_UNREACHABLE";
