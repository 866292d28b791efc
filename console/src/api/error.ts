import { PlinthError } from "plinth-client";

/** What a server answered in place of a result, whichever area it came from, with the id that its logs have. */
export class ApiError extends PlinthError {
  readonly requestId: string | null;

  constructor(response: Response, body: unknown) {
    super(response.status, body);
    this.name = "ApiError";
    this.requestId = response.headers.get("x-request-id");
  }
}

interface Answered<T> {
  data?: T | undefined;
  error?: unknown;
  response: Response;
}

/** The result of a request of `api`; throws an ApiError where the server refused. */
export const call = async <T>(request: Promise<Answered<T>>): Promise<NonNullable<T>> => {
  const { data, error, response } = await request;
  if (!response.ok) throw new ApiError(response, error);
  return data as NonNullable<T>;
};

export const statusOf = (error: unknown): number | undefined =>
  error instanceof PlinthError ? error.status : undefined;

/** fetch fails with a TypeError where no server answered. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");

/** Whether the server says that it can answer nothing at the moment. A 503 of one area has a code of that area. */
export const isServerUnable = (error: unknown): boolean =>
  error instanceof PlinthError && error.status === 503 && error.code.startsWith("PLATFORM_");

/**
 * By these the server refuses a request before it looks what is asked. One that is stopping may say so after it has begun an answer
 * of the assistant.
 */
const unseenCodes = new Set(["PLATFORM_OVERLOADED", "PLATFORM_STARTING"]);

/** Whether the server has certainly not done what was asked. Any other 5xx may come from a proxy, or after the server has acted. */
export const wasRefused = (error: unknown): boolean => {
  if (!(error instanceof PlinthError)) return false;
  return (error.status >= 400 && error.status < 500) || unseenCodes.has(error.code);
};
