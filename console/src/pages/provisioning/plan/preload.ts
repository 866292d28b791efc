/** Asks for a plan while its page is still being loaded: the two largest answers come as early as they can. */
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";

const askStatus = (token: string, signal?: AbortSignal) =>
  call(
    api.coordinator.GET("/api/coordinator/v1/execution-plans/{token}/status", {
      params: { path: { token } },
      ...(signal && { signal }),
    }),
  );

type Status = Awaited<ReturnType<typeof askStatus>>;

let asked: { token: string; at: number; status: Promise<Status> } | undefined;
const freshMs = 5000;

/** Called by the route, also when a link to it is pointed at. */
export const preloadPlan = (token: string): void => {
  if (asked?.token === token && Date.now() - asked.at < freshMs) return;
  const status = askStatus(token);
  // Whoever takes it handles it.
  status.catch(() => undefined);
  asked = { token, at: Date.now(), status };
};

/** What was asked for a moment ago, once; otherwise asks now. */
export const readPlanStatus = (token: string, signal: AbortSignal): Promise<Status> => {
  const early = asked;
  asked = undefined;
  return early?.token === token && Date.now() - early.at < freshMs ? early.status : askStatus(token, signal);
};
