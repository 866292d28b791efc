import type { FastifyReply, FastifyRequest } from "fastify";
import { unsupportedCharset } from "../errors.ts";

const parameter = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*("(?:\\.|[^"\\])*"|[^;]*)/g;

/** The first charset of a content type that is not UTF-8, as it is written; undefined where there is none. */
export const foreignCharset = (contentType: string): string | undefined => {
  for (const [, name = "", value = ""] of contentType.matchAll(parameter)) {
    const charset = value.trim().replaceAll(/^"|"$/g, "");
    if (name.toLowerCase() === "charset" && !/^utf-?8$/i.test(charset)) return charset;
  }
  return undefined;
};

/** Bodies are read as UTF-8 only, so a body that declares another charset is refused before it is read. */
export const refuseCharset = (
  { headers }: FastifyRequest,
  _reply: FastifyReply,
  proceed: (error?: Error) => void,
): void => {
  const type = headers["content-type"];
  const charset = type?.includes(";") === true ? foreignCharset(type) : undefined;
  if (charset === undefined) proceed();
  else proceed(unsupportedCharset(charset));
};
