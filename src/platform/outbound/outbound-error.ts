/** Why an outbound call did not end in a response. */
export type OutboundReason =
  | "malformed_url"
  | "refused_by_policy"
  | "dns"
  | "connect"
  | "tls"
  | "timeout"
  | "reset"
  | "too_large"
  | "aborted";

/**
 * The only error that an outbound client throws. `requestSent` is false when the peer cannot have seen a byte
 * of the request, so that repeating it is safe; true means that it may have been seen and acted upon.
 * The message is for people: it names the origin, never a query value, a header or a body.
 */
export class OutboundError extends Error {
  readonly reason: OutboundReason;
  readonly requestSent: boolean;

  constructor(reason: OutboundReason, requestSent: boolean, message: string) {
    super(message);
    this.name = "OutboundError";
    this.reason = reason;
    this.requestSent = requestSent;
  }

  /** Whether the call was refused here: repeating it helps only after its address or a setting has changed. */
  get isRefused(): boolean {
    return this.reason === "malformed_url" || this.reason === "refused_by_policy";
  }
}

/**
 * The message for users who are not operators. It is the same whether the policy refuses a target, its name
 * is unknown, its port is closed or nothing answers HTTP there, so that nobody can scan a network through us.
 */
export const publicMessage = ({ reason, message }: OutboundError): string =>
  reason === "malformed_url" || reason === "too_large" ? message : unreachable;

const unreachable = "It does not answer, or may not be called from here; the log of the server says which.";

const dnsCodes = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_NODATA",
  "EAI_NONAME",
  "ENODATA",
  "ESERVFAIL",
]);
const connectCodes = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "EACCES",
  "EPERM",
  "EMFILE",
  "ENFILE",
]);
const timeoutCodes = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "ETIMEDOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);
const tooLargeCodes = new Set(["UND_ERR_HEADERS_OVERFLOW", "UND_ERR_RES_EXCEEDED_MAX_SIZE"]);

/** Set on the error that the checked name resolution hands to the socket. */
export const refusedAddressCode = "OUTBOUND_REFUSED_ADDRESS";

/** What went wrong in the transport, and where: the origin called and whether the request had started to leave. */
export interface FailedCall {
  error: unknown;
  origin: string;
  requestSent: boolean;
}

/** Turns an error of the socket or of the HTTP client into ours. */
export function toOutboundError(failed: FailedCall): OutboundError {
  if (failed.error instanceof OutboundError) return failed.error;
  const codes = codesOf(failed.error);
  const code = codes[0] ?? "";
  const { origin, requestSent } = failed;
  const has = (set: Set<string>) => codes.some((each) => set.has(each));
  const suffix = code === "" ? "" : ` (${code})`;

  if (codes.includes(refusedAddressCode)) {
    const message = failed.error instanceof Error ? failed.error.message : "The URL may not be called.";
    return new OutboundError("refused_by_policy", false, message);
  }
  if (has(tooLargeCodes)) {
    return new OutboundError("too_large", requestSent, `${origin} answered with too many header bytes.`);
  }
  if (requestSent) {
    if (has(timeoutCodes)) return new OutboundError("timeout", true, `${origin} did not answer in time.`);
    const message = `The connection to ${origin} broke before the answer was complete${suffix}.`;
    return new OutboundError("reset", true, message);
  }
  if (code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED") {
    const message = "The request cannot be sent: its method, path or a header is not allowed in HTTP.";
    return new OutboundError("refused_by_policy", false, message);
  }
  if (has(dnsCodes)) {
    return new OutboundError("dns", false, `The name of ${origin} could not be resolved${suffix}.`);
  }
  if (has(timeoutCodes)) {
    return new OutboundError("timeout", false, `No connection to ${origin} could be made in time.`);
  }
  if (origin.startsWith("https:") && !has(connectCodes)) {
    return new OutboundError("tls", false, `No trusted TLS connection to ${origin} could be made${suffix}.`);
  }
  return new OutboundError("connect", false, `No connection to ${origin} could be made${suffix}.`);
}

/** Codes of an error; when several addresses were tried, those of every attempt. */
export function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = "code" in error ? error.code : undefined;
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return typeof own === "string" && own !== "" ? [own, ...inner] : inner;
}
