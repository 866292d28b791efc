/** Output ports: a view with exactly the declared columns over one table or view. */
import { createHash } from "node:crypto";

import type { Problem } from "../../../platform/errors/failure.ts";
import { invalid } from "../../kit/descriptor.ts";
import type { Outcome } from "../../kit/protocol.ts";
import { rememberObject } from "../bookkeeping.ts";
import { grantSelect, readReaders } from "../grants.ts";
import { countRows, findRelation, mayRead, readColumns } from "../live-schema.ts";
import type { LiveColumn, LiveRelation } from "../live-schema.ts";
import type { Session } from "../session.ts";
import type { OutputPort } from "../descriptor/component.ts";
import { quote, quoteRelation, showRelation } from "../descriptor/identifiers.ts";
import { canWiden } from "../descriptor/types.ts";
import { changeUnderReaders, claim, commentOn, commentOnColumn } from "./objects.ts";
import { countInfo, missingSource, placeOf, refuse } from "./work.ts";
import type { Work } from "./work.ts";
import { dropPrevious } from "./workload.ts";

export async function provisionOutputPort(work: Work, port: OutputPort): Promise<Outcome> {
  const { session, log } = work;
  const { owner, relation, pointer } = port;
  const { role, live, known, previous } = await claim(work, port, { kind: "view", key: "view" });
  const text = await selectText(work, port, role);
  const definition = createHash("sha256").update(text).digest("hex");
  const where = `${pointer}/specific/view`;
  if (!live || known?.definition !== definition) {
    await putView(work, port, { live, role, text });
    log(
      "INFO",
      `The view ${showRelation(relation)} shows ${port.columns.length} columns of ${showRelation(port.source)}.`,
    );
  } else log("INFO", `The view ${showRelation(relation)} is as declared already.`);
  await session.asRole(role, () => describe(session, port));
  await rememberObject(session, owner, { ...relation, kind: "view", definition });
  await dropPrevious(session, previous, { role, where });
  const count = session.dryRun ? { rows: 0, atLeast: false } : await countAs(session, port, role);
  return {
    result: `The view ${showRelation(relation)} is ready.`,
    info: {
      publicInfo: { ...placeOf(work, relation, "view"), ...countInfo(count) },
      privateInfo: { role, source: showRelation(port.source) },
    },
  };
}

const countAs = (session: Session, port: OutputPort, role: string): ReturnType<typeof countRows> =>
  session.asRole(role, () => countRows(session, port.relation));

/** Checks the source and every declared column against it, then writes the query of the view. */
async function selectText(work: Work, port: OutputPort, role: string): Promise<string> {
  const { session } = work;
  const { source, pointer } = port;
  const where = `${pointer}/specific/source`;
  const live = await findRelation(session, source);
  if (!live) throw refuse(where, `${showRelation(source)} does not exist`, missingSource(work, source));
  if (!(await mayRead(session, role, live.oid))) {
    const message = `${showRelation(source)} belongs to others, and the system's role ${role} may not read it`;
    throw refuse(
      where,
      message,
      "Ask the operator of the database to make the role a member of a reader's role.",
    );
  }
  const sourceColumns = new Map(
    (await readColumns(session, live.oid)).map((column) => [column.name, column]),
  );
  const problems = port.columns.flatMap((column) =>
    columnProblems(column, sourceColumns, showRelation(source)),
  );
  if (problems.length > 0) throw invalid("The declared columns do not fit the source of the view.", problems);
  const columns = port.columns.map(({ name, type }) => {
    const quoted = quote(name);
    return sourceColumns.get(name)?.type === type ? quoted : `${quoted}::${type} AS ${quoted}`;
  });
  return `SELECT ${columns.join(", ")} FROM ${quoteRelation(source)}`;
}

function columnProblems(
  { name, type, pointer }: OutputPort["columns"][number],
  source: Map<string, LiveColumn>,
  sourceName: string,
): Problem[] {
  const existing = source.get(name);
  if (!existing) {
    const solution = `Use columns of the source: ${[...source.keys()].slice(0, 30).join(", ")}.`;
    return [{ where: `${pointer}/name`, message: `${sourceName} has no column ${name}`, solution }];
  }
  if (canWiden(existing.type, type)) return [];
  const message = `${name} is ${existing.type} in ${sourceName}, which is not shown as ${type} without loss`;
  return [{ where: `${pointer}/dataType`, message, solution: `Declare ${existing.type} or a wider type.` }];
}

/**
 * PostgreSQL replaces a view in place only when columns are added at the end; else it is dropped and created
 * again.
 */
async function putView(
  work: Work,
  port: OutputPort,
  { live, role, text }: { live: LiveRelation | undefined; role: string; text: string },
): Promise<void> {
  const { session } = work;
  const { owner, relation, pointer } = port;
  const create = `CREATE OR REPLACE VIEW ${quoteRelation(relation)} AS ${text}`;
  const columns = live ? await readColumns(session, live.oid) : [];
  const inPlace = columns.every(
    ({ name, type }, i) => port.columns[i]?.name === name && port.columns[i].type === type,
  );
  if (!live || inPlace) {
    await session.asRole(role, () => session.query(create));
    return;
  }
  const readers = await readReaders(session, live.oid);
  await changeUnderReaders(
    work,
    { relation: live, owner, role, where: `${pointer}/dataContract/schema` },
    () =>
      session.asRole(role, async () => {
        await session.query(`DROP VIEW ${quoteRelation(relation)} RESTRICT`);
        await session.query(create);
      }),
  );
  await grantSelect(session, relation, readers);
}

async function describe(session: Session, { relation, columns, description }: OutputPort): Promise<void> {
  await session.query(commentOn({ ...relation, kind: "view" }, description));
  for (const column of columns) {
    if (column.description !== undefined) {
      await session.query(commentOnColumn(relation, column.name, column.description));
    }
  }
}
