/** Pure. Whether an adapter does without an operation, and how it says so. */
import type { Exchange } from "./exchange.ts";

const statuses = new Set([404, 405, 501]);
/** Servers that are generated from a description answer so what nobody has written yet. */
const words =
  /(?:\bnot|n['’]t|\bnever)\s+(?:yet\s+|been\s+|currently\s+)*(?:implemented|supported|available)\b|\b(?:unimplemented|unsupported)\b/i;
const longestRead = 4_096;

/** 404, 405 and 501, and a 500 that says of itself that nothing is there. Only where the operation is optional. */
export function isNotOffered({ answer }: Exchange): boolean {
  if (!answer) return false;
  return (
    statuses.has(answer.status) || (answer.status === 500 && words.test(answer.text.slice(0, longestRead)))
  );
}
