import { route, type AreaApp } from "../../../platform/http/operation.ts";
import { sendJsonPieces } from "../../../platform/http/responses/json-pieces.ts";
import type { CoordinatorExtra } from "../../context.ts";
import {
  auditChains,
  auditExportQuery,
  auditList,
  auditListQuery,
  chainParams,
  verification,
  verificationQuery,
} from "./schema.ts";
import { exportAudit, listAudit, listAuditChains, verifyAuditChain } from "./service.ts";

const tags = ["Audit"];
const jsonLines = "application/x-ndjson";

export function addAuditRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "listAudit",
    method: "GET",
    path: "/v1/audit",
    summary: "List who did what",
    description: "Changes that people and services asked for, in all areas; the latest first.",
    tags,
    rule: "listAudit",
    query: auditListQuery,
    response: { 200: auditList },
    handler: (ctx, { query }) => listAudit(ctx, query),
  });
  route(app, {
    id: "getAuditExport",
    method: "GET",
    path: "/v1/audit/export",
    summary: "Export who did what",
    description:
      "One JSON object a line, chain by chain in the order of the chain. `hash` is the SHA-256 of the line without it, in the form " +
      "of RFC 8785; `previousHash` is that of the line before.",
    tags,
    rule: "getAuditExport",
    query: auditExportQuery,
    response: { 200: { description: "The lines.", contentType: jsonLines } },
    async handler(ctx, { query, reply }) {
      await sendJsonPieces(reply, await exportAudit(ctx, query), jsonLines);
    },
  });
  route(app, {
    id: "listAuditChains",
    method: "GET",
    path: "/v1/audit/chains",
    summary: "List the chains of the audit",
    description: "Where each of them begins and ends, and how many rows are not sealed yet.",
    tags,
    rule: "listAuditChains",
    response: { 200: auditChains },
    handler: (ctx) => listAuditChains(ctx),
  });
  route(app, {
    id: "getAuditVerification",
    method: "GET",
    path: "/v1/audit/chains/{chain}/verification",
    summary: "Verify a chain of the audit",
    description:
      "Compares rows with what was sealed and says which were changed, deleted or inserted. A long chain takes several requests.",
    tags,
    rule: "getAuditVerification",
    params: chainParams,
    query: verificationQuery,
    response: { 200: verification },
    handler: (ctx, { params, query }) => verifyAuditChain(ctx, params.chain, query),
  });
}
