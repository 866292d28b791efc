/**
 * What is wrong with the headers of a request as a whole. Where a header that may come only once is repeated, Node takes the first and
 * drops the rest. A proxy in front that takes the last would see another request than this server, so such a request is refused.
 */
import type { IncomingMessage } from "node:http";
import { inputProblem } from "../input/problems.ts";
import type { InputProblem } from "../operation.ts";

type Head = Pick<IncomingMessage, "rawHeaders" | "headers" | "httpVersion">;

/** Undefined where nothing is. */
export const headProblem = (head: Head): InputProblem | undefined => {
  const { headers, httpVersion } = head;
  if (headers["content-type"] !== undefined && isRepeated(head, "content-type"))
    return problemOf("content-type", "is given more than once");
  const { host } = headers;
  if (host === undefined) return httpVersion === "1.1" ? problemOf("host", "is missing") : undefined;
  if (isRepeated(head, "host")) return problemOf("host", "is given more than once");
  return hostForm.test(host) ? undefined : problemOf("host", "is no host with or without a port");
};

const problemOf = (header: string, message: string): InputProblem =>
  inputProblem("header", [header], { keyword: "malformed", message });

/** RFC 9112 3.2; an empty one belongs to a request for an address without a host. */
const hostForm = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\w.~:%-]+\])(?::\d*)?$/;

export const isRepeated = ({ rawHeaders }: Pick<Head, "rawHeaders">, name: string): boolean => {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const each = rawHeaders[at]!;
    if (each.length === name.length && each.toLowerCase() === name) count += 1;
  }
  return count > 1;
};
