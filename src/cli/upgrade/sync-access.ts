/** Sends the access that the upgrade has moved to the infrastructure, through the coordinator. */
import { createHash } from "node:crypto";
import { Failure } from "../../platform/errors/failure.ts";
import type { AccessToSync } from "../../upgrade/database/facts.ts";
import { callServer, type Server } from "../client/http.ts";
import { readPlanStatus } from "../client/plan-events.ts";
import { pollUntil } from "../client/poll.ts";
import { printLines, type Cli } from "../context.ts";

interface Sent {
  componentId: string;
  environment: string;
  status: string;
}

/** One after the other; each is followed to its end. What the server refuses is an answer like any other. */
export async function sendAccess(cli: Cli, server: Server, wanted: readonly AccessToSync[]): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (const access of wanted) {
    const { componentId, environment } = access;
    const status = await send(server, access);
    printLines(cli.err, [`access to ${componentId} in ${environment}: ${status}`]);
    sent.push({ componentId, environment, status });
  }
  return sent;
}

async function send(server: Server, access: AccessToSync): Promise<string> {
  const { unitId, environment, componentId, identities, failed } = access;
  // The same request under the same id is carried out once; one that failed is repeated under another.
  const name = createHash("sha256")
    .update(JSON.stringify([unitId, environment, componentId]))
    .digest("hex");
  const body = {
    dataProductUrn: unitId,
    outputPortId: 0,
    outputPortUrn: componentId,
    requestId: `upgrade-2.2.0:${name.slice(0, 32)}:${failed}`,
    identities,
    environment,
  };
  try {
    const { body: token } = await callServer<string>(server, {
      method: "POST",
      path: "/api/coordinator/v1/updateacl",
      body,
    });
    const plan = await pollUntil(server, {
      read: () => readPlanStatus(server, token),
      isDone: ({ dag }) => ["COMPLETED", "FAILED", "TERMINATED"].includes(dag.status),
    });
    return plan.dag.status;
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "CLI_UNREACHABLE") throw error;
    return `refused: ${error.problems[0]?.message ?? error.message}`;
  }
}
