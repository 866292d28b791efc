/** Access: `refs` is the complete wanted set, and an empty one takes all away. */
import type { JsonObject } from "../../kit/protocol.ts";
import type { Check, Finding } from "../check.ts";
import { skip } from "../check.ts";
import { completed } from "../operation.ts";
import { isNotOffered } from "../offered.ts";
import type { Ended } from "../operation.ts";
import type { Session } from "../session.ts";
import { readOddRefusal } from "../refusals.ts";

const check = (name: string, title: string, run: Check["run"]): Check => ({
  id: `access.${name}`,
  group: "access",
  title,
  changes: true,
  run,
});

export const accessChecks: Check[] = [
  check("set", "grants a set", (session) => setRefs(session, session.subject.refs)),
  check("same-set", "takes the same set again", (session) => setRefs(session, session.subject.refs)),
  check("smaller-set", "takes a smaller set, which revokes the rest", (session) =>
    setRefs(session, session.subject.refs.slice(0, 1)),
  ),
  check("revoke-all", "takes the empty set, which revokes all", (session) => setRefs(session, [])),
  check("bad-refs", "refuses `refs` that are not a list", async (session) => {
    if ((await session.ensureDeployed()).length > 0) return skip("the component could not be provisioned");
    const exchange = await session.post("/v1/updateacl", aclBody(session, "user:ada"));
    if (isNotOffered(exchange)) return skip("the adapter does not offer /v1/updateacl");
    return {
      deviations: readOddRefusal(exchange, {
        statuses: [400, 422],
        protocol: "A request that cannot be read is refused with 400.",
        fix: "Check that `refs` is a list of texts before anything is changed.",
      }),
    };
  }),
];

const aclBody = (session: Session, refs: unknown): JsonObject => ({
  refs,
  provisionInfo: { request: session.descriptorText(), result: session.provisionResult() },
});

const isRefused = ({ first, report }: Ended): boolean =>
  report?.status === "FAILED" || [400, 422].includes(first.answer?.status ?? 0);

async function setRefs(session: Session, refs: string[]): Promise<Finding> {
  if ((await session.ensureDeployed()).length > 0) return skip("the component could not be provisioned");
  const ended = await session.operate("updateacl", aclBody(session, refs));
  if (ended.unsupported) return skip("the adapter does not offer /v1/updateacl");
  if (session.subject.areRefsMadeUp && refs.length > 0 && isRefused(ended))
    return skip("it does not know the references made up for the run; give some that it knows with --ref");
  return { deviations: completed(ended, `The access update to ${refs.length} references`) };
}
