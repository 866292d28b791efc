/**
 * Termination of a running operation: 200 with the final status, 202 and polls, or 404, 405, 501 when it is
 * not supported.
 */
import type { Check, Finding } from "../check.ts";
import { skip } from "../check.ts";
import type { Exchange } from "../exchange.ts";
import { isNotOffered } from "../offered.ts";
import { readRefusal } from "../refusals.ts";
import { completed, keyHeader } from "../operation.ts";
import type { Session } from "../session.ts";
import { finalStatuses, labelOf, readFault, readStatus, readToken } from "../shapes.ts";
import { collector, type Deviation } from "../deviation.ts";

const check = (name: string, title: string, run: Check["run"]): Check => ({
  id: `termination.${name}`,
  group: "termination",
  title,
  changes: true,
  run,
});

const atOnce = "it answers at once, so there is nothing to stop";
/** For an unknown token 404 is right in any case. */
const notOffered = ({ answer }: Exchange): Finding => ({
  deviations: [],
  note: `not offered, or not known (${answer?.status ?? 0})`,
});

export const terminationChecks: Check[] = [
  check("running", "stops a running operation, or says that it cannot", terminateRunning),
  check("usable-after", "provisions again after a termination", async (session) => {
    const stopped = session
      .exchanges()
      .some(({ method, answer }) => method === "DELETE" && [200, 202].includes(answer?.status ?? 0));
    if (!stopped) return skip("nothing was stopped");
    // Restores the wanted state after an operation was stopped half-way.
    return { deviations: completed(await session.provision(), "The provisioning after a termination") };
  }),
  check("finished", "leaves a finished operation as it ended", async (session) => {
    const ended = await session.provision();
    if (ended.token === undefined) return skip(atOnce);
    if (!ended.report) return skip("the operation did not end");
    const exchange = await remove(session, ended.token);
    const status = exchange.answer?.status ?? 0;
    if (status === 200) return { deviations: unchanged(exchange, ended.report.status) };
    if (isNotOffered(exchange)) return notOffered(exchange);
    return { deviations: refusals(exchange, [400, 409, 410]) };
  }),
  check("unknown", "refuses to stop what it does not know", async (session) => {
    const exchange = await remove(session, session.newId());
    if (isNotOffered(exchange)) return notOffered(exchange);
    return { deviations: refusals(exchange, [400, 410]) };
  }),
];

const remove = (session: Session, token: string): Promise<Exchange> =>
  session.call({ method: "DELETE", path: `/v1/provision/${encodeURIComponent(token)}` });

const refusals = (exchange: Exchange, statuses: number[]): Deviation[] =>
  readRefusal(exchange, {
    statuses,
    protocol:
      "A token that is not known is refused with 400 or 404; 404, 405 and 501 say that nothing can be stopped.",
    fix: "Look the token up first, and answer 501 to all when operations cannot be stopped.",
  });

async function terminateRunning(session: Session): Promise<Finding> {
  await session.ensureDeployed();
  const headers = keyHeader(`conformance:${session.newId()}`);
  const body = JSON.stringify(session.body());
  const first = await session.call({ method: "POST", path: "/v1/provision", body, headers });
  if (first.answer?.status !== 202) return skip(atOnce);
  const token = readToken(first).value;
  if (token === undefined) return skip("it gave no token");
  const exchange = await remove(session, token);
  const status = exchange.answer?.status ?? 0;
  if (isNotOffered(exchange)) {
    // Waits for an operation that cannot be stopped, so that it does not overlap with the next check.
    await session.follow("provision", first);
    return {
      deviations: [],
      note: `not offered (${status}); a forced termination then leaves the component CORRUPT`,
    };
  }
  if (!exchange.answer) return { deviations: readFault(exchange) };
  if (status === 200) return { deviations: endOf(exchange) };
  if (status !== 202) return { deviations: refusals(exchange, []) };
  const ended = await session.follow("provision", first);
  return { deviations: ended.deviations, note: `ended ${ended.report?.status ?? "with nothing"}` };
}

/** 200 carries the end; without a body it stands for TERMINATED. */
function endOf(exchange: Exchange): Deviation[] {
  if (exchange.answer?.text.trim() === "") return [];
  const { value, deviations } = readStatus(exchange);
  if (value && !finalStatuses.includes(value.status)) {
    const { deviations: more, say } = collector(exchange);
    const protocol = "200 to DELETE carries the end; 202 says that the end has to be polled.";
    say(
      "fail",
      `${labelOf(exchange)}: 200 with ${value.status}.`,
      protocol,
      "Answer 202 while it is stopping.",
    );
    return [...deviations, ...more];
  }
  return deviations;
}

function unchanged(exchange: Exchange, before: string): Deviation[] {
  const { value, deviations } = readStatus(exchange);
  if (value === undefined || value.status === before) return deviations;
  const { deviations: more, say } = collector(exchange);
  say(
    "fail",
    `${labelOf(exchange)}: an operation that had ended ${before} became ${value.status}.`,
    "COMPLETED, FAILED and TERMINATED are final; a termination that comes too late changes nothing.",
    "Answer the end that was reached.",
  );
  return [...deviations, ...more];
}
