import { randomBytes, randomUUID } from "node:crypto";

/** A fresh opaque token: a UUID, so that every store and client can hold it. */
export const newId = (): string => randomUUID();

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the database would accept it as an id. */
export const isUuid = (text: string): boolean => uuid.test(text);

/** 256 random bits, as 43 characters of base64url. */
export const newSecret = (): string => randomBytes(32).toString("base64url");

/** A fresh W3C `traceparent` with the sampled flag set. */
export const newTraceparent = (): string =>
  `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01`;
