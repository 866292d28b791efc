import type { BuilderComponents } from "plinth-client";
import { isKeyReused, sentAfter, unsent } from "../sent.ts";

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
 * Sends the requests of one form. A request without an answer may have arrived, so whatever is sent next has its key: the server
 * answers with the request that there is, or refuses a changed one.
 */
export const requesterOf = <Made extends { id: string }>(send: Send<Made>) => {
  let sent = unsent();
  /** The body of the request that was sent under the key and got no answer. */
  let earlier: NewAccessRequest | null = null;
  return async (body: NewAccessRequest): Promise<Made> => {
    const { key } = sent;
    const first = earlier ?? body;
    try {
      const made = await send(body, key);
      sent = unsent();
      earlier = null;
      return made;
    } catch (error) {
      sent = sentAfter(sent, error);
      earlier = sent.mayHaveArrived ? first : null;
      if (isKeyReused(error)) throw new EarlierRequestExists(await idOfEarlier(send, { key, body: first }));
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
