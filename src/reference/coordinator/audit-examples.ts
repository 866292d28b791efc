/** The examples of the audit; the hash of the line is really its own. */

const hash = "120725f1cbab6e4cd991708e96b9f38ef2b463c8e3a6d3be76c4d637b491d210";

const record = {
  chain: "governance",
  id: 1_201,
  at: "2026-11-23T09:00:00.000Z",
  area: "governance",
  actor: "user:default/ada",
  action: "deletePolicy",
  resource: "policy:has-owner",
  requestId: "6f1c1c1e",
  clientAddress: "192.0.2.7",
  detail: {},
  seq: 1_200,
};

const previousHash = "5f16f4c7f149ac4f9510d9cf8cf384038ad348b3bcdc01915f95de12df9d1b02";

export const auditExamples: Record<string, unknown> = {
  "listAudit 200": { data: [{ ...record, hash }], meta: { pagination: { limit: 50, next: null } } },
  "listAudit ?actor": record.actor,
  "listAudit ?action": record.action,
  "listAudit ?resource": "policy:*",
  "getAuditExport 200": `${JSON.stringify({ ...record, previousHash, hash })}\n`,
  "listAuditChains 200": {
    data: [
      {
        chain: "governance",
        seq: record.seq,
        hash,
        sealedAt: "2026-11-23T09:00:01.000Z",
        isSigned: true,
        pruned: null,
        open: { rows: 0, oldestAt: null },
      },
    ],
  },
  "getAuditVerification ?chain": "governance",
  "getAuditVerification ?anchor": `${record.seq}:${hash}`,
  "getAuditVerification 200": {
    chain: "governance",
    checked: 1_200,
    problems: [
      {
        kind: "CHANGED",
        seq: 17,
        id: 18,
        message: "The row, or its place in the chain, is not what was sealed.",
      },
    ],
    next: null,
  },
};
