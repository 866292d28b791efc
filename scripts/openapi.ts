/**
 * Writes the OpenAPI documents of all interfaces to openapi/, or with --check says which of them differ from the code.
 *
 *   node scripts/openapi.ts [--check]
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { assistantArea } from "../src/assistant/area.ts";
import { authArea } from "../src/auth/area.ts";
import { builderArea } from "../src/builder/area.ts";
import { coordinatorArea } from "../src/coordinator/area.ts";
import type { CoordinatorDeps } from "../src/coordinator/context.ts";
import { dataLayerArea } from "../src/data-layer/area.ts";
import { governanceArea } from "../src/governance/area.ts";
import { isPolicyId, isPublic } from "../src/platform/auth/policy.ts";
import type { Area } from "../src/platform/http/operation.ts";
import { createHttpServer } from "../src/platform/http/server.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { createMetrics } from "../src/platform/telemetry/metrics.ts";
import { describeArea } from "../src/reference/describe-area.ts";
import { techAdapterDocument } from "../src/reference/tech-adapter.ts";

const folder = new URL("../openapi/", import.meta.url);
const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });

const documents = await readDocuments();
const differing: string[] = [];
await mkdir(folder, { recursive: true });
for (const [name, text] of documents) {
  const file = new URL(`${name}.json`, folder);
  const committed = await readFile(file, "utf8").catch(() => "");
  if (committed !== text) {
    differing.push(`openapi/${name}.json`);
    if (!values.check) {
      await writeFile(file, text);
    }
  }
}
if (differing.length > 0) {
  console.log(`${values.check ? "Differs from the code" : "Written"}: ${differing.join(", ")}`);
}
if (values.check && differing.length > 0) {
  console.log("Run `npm run openapi` and commit what it writes.");
  process.exitCode = 1;
}

/** A server that never listens: registering the operations is all that the documents need. */
async function readDocuments(): Promise<Map<string, string>> {
  const server = await createHttpServer({
    server: {
      host: "127.0.0.1",
      port: 0,
      bodyLimitBytes: 1,
      shutdownGraceMs: 0,
      rateLimitPerMinute: 0,
      trustProxy: false,
    },
    areas: areasWithoutDeps().map(describeArea),
    log: silentLogger,
    metrics: createMetrics({ processMetrics: false }),
    access: {
      authenticate: notHere,
      authorize: notHere,
      hasRule: isPolicyId,
      isPublic: (rule) => isPolicyId(rule) && isPublic(rule),
    },
    readiness: notHere,
  });
  const texts = server.areas.map(({ area, document }): [string, string] => [
    area.name,
    `${JSON.stringify(document(), null, 2)}\n`,
  ]);
  await server.close();
  const { name, document } = techAdapterDocument;
  return new Map([...texts, [name, `${JSON.stringify(document, null, 2)}\n`]]);
}

/** The areas as compose.ts creates them, with deps that are not used before the first request. */
function areasWithoutDeps(): Area[] {
  const deps: CoordinatorDeps = Object.create(null);
  return [
    builderArea({
      deps: Object.create(null),
      actions: new Map(),
      findEntity: notHere,
      environments: ["development", "production"],
      namespace: "dmb",
      catalogue: { register: notHere },
      access: { describe: notHere, change: notHere, readEnd: notHere },
      readPlanDiff: notHere,
      deployedUnits: { list: notHere },
      actionHandlers: {
        accessRequest: { approved: notHere, refused: notHere },
        deployment: { approved: notHere, refused: notHere },
      },
      checkUrl: notHere,
      probeUrl: notHere,
      renderer: { run: notHere, close: notHere } as never,
    }),
    assistantArea({ deps: Object.create(null) }),
    coordinatorArea(deps),
    governanceArea(Object.create(null)),
    dataLayerArea(Object.create(null)),
    authArea(Object.create(null)),
  ];
}

function notHere(): never {
  throw new Error("There is no request here.");
}
