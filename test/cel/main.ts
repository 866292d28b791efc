/**
 * How much of the public conformance data does our compiler of expressions pass? Exits 1 below 98 %.
 *
 *   npm run test:cel
 */
import { excludedSections, runConformance } from "./conformance.ts";

const wanted = 0.98;
const { sections, failures, excluded } = runConformance();

let [passed, total] = [0, 0];
for (const [name, figures] of sections) {
  passed += figures.passed;
  total += figures.total;
  console.log(
    `${name.padEnd(20)} ${String(figures.passed).padStart(4)} of ${String(figures.total).padStart(4)}`,
  );
}
console.log("\nLeft out:");
for (const [name, count] of excluded)
  console.log(
    `${name.padEnd(20)} ${String(count).padStart(4)} ${excludedSections[name] ?? "cases that use messages or enums"}`,
  );
console.log("\nNot passed:");
for (const failure of failures) console.log(failure);
console.log(
  `\n${passed} of ${total} passed: ${((100 * passed) / total).toFixed(2)} % (wanted: ${100 * wanted} %)`,
);
process.exitCode = passed / total >= wanted ? 0 : 1;
