/** Access: afterwards exactly the wanted references, and the owner, can read a component's table or view. */
import { invalid } from "../../kit/descriptor.ts";
import type { AclCall, Outcome } from "../../kit/protocol.ts";
import { findObject } from "../bookkeeping.ts";
import { grantSelect, readGrantees, readReaders, revokeAll, settleUsage } from "../grants.ts";
import { findRelation } from "../live-schema.ts";
import { ensureReaderRole } from "../roles.ts";
import type { Declared } from "../descriptor/component.ts";
import { showRelation } from "../descriptor/identifiers.ts";
import { isSameOwner, lockComponent } from "./objects.ts";
import { placeOf } from "./work.ts";
import type { Work } from "./work.ts";

export async function updateAccess(work: Work, declared: Declared, refs: AclCall["refs"]): Promise<Outcome> {
  const { session, log } = work;
  const { owner, relation, kind, pointer } = declared;
  await lockComponent(session, owner);
  await session.lock(`object:${relation.schema}.${relation.name}`);
  const live = await findRelation(session, relation);
  const known = await findObject(session, relation);
  if (!live || !known || known.state !== "live" || !isSameOwner(known, owner)) {
    throw invalid("Access to the component cannot be changed.", [
      {
        where: `${pointer}/specific`,
        message: `${showRelation(relation)} is not deployed by this component`,
        solution: "Deploy the component first; a workload of mode once has nothing of its own to read.",
      },
    ]);
  }
  const wanted = new Map<string, string>();
  for (const [index, ref] of refs.entries())
    wanted.set(await ensureReaderRole(session, ref, `/refs/${index}`), ref);
  const before = await readGrantees(session, live.oid);
  const superfluous = before.filter((role) => !wanted.has(role));
  await revokeAll(session, live, superfluous);
  const reading = new Set(await readReaders(session, live.oid));
  const missing = [...wanted.keys()].filter((role) => !reading.has(role));
  await grantSelect(session, live, missing);
  await settleUsage(session, relation.schema, [...new Set([...wanted.keys(), ...superfluous])]);
  for (const role of superfluous) log("INFO", `${role} can no longer read ${showRelation(relation)}.`);
  for (const role of missing) log("INFO", `${role} can read ${showRelation(relation)} now.`);
  return {
    result: `${wanted.size} references can read ${showRelation(relation)}.`,
    info: {
      publicInfo: { ...placeOf(work, relation, kind === "storage" ? "table" : "view"), readers: wanted.size },
      aclInfo: [...wanted].map(([role, ref]) => ({ ref, role })),
    },
  };
}
