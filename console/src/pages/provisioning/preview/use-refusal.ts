import { useState } from "react";

interface Attempt {
  status: "idle" | "pending" | "error" | "success";
  error: unknown;
}

/** Pure: why the start was refused, after another look at it. */
export const refusalAfter = (before: unknown, { status, error }: Attempt): unknown => {
  if (status === "pending") return before;
  return status === "error" ? error : null;
};

/** Why a start was refused. It stays while one tries again, and so does what was written about it; null where nothing was. */
export const useRefusal = ({ status, error }: Attempt): unknown => {
  const [before, setBefore] = useState<unknown>(null);
  const refusal = refusalAfter(before, { status, error });
  if (refusal !== before) setBefore(refusal);
  return refusal;
};
