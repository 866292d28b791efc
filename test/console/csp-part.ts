import { selfCheck, plantedFaults } from "./csp/self-check.ts";
import { injected } from "./csp/injected.ts";
const a = process.argv[2];
const c = a === "self" ? selfCheck : a === "planted" ? plantedFaults : injected;
const r = await c.run(process.argv.slice(3));
console.log(r.lines.join("\n"));
console.log(r.findings.join("\n"));
process.exit(0);
