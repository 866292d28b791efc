/** Pure. Whether the response to an operation says that the adapter does not support it. */
import type { Exchange } from "./exchange.ts";

const statuses = new Set([404, 405, 501]);
/** Messages of generated servers for operations without an implementation. */
const words =
  /(?:\bnot|n['’]t|\bnever)\s+(?:yet\s+|been\s+|currently\s+)*(?:implemented|supported|available)\b|\b(?:unimplemented|unsupported)\b/i;
const longestRead = 4_096;

/**
 * 404, 405 and 501, and a 500 whose message says that it is not implemented. Only for optional operations.
 */
export function isNotOffered({ answer }: Exchange): boolean {
  if (!answer) return false;
  return (
    statuses.has(answer.status) || (answer.status === 500 && words.test(answer.text.slice(0, longestRead)))
  );
}
