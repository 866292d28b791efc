/** What the caller wants to be told about. */
import { noticeKinds } from "../../../platform/config/schema/schema-notices.ts";
import { inTransaction } from "../../../platform/db/database.ts";
import { writeAudit, type CoordinatorContext } from "../../context.ts";
import { coordinatorFailure } from "../../errors.ts";
import { isOnRequest } from "./collecting/recipients.ts";
import type { ChoicesBody, NoticeChoices } from "./schema.ts";
import { readChoices, writeChoice } from "./collecting/choice-store.ts";

export async function getNoticeChoices(ctx: CoordinatorContext): Promise<NoticeChoices> {
  const ref = requirePerson(ctx);
  const { database, settings, people } = ctx.coordinator;
  const chosen = new Map((await readChoices(database.db, [ref])).map(({ kind, wanted }) => [kind, wanted]));
  const contact = (await people?.contacts([ref]))?.get(ref);
  const { mailKinds } = settings.notices;
  return {
    ref,
    email: contact?.email ?? null,
    choices: noticeKinds.map((kind) => ({
      kind,
      wanted: chosen.get(kind) ?? !isOnRequest(kind),
      sent: mailKinds?.includes(kind) ?? false,
    })),
  };
}

export async function putNoticeChoices(
  ctx: CoordinatorContext,
  { choices }: ChoicesBody,
): Promise<NoticeChoices> {
  const ref = requirePerson(ctx);
  await inTransaction(ctx.coordinator.database, async (tx) => {
    for (const { kind, wanted } of choices) await writeChoice(tx, { ref, kind, wanted }, ctx.now());
    await writeAudit(tx, ctx, { operation: "putNoticeChoices", subject: ref, detail: { choices } });
  });
  return getNoticeChoices(ctx);
}

/** Nobody writes to a service. */
function requirePerson({ actor }: CoordinatorContext): string {
  const ref = actor.ref.toLowerCase();
  if (ref.startsWith("user:")) return ref;
  throw coordinatorFailure("COORD_NOT_A_PERSON", {
    message: `${actor.ref} is not a person, and gets no notices.`,
    input: actor.ref,
  });
}
