/** Reverse provisioning: reads what is there, changes nothing. */
import type { JsonObject } from "../../kit/protocol.ts";
import type { Check } from "../check.ts";
import { skip } from "../check.ts";
import { isNotOffered } from "../offered.ts";
import { completed } from "../operation.ts";
import type { Session } from "../session.ts";
import { readOddRefusal } from "../refusals.ts";
import { listComponents } from "../../kit/descriptor.ts";

const path = "/v1/reverse-provisioning";
const missing = "the adapter does not offer /v1/reverse-provisioning";

const check = (name: string, title: string, run: Check["run"]): Check => ({
  id: `reverse.${name}`,
  group: "reverse",
  title,
  changes: true,
  run,
});

export const reverseChecks: Check[] = [
  check("reads", "reads the component back", async (session) => {
    if ((await session.ensureDeployed()).length > 0) return skip("the component could not be provisioned");
    const ended = await session.operate("reverse-provisioning", reverseBody(session));
    if (ended.unsupported) return skip(missing);
    return { deviations: completed(ended, "The reverse provisioning") };
  }),
  check("missing-fields", "refuses a request without its fields", async (session) => {
    const exchange = await session.post(path, {});
    if (isNotOffered(exchange)) return skip(missing);
    return {
      deviations: readOddRefusal(exchange, {
        statuses: [400, 422],
        protocol: "useCaseTemplateId and environment are required; without them it is 400.",
        fix: "Check the fields of the request first.",
      }),
    };
  }),
];

/** The catalogue information that the platform sends holds the component's own `specific`. */
function reverseBody({ subject }: Session): JsonObject {
  const { unit, componentId, reverseParams } = subject;
  const component = listComponents(unit).find((each) => each.component["id"] === componentId)?.component;
  return {
    useCaseTemplateId:
      component?.["useCaseTemplateId"] ?? component?.["infrastructureTemplateId"] ?? componentId,
    environment: unit["environment"] ?? "development",
    params: reverseParams,
    catalogInfo: { spec: { mesh: { name: component?.["name"], specific: component?.["specific"] ?? {} } } },
  };
}
