/** Scripts that arrive as data: names, versions, descriptions, log lines. Each sets `payloadRan` where it is executed. */
import { provision } from "./seed.ts";
import type { ShownRoute } from "./routes.ts";
import type { ConsoleServer } from "./server.ts";
import { unitOf } from "./units.ts";

const set = "globalThis.payloadRan=1";

export const payloads = [
  `<script>${set}</script>`,
  `<img src=x onerror="${set}">`,
  `<svg onload="${set}"></svg>`,
  `<svg><animate onbegin="${set}" attributeName=x dur=1s></svg>`,
  `"><iframe srcdoc="<script>parent.payloadRan=1</script>"></iframe>`,
  `javascript:${set}`,
  `[a link](javascript:${set})`,
  `![x](x" onerror="${set})`,
  `<a href="javascript:${set}" autofocus onfocus="${set}">x</a>`,
  `<details open ontoggle="${set}">x</details>`,
  `</style><script>${set}</script>`,
  `{{constructor.constructor("${set}")()}}`,
  `\${${set}}`,
  `<math><mtext><mglyph><style><img src=x onerror="${set}">`,
  `<template><script>${set}</script></template>`,
  `<style>@import "javascript:${set}";</style>`,
];

/** A unit whose name, version, owner and log of a failed task have each payload, and the pages that show them. */
export async function payloadsInUnits(server: ConsoleServer): Promise<ShownRoute[]> {
  const { guest } = server;
  const routes: ShownRoute[] = [{ name: "units-payloads", path: "/units?q=payload" }];
  for (const [index, payload] of payloads.entries()) {
    const mock = { refine: { mode: "async", outcome: "FAILED", result: payload } };
    const unit = {
      ...unitOf(`payload-${index}`, { mock, owner: payload }),
      name: payload,
      description: payload,
    };
    const plan = await provision(guest, unit, "FAILED");
    routes.push({ name: "plan-payload", path: `/plans/${plan}` });
  }
  routes.push(
    { name: "unit-payload", path: `/units/${unitOf("payload-0").id}` },
    { name: "payload-in-address", path: `/units?q=${encodeURIComponent(payloads[0] ?? "")}` },
  );
  return routes;
}
