import { PlinthError, type BuilderComponents } from "plinth-client";
import { wasRefused } from "../error.ts";
import { newRequestKey } from "../request-key.ts";

export type NewAccessRequest = BuilderComponents["schemas"]["AccessRequestToMake"];

/** What was sent before has arrived after all, so what is sent now was not opened beside it. */
export class EarlierRequestExists extends Error {
  /** null: it is among those of the caller. */
  readonly requestId: string | null;

  constructor(requestId: string | null) {
    super("The request that was sent before has arrived, although no answer came.");
    this.name = "EarlierRequestExists";
    this.requestId = requestId;
  }
}

type Send<Made> = (body: NewAccessRequest, idempotencyKey: string) => Promise<Made>;

/**
 * Sends the requests of one form. What was sent without an answer may have arrived: whatever is sent next has its key, so that the server
 * answers with the one that there is, or refuses a changed one. A refusal of what is sent next, such as of an ended session, says nothing
 * about the first, so that the key stays. After any other answer the next request has a key of its own.
 */
export const requesterOf = <Made extends { id: string }>(send: Send<Made>) => {
  let unanswered: { key: string; body: NewAccessRequest } | null = null;
  return async (body: NewAccessRequest): Promise<Made> => {
    const isRepeated = unanswered !== null;
    const attempt = unanswered ?? { key: newRequestKey(), body };
    unanswered = null;
    try {
      return await send(body, attempt.key);
    } catch (error) {
      if (error instanceof PlinthError && error.code === "BUILDER_IDEMPOTENCY_KEY_REUSED")
        throw new EarlierRequestExists(await idOfEarlier(send, attempt));
      if (isRepeated || !wasRefused(error)) unanswered = attempt;
      throw error;
    }
  };
};

/** The same body under the same key opens nothing: the server answers with the request that it has opened. */
const idOfEarlier = <Made extends { id: string }>(
  send: Send<Made>,
  { body, key }: { body: NewAccessRequest; key: string },
): Promise<string | null> =>
  send(body, key).then(
    ({ id }) => id,
    () => null,
  );
