/** 128 random bits for an idempotency key or a request id. `randomUUID` exists on secure origins only; `getRandomValues` on all. */
export const newRequestKey = (random: Pick<Crypto, "getRandomValues"> = crypto): string =>
  Array.from(random.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
