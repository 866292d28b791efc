/** Pure. Access requests as text. */
import type { AccessRequest } from "../client/wire.ts";
import { paintOf, type Styles } from "./colors.ts";
import { count, oneLine } from "./text.ts";

const most = 5;

export function accessLines(found: AccessRequest, styles: Styles): string[] {
  const paint = (word: string): string => paintOf(styles, word)(oneLine(word));
  const { identities, outputPorts, waiting } = found;
  const people = identities.slice(0, most).map(oneLine).join(", ");
  const more = identities.length > most ? ` and ${count(identities.length - most, "other")}` : "";
  const what = found.operation === "GRANT" ? "access for" : "no access for";
  return [
    `${oneLine(found.id)}: ${paint(found.status)}`,
    `  ${what} ${people}${more} in ${oneLine(found.environment)}, asked by ${oneLine(found.requester)}`,
    ...(found.message === null ? [] : [`  ${oneLine(found.message)}`]),
    ...(waiting === null ? [] : [`  ${oneLine(waiting.reason)} Since ${oneLine(waiting.since)}.`]),
    ...outputPorts.map(
      ({ urn, status, message }) =>
        `  port ${oneLine(urn)}: ${paint(status)}${message === null ? "" : ` ${oneLine(message)}`}`,
    ),
    ...(found.hooks ?? []).map(({ hookId, hookName, kind, status, reason, waiting: waits }) =>
      `  hook ${oneLine(hookName)} (${oneLine(kind)}, ${oneLine(hookId)}): ${paint(status)} ${oneLine(waits ?? reason ?? "")}`.trimEnd(),
    ),
  ];
}
