/** Lists, exports and verifies the audits of all areas. */
import { recordOf, type ChainName } from "../../../platform/audit/chain.ts";
import {
  exportRows,
  listRows,
  type AuditFilter,
  type PlacedRow,
} from "../../../platform/audit/record-store.ts";
import type { AuditChain } from "../../../platform/audit/seal.ts";
import { readTops } from "../../../platform/audit/store.ts";
import {
  checkAnchor,
  readChainStatus,
  verifyAudit,
  type ChainStatus,
} from "../../../platform/audit/verify.ts";
import { pageCursor, readPageCursor } from "../../../platform/lib/page-cursor.ts";
import type { AuditAccess, CoordinatorContext } from "../../context.ts";
import { brokenCursor } from "../../errors.ts";
import { readInstant } from "../../../platform/lib/instant.ts";
import type {
  AuditChains,
  AuditExportQuery,
  AuditList,
  AuditListQuery,
  AuditRecord,
  Verification,
  VerificationQuery,
} from "./schema.ts";

/** A page of rows of all chains, the latest first; each chain has a position of its own in the cursor. */
export async function listAudit(ctx: CoordinatorContext, query: AuditListQuery): Promise<AuditList> {
  const { limit } = query;
  const positions = readPositions(query.after);
  const filter = filterOf(query);
  const found = await Promise.all(
    chainsFor(ctx, query.area).map(async ({ name, database }) => {
      const page = { below: positions.get(name) ?? null, limit: limit + 1 };
      const rows = await listRows(database.db, filter, page);
      // Rows that come later are none of a chain that this page shows nothing of.
      positions.set(name, page.below ?? (rows[0]?.id ?? 0) + 1);
      return rows.map((row) => ({ chain: name, row }));
    }),
  );
  const { page, hasMore } = merged(found, limit);
  for (const { chain, row } of page) positions.set(chain, row.id);
  const next = hasMore ? pageCursor([...positions].map(([name, id]) => `${name}:${id}`)) : null;
  return {
    data: page.map(({ chain, row }) => viewOf(chain, row)),
    meta: { pagination: { limit, next } },
  };
}

interface ChainRow {
  chain: ChainName;
  row: PlacedRow;
}

/** The latest first. Rows of one chain stay in the order of their ids, whatever their times say. */
function merged(found: readonly ChainRow[][], limit: number): { page: ChainRow[]; hasMore: boolean } {
  const queues = found.map((rows) => [...rows]);
  const page: ChainRow[] = [];
  const isLeft = (): boolean => queues.some(({ length }) => length > 0);
  while (page.length < limit && isLeft()) {
    const [latest] = queues
      .filter(({ length }) => length > 0)
      .sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
    const next = latest?.shift();
    if (next) page.push(next);
  }
  return { page, hasMore: isLeft() };
}

const timeOf = ([first]: readonly ChainRow[]): string => first?.row.at ?? "";

function readPositions(after: string | undefined): Map<ChainName, number> {
  const positions = new Map<ChainName, number>();
  if (after === undefined) return positions;
  const parts = readPageCursor(after, 1) ?? readPageCursor(after, 2);
  for (const part of parts ?? []) {
    const [, name, id] = /^(platform|governance):(\d{1,15})$/.exec(part) ?? [];
    if (name === undefined) throw brokenCursor(after);
    positions.set(name as ChainName, Number(id));
  }
  if (parts === null) throw brokenCursor(after);
  return positions;
}

function viewOf(chain: ChainName, row: PlacedRow): AuditRecord {
  const { operation: action, subject: resource, id, at, area, actor } = row;
  const { requestId, clientAddress, detail, seq, hash } = row;
  return { chain, id, at, area, actor, action, resource, requestId, clientAddress, detail, seq, hash };
}

const accessOf = ({ coordinator }: CoordinatorContext): AuditAccess =>
  coordinator.audit ?? { chains: [], verifiedRows: 1 };

/** Governance writes into its own database only, and nobody else does. */
const chainsFor = (ctx: CoordinatorContext, area: string | undefined): AuditChain[] =>
  accessOf(ctx).chains.filter(
    ({ name }) => area === undefined || (area === "governance") === (name === "governance"),
  );

function filterOf(query: AuditExportQuery): AuditFilter {
  const { actor, action, resource, area, from, to } = query;
  const isPrefix = resource?.endsWith("*") === true;
  return {
    actor,
    action,
    resource: isPrefix ? undefined : resource,
    resourcePrefix: isPrefix ? resource.slice(0, -1) : undefined,
    area,
    requestId: query["request-id"],
    from: from === undefined ? undefined : readInstant(from, "later"),
    to: to === undefined ? undefined : readInstant(to, "later"),
  };
}

/** Rows that are read, and written to the client, at once. */
const exportPage = 500;

/**
 * All rows that are there when it begins, one JSON text a line: chain by chain, in its order. The first page is read before it
 * resolves, so that what fails by then is answered as such.
 */
export async function exportAudit(
  ctx: CoordinatorContext,
  query: AuditExportQuery,
): Promise<AsyncIterable<string>> {
  const tops = await Promise.all(
    chainsFor(ctx, query.area).map(async (chain) => ({
      chain,
      upTo: (await readTops(chain.database.db)).top,
    })),
  );
  const pages = exportPages(tops, filterOf(query));
  const first = await pages.next();
  return (async function* all() {
    if (first.done) return;
    yield first.value;
    yield* pages;
  })();
}

async function* exportPages(
  tops: readonly { chain: AuditChain; upTo: number }[],
  filter: AuditFilter,
): AsyncGenerator<string> {
  for (const { chain, upTo } of tops) {
    for (let after: number | null = 0; after !== null;) {
      const rows: PlacedRow[] = await exportRows(chain.database.db, filter, {
        after,
        upTo,
        limit: exportPage,
      });
      const lines = rows.map((row) => `${JSON.stringify(lineOf(chain.name, row))}\n`);
      if (lines.length > 0) yield lines.join("");
      after = rows.length < exportPage ? null : (rows.at(-1)?.id ?? null);
    }
  }
}

/** The record that the hash is over, with the hash. One that is not sealed has neither a place nor a hash. */
const lineOf = (chain: ChainName, { seq, hash, previousHash, ...row }: PlacedRow): object => ({
  ...recordOf(chain, row, seq === null ? {} : { seq, ...(previousHash === null ? {} : { previousHash }) }),
  ...(hash === null ? {} : { hash }),
});

export async function listAuditChains(ctx: CoordinatorContext): Promise<AuditChains> {
  const { chains } = accessOf(ctx);
  return {
    data: await Promise.all(chains.map(async (chain) => chainView(chain.name, await readChainStatus(chain)))),
  };
}

function chainView(chain: ChainName, { head, isSigned, tail }: ChainStatus): AuditChains["data"][number] {
  const { seq = 0, hash, sealedAt, prunedAt, prunedSeq = 0, prunedHash } = head ?? {};
  return {
    chain,
    seq,
    hash: hash?.toString("hex") ?? "",
    sealedAt: sealedAt?.toISOString() ?? null,
    isSigned,
    pruned: prunedAt
      ? { seq: prunedSeq, hash: prunedHash?.toString("hex") ?? "", at: prunedAt.toISOString() }
      : null,
    open: tail,
  };
}

export async function verifyAuditChain(
  ctx: CoordinatorContext,
  name: ChainName,
  { after, anchor }: VerificationQuery,
): Promise<Verification> {
  const { chains, verifiedRows: limit } = accessOf(ctx);
  const chain = chains.find((each) => each.name === name);
  if (chain === undefined) return { chain: name, checked: 0, problems: [], next: null };
  const [seq = "", hash = ""] = anchor?.split(":") ?? [];
  const noted = anchor === undefined ? [] : await checkAnchor(chain, { seq: Number(seq), hash });
  const { checked, problems, next } = await verifyAudit(chain, { after, limit });
  return { chain: name, checked, problems: [...noted, ...problems], next };
}
