/** Provisioning, and provisioning again: an existing component is not a failure. */
import type { Check } from "../check.ts";
import { skip } from "../check.ts";
import { completed, keyHeader, statusPath } from "../operation.ts";
import type { Ended } from "../operation.ts";
import type { Session } from "../session.ts";
import { readFault, readStatus } from "../shapes.ts";
import { collector, type Deviation } from "../deviation.ts";

const check = (id: string, title: string, run: Check["run"]): Check => ({
  id,
  group: id.startsWith("idempotency") ? "idempotency" : "provisioning",
  title,
  changes: true,
  run,
});

export const provisioningChecks: Check[] = [
  check("provisioning.completes", "provisions the component", async (session) => {
    const ended = await session.provision();
    const note = ended.token === undefined ? "answered at once" : "answered with a token";
    return { deviations: completed(ended, "The provisioning"), note };
  }),
  check("provisioning.again", "provisions what is there already", async (session) => {
    const before = await session.ensureDeployed();
    if (before.length > 0) return skip("the component could not be provisioned");
    return { deviations: completed(await session.provision(), "The second provisioning") };
  }),
  check("provisioning.token", "gives every operation a token of its own", async (session) => {
    const [first, second] = [await session.provision(), await session.provision()];
    if (first.token === undefined || second.token === undefined)
      return skip("it answers at once, without tokens");
    return { deviations: first.token === second.token ? [reusedToken(second)] : [] };
  }),
  check("provisioning.end-stays", "reports the same final status again", async (session) => {
    const ended = await session.provision();
    if (ended.token === undefined) return skip("it answers at once, without tokens");
    if (!ended.report) return skip("the operation did not end");
    return { deviations: await polledAgain(session, ended, ended.report.status) };
  }),
  check("idempotency.repeat", "takes a repeated call as the same call", async (session) => {
    const key = `conformance:${session.newId()}`;
    const first = await session.provision(key);
    if (first.report?.status !== "COMPLETED") return skip("the component could not be provisioned");
    return { deviations: sameOperation(first, await session.provision(key)) };
  }),
  check(
    "idempotency.simultaneous",
    "takes two calls with one key at the same time as one",
    async (session) => {
      const key = `conformance:${session.newId()}`;
      if ((await session.ensureDeployed()).length > 0) return skip("the component could not be provisioned");
      const body = JSON.stringify(session.body());
      const send = () =>
        session.call({ method: "POST", path: "/v1/provision", body, headers: keyHeader(key) });
      const [one, two] = await Promise.all([send(), send()]);
      const first = await session.follow("provision", one);
      const second = await session.follow("provision", two);
      return {
        deviations: [
          ...completed(first, "The first call"),
          ...completed(second, "The second call"),
          ...sameOperation(first, second),
        ],
      };
    },
  ),
];

const reusedToken = (ended: Ended): Deviation => ({
  severity: "fail",
  what: `Two operations got the same token ${ended.token ?? ""}.`,
  protocol: "A token stands for one operation.",
  fix: "Make a fresh random token for every operation that is started.",
  exchange: ended.first,
});

async function polledAgain(session: Session, ended: Ended, status: string): Promise<Deviation[]> {
  const found: Deviation[] = [];
  for (let n = 0; n < 3; n += 1) {
    const exchange = await session.call({ method: "GET", path: statusPath("provision", ended.token ?? "") });
    const { deviations, say } = collector(exchange);
    const now = exchange.answer?.status === 200 ? readStatus(exchange).value?.status : undefined;
    if (exchange.answer && now !== status) {
      say(
        "fail",
        `After ${status} a poll said ${now ?? String(exchange.answer.status)}.`,
        "COMPLETED, FAILED and TERMINATED are final; nothing comes after them.",
        "Keep the end of every operation, and answer it to every later poll.",
      );
    }
    found.push(...readFault(exchange), ...deviations);
    if (found.length > 0) break;
  }
  return found;
}

/**
 * The same token, or the same result. Many adapters do not know the coordinator's idempotency keys: what
 * counts is that a repeat does no harm.
 */
function sameOperation(first: Ended, second: Ended): Deviation[] {
  const { deviations, say } = collector(second.first);
  const protocol = "A call that is repeated with its idempotency key is the same call, and acts once.";
  const fix = "Keep idempotency keys with their operation, and answer a repeat with that operation.";
  const before = first.report?.status;
  const after = second.report?.status;
  if (before !== after) {
    say(
      "fail",
      `The first call ended ${before ?? "with nothing"}, the repeat ${after ?? "with nothing"}.`,
      protocol,
      fix,
    );
  } else if (first.token !== undefined && second.token !== undefined && first.token !== second.token) {
    say("warn", "The repeated call started a second operation: it got another token.", protocol, fix);
  } else if (first.report?.result !== second.report?.result) {
    say("warn", "The repeated call gave another result, so it may have acted a second time.", protocol, fix);
  }
  return deviations;
}
