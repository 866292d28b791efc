/** Wire shapes of the audit: who did what, in all areas. */
import { Type, type Static } from "typebox";
import { chainNames } from "../../../platform/audit/chain.ts";
import { problemKinds } from "../../../platform/audit/check-links.ts";
import { auditAreas } from "../../../platform/lib/audit-areas.ts";
import { Nullable } from "../../../platform/http/schema.ts";

const filters = {
  actor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: "Entity reference of who did it." }),
  ),
  action: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: "Name of the operation, such as `deletePolicy`.",
    }),
  ),
  resource: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description:
        "What was acted on, such as `unit:fleet@production`; with `*` at its end, everything that begins so.",
    }),
  ),
  area: Type.Optional(Type.Enum([...auditAreas])),
  "request-id": Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  from: Type.Optional(Type.String({ format: "date-time", description: "At this time or later." })),
  to: Type.Optional(Type.String({ format: "date-time", description: "Before this time." })),
};

export const auditExportQuery = Type.Object(filters);
export type AuditExportQuery = Static<typeof auditExportQuery>;

export const auditListQuery = Type.Object({
  ...filters,
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: "`meta.pagination.next` of the page before." }),
  ),
});
export type AuditListQuery = Static<typeof auditListQuery>;

const time = Type.String({ format: "date-time" });
const chain = Type.Enum([...chainNames], {
  description: "Rows of governance are in its own database, all others in that of the platform.",
});
const hash = Type.String({ description: "SHA-256, in hexadecimal." });

const record = Type.Object({
  chain,
  id: Type.Integer({ description: "Of the row, within its chain." }),
  at: time,
  area: Nullable(Type.String({ description: "Null in rows of older releases." })),
  actor: Type.String({ description: "Entity reference of who did it." }),
  action: Type.String({ description: "Name of the operation." }),
  resource: Type.String({ description: "What was acted on." }),
  requestId: Nullable(Type.String()),
  clientAddress: Nullable(Type.String({ description: "Null for work that a process does by itself." })),
  detail: Type.Object({}, { additionalProperties: true }),
  seq: Nullable(Type.Integer({ description: "Place in the chain; null while the row is not sealed." })),
  hash: Nullable(hash),
});
export type AuditRecord = Static<typeof record>;

export const auditList = Type.Object({
  data: Type.Array(record),
  meta: Type.Object({
    pagination: Type.Object({ limit: Type.Integer(), next: Type.Union([Type.String(), Type.Null()]) }),
  }),
});
export type AuditList = Static<typeof auditList>;

export const auditChains = Type.Object({
  data: Type.Array(
    Type.Object({
      chain,
      seq: Type.Integer({ description: "The last place that is sealed." }),
      hash,
      sealedAt: Nullable(time),
      isSigned: Type.Boolean({
        description: "Whether the ends of the chain are those that this installation has signed.",
      }),
      pruned: Nullable(
        Type.Object(
          { seq: Type.Integer(), hash, at: time },
          { description: "The last row that was deleted because of its age; the chain begins after it." },
        ),
      ),
      open: Type.Object(
        { rows: Type.Integer(), oldestAt: Nullable(time) },
        { description: "Rows that are not sealed yet." },
      ),
    }),
  ),
});
export type AuditChains = Static<typeof auditChains>;

export const chainParams = Type.Object({ chain });

export const verificationQuery = Type.Object({
  after: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: "`next` of the answer before; 0 begins at the front of the chain.",
  }),
  anchor: Type.Optional(
    Type.String({
      pattern: "^[0-9]{1,15}:[0-9a-fA-F]{64}$",
      description:
        "A place and its hash that were noted elsewhere, `<seq>:<hash>`: whether the chain still has it.",
    }),
  ),
});
export type VerificationQuery = Static<typeof verificationQuery>;

const problem = Type.Object({
  kind: Type.Enum([...problemKinds]),
  seq: Nullable(Type.Integer({ description: "Place in the chain; null for a row that has none." })),
  id: Nullable(Type.Integer({ description: "Of the row; null where it is not known." })),
  message: Type.String(),
});

export const verification = Type.Object({
  chain,
  checked: Type.Integer({ description: "Rows that this answer is about." }),
  problems: Type.Array(problem, { description: "Of these rows, and of the chain's ends." }),
  next: Nullable(Type.Integer({ description: "`after` of the next request; null at the end of the chain." })),
});
export type Verification = Static<typeof verification>;
