/** Pure. Who is told about something, over which channel. */
import type { NoticeKind, NoticeSettings } from "../../../../platform/config/schema/schema-notices.ts";
import type { Contact, NoticeItem } from "../../../ports.ts";

export interface Recipient {
  /** `mail`, or the name of a chat. */
  channel: string;
  /** A reference in lower case, an address, or empty for a chat. */
  recipient: string;
}

export interface RecipientFacts {
  settings: NoticeSettings;
  /** References of those who may decide. */
  deciders: readonly string[];
  /** Of the deciders, operators and copies, and of the members of their groups, by reference. */
  contacts: ReadonlyMap<string, Contact>;
  /** What people have chosen, by reference and kind. */
  choices: ReadonlyMap<string, boolean>;
}

export const mailChannel = "mail";
export const chatRecipient = "";

/** What only those are told about who have asked for it. */
const onRequest: ReadonlySet<NoticeKind> = new Set(["PLAN_FAILED", "PLAN_ENDED"]);
export const isOnRequest = (kind: NoticeKind): boolean => onRequest.has(kind);
/** What chats and copies are told about only where they name it. */
const onlyNamed: ReadonlySet<NoticeKind> = new Set(["TOOL_APPROVAL", "PLAN_ENDED"]);

export const choiceKey = (ref: string, kind: NoticeKind): string => `${ref} ${kind}`;

type Reported = Pick<NoticeItem, "kind" | "environment" | "notTo" | "operatorsDecide">;

export function recipientsOf(item: Reported, facts: RecipientFacts): Recipient[] {
  const { settings } = facts;
  const chats = settings.chats
    .filter((chat) => fits(chat, item))
    .map(({ name }) => ({ channel: name, recipient: chatRecipient }));
  if (settings.mail === undefined || !settings.mail.kinds.includes(item.kind)) return chats;
  const copies = settings.copies.filter((copy) => fits(copy, item)).map(({ to }) => to);
  const mails = new Set([...askedBy(item, facts), ...reachable(copies, facts)]);
  return [...chats, ...[...mails].map((recipient) => ({ channel: mailChannel, recipient }))];
}

/** The deciders; where none of them can be reached, the operators. */
function askedBy(item: Reported, facts: RecipientFacts): string[] {
  const { settings, deciders, choices } = facts;
  const requester = item.notTo?.toLowerCase();
  const others = reachable(deciders, facts).filter((recipient) => recipient !== requester);
  const asked =
    others.length > 0 || !item.operatorsDecide
      ? others
      : reachable(settings.operators, facts).filter((recipient) => recipient !== requester);
  return asked.filter((recipient) => choices.get(choiceKey(recipient, item.kind)) ?? !isOnRequest(item.kind));
}

/** A group with an address of its own is one recipient; of others each member is. */
function reachable(refs: readonly string[], { contacts }: RecipientFacts): string[] {
  return refs.flatMap((text) => {
    if (isAddress(text)) return [text];
    const contact = contacts.get(text.toLowerCase());
    if (contact === undefined) return [];
    if (contact.email !== null) return [contact.ref];
    return contact.members.filter((ref) => (contacts.get(ref)?.email ?? null) !== null);
  });
}

export const isAddress = (recipient: string): boolean => recipient.includes("@") && !recipient.includes(":");

interface Filter {
  kinds?: readonly NoticeKind[] | undefined;
  environments?: readonly string[] | undefined;
}

function fits({ kinds, environments }: Filter, { kind, environment }: Reported): boolean {
  if (!(kinds?.includes(kind) ?? !onlyNamed.has(kind))) return false;
  return environments === undefined || (environment !== null && environments.includes(environment));
}

/** Whether anybody but people who choose it is told about plans that end. */
export const namesPlans = ({ chats, copies }: NoticeSettings): boolean =>
  [...chats, ...copies].some(
    (each) => each.kinds === undefined || each.kinds.some((kind) => onRequest.has(kind)),
  );
