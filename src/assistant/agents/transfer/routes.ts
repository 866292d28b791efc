import { acceptForms } from "../../../platform/http/input/multipart.ts";
import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { AssistantExtra } from "../../context.ts";
import { readArchive } from "./read-archive.ts";
import { importAnswer, importForm, importQuery } from "./schema.ts";
import { exportRecords, importRecords } from "./service.ts";

const tags = ["Export and import"];

export async function addPortableRoutes(app: AreaApp<AssistantExtra>): Promise<void> {
  await acceptForms(app.fastify);
  route(app, {
    id: "exportRecords",
    method: "GET",
    path: "/export",
    summary: "Export skills, agents and external agents",
    description:
      "A .tar.gz with `skills/<key>/SKILL.md`, `agents/<key>/AGENT.md` and `external-agents/<key>.json` of all that users " +
      "have made. It has no secrets: in payloads and addresses of external agents a mask stands for them.",
    tags,
    rule: "readAssistant",
    response: { 200: { description: "The archive.", contentType: "application/gzip" } },
    errors: [413],
    async handler(ctx, { reply }) {
      const archive = await exportRecords(ctx);
      reply.hijack();
      reply.raw
        .writeHead(200, {
          "content-type": "application/gzip",
          "content-disposition": 'attachment; filename="assistant.tar.gz"',
          "content-length": archive.length,
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          "x-request-id": reply.request.id,
        })
        .end(archive);
    },
  });
  route(app, {
    id: "importRecords",
    method: "POST",
    path: "/import",
    summary: "Import skills, agents and external agents",
    description:
      "All of an archive or nothing. A file with an id is the record with that id, one without is the record of its name; " +
      "records that there are not are made, others become as the file says. Nothing is deleted, and the default agent stays.",
    tags,
    rule: "importAssistantRecords",
    query: importQuery,
    upload: importForm,
    response: { 200: importAnswer },
    async handler(ctx, { raw, query }) {
      return importRecords(ctx, await readArchive(ctx, raw), { dryRun: query.dry_run });
    },
  });
}
