/** Reads times of requests. */
import { readInstant } from "../../platform/lib/instant.ts";
import { governanceFailure } from "../errors.ts";

/** The schema lets a few texts through that no time of the database can be; `where` is the place in the request. */
export function readTime(text: string, where: string): Date {
  const time = readInstant(text);
  const year = time?.getUTCFullYear() ?? 0;
  if (time !== undefined && year >= 1 && year <= 9_999) return time;
  throw governanceFailure("CGP_INVALID_TIME", {
    message: `${text} is not a time of the years 1 to 9999.`,
    where,
    input: text,
  });
}
