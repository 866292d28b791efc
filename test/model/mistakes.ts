/** Mistakes that a coordinator could make, planted between the commands and the system. */
import type { Call } from "../support/server.ts";
import type { System } from "./system.ts";

const altered = (system: System, alter: (call: Call) => Call): System => ({
  ...system,
  call: (api, call) => system.call(api, alter(call)),
});

const withBody = (call: Call, change: (body: any) => object): Call =>
  call.body === undefined ? call : { ...call, body: change(call.body) };

export const mistakes: Record<string, (system: System) => System> = {
  "force is taken for safety": (system) =>
    altered(system, (call) => ({ ...call, path: call.path.replace("mode=forced", "mode=safe") })),
  "a disabled adapter is used": (system) =>
    altered(system, (call) =>
      call.method === "PUT" ? withBody(call, (body) => ({ ...body, enabled: true })) : call,
    ),
  "unchanged components are deployed again": (system) =>
    altered(system, (call) => withBody(call, (body) => ({ ...body, preventRedeploy: false }))),
  "what has no target is refused": (system) =>
    altered(system, (call) => ({ ...call, path: call.path.replace("unsafe=true", "unsafe=false") })),
  "a component is dropped": (system) =>
    altered(system, (call) =>
      withBody(call, (body) =>
        body.targetStatus === undefined ? body : { ...body, targetStatus: body.targetStatus.slice(0, 2) },
      ),
    ),
  "a termination is answered and forgotten": (system) => ({
    ...system,
    async call(api, call) {
      if (!call.path.includes("terminate") || !call.path.includes("safe")) return system.call(api, call);
      return { status: 202, headers: new Headers(), body: "", text: "" };
    },
  }),
};
