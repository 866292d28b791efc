import type { Outbound } from "../../platform/outbound/outbound.ts";
import { OutboundError } from "../../platform/outbound/outbound-error.ts";
import type { ProbeUrl } from "../ports.ts";

const probeTimeoutMs = 2_000;

/**
 * Whether an HTTP server answers at an address. Any response counts, because adapters have no common health
 * check.
 */
export const createProbe =
  (outbound: Pick<Outbound, "request">): ProbeUrl =>
  async (url, signal) => {
    try {
      await outbound.request({
        method: "GET",
        url,
        timeoutMs: probeTimeoutMs,
        maxResponseBytes: 65_536,
        signal,
      });
      return true;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      if (error.reason === "too_large") return true;
      return error.reason === "aborted" || error.isRefused ? undefined : false;
    }
  };
