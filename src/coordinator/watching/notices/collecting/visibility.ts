/** Pure. Whether a recipient may see what something is about; otherwise it is only told that there is something. */
import type { NoticeSettings } from "../../../../platform/config/schema/schema-notices.ts";
import { isAddress, mailChannel, type Recipient } from "./recipients.ts";

export interface Visible {
  /** References of those who may see it, in lower case; null for every reader. */
  visibleTo: readonly string[] | null;
  operatorsSee: boolean;
}

/** The groups of a person who is written to; empty for others. */
export type Seer = Recipient & { groups: readonly string[] };

export function maySee({ visibleTo, operatorsSee }: Visible, seer: Seer, settings: NoticeSettings): boolean {
  const isPublic = visibleTo === null || operatorsSee;
  if (seer.channel !== mailChannel)
    return isPublic && settings.chats.some(({ name, details }) => name === seer.channel && details);
  const refs = [seer.recipient, ...seer.groups];
  const operators = settings.operators.map((each) => (isAddress(each) ? each : each.toLowerCase()));
  if (isPublic && operators.some((each) => refs.includes(each))) return true;
  if (isAddress(seer.recipient))
    return isPublic && settings.copies.some(({ to, details }) => to === seer.recipient && details);
  return visibleTo === null || refs.some((ref) => visibleTo.includes(ref));
}
