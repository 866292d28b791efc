/**
 * `npm run test:outbound [-- --urls 10000] [-- --calls 500] [-- --seed N]`: for generated texts, the host and port that
 * the policy, our HTTP client and the git command line see are the same or the text is refused; then calls with such
 * texts over every field that takes an address, by real git and HTTP, with a listener that must never be reached.
 * Everything is on loopback addresses. Ends with 1 when anything went wrong.
 */
import { parseArgs } from "node:util";
import { readTargetUrl } from "../../src/platform/lib/target-url.ts";
import { seededRandom } from "../crash/random.ts";
import { openFields, poisonEnvironment } from "./fields.ts";
import { anyUrl, type Hosts } from "./grammar.ts";
import { startListeners, type Listeners } from "./listeners.ts";
import { compareReadings, outboundTo, localNames } from "./readings.ts";

const { values } = parseArgs({
  options: {
    urls: { type: "string", default: "10000" },
    calls: { type: "string", default: "500" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const allowedNames = ["allowed.test", "a.allowed.test"];
const seed = Number(values.seed);
const random = seededRandom(seed);
const violations: string[] = [];
const say = (name: string, text: string): void => console.log(`${name.padEnd(10)} ${text}`);
say("seed", String(seed));

const listeners = await startListeners();
const { port, allowed, refused } = listeners;
const clean = await poisonEnvironment(refused);
const hosts: Hosts = {
  allowed: [allowed, allowed, ...allowedNames.map((name) => `${name}:${port}`)],
  refused: [refused, refused, `other.test:${refused.split(":")[1]}`],
};
const client = outboundTo(["127.0.0.1", ...allowedNames], localNames(new Set(allowedNames)));
try {
  const texts = Array.from({ length: Number(values.urls) }, () => anyUrl(random, hosts));
  const readings = await compareReadings(texts, client);
  violations.push(...readings.violations);
  say(
    "readings",
    `${readings.texts} texts, ${readings.accepted} accepted, ${readings.texts - readings.accepted} refused`,
  );
  say("two minds", `${readings.disagreements} texts are another host for libcurl than for the usual parser`);
  // With a grammar that nobody disagrees about, the run would show nothing.
  if (readings.disagreements === 0 || readings.accepted === 0) violations.push("the texts show nothing");
  await callFields(Number(values.calls), listeners);
} finally {
  await client.close();
  listeners.close();
  await clean();
}
say("violations", String(violations.length));
for (const violation of violations.slice(0, 50)) console.log(`  ${violation}`);
process.exitCode = violations.length > 0 ? 1 : 0;

async function callFields(count: number, { requests, forbiddenCalls }: Listeners): Promise<void> {
  const fields = await openFields(listeners, client);
  const names = [...fields.byName.keys()];
  let reached = 0;
  try {
    for (let index = 0; index < count; index += 1) {
      const name = names[index % names.length]!;
      const text = anyUrl(random, hosts);
      const before = forbiddenCalls();
      requests.length = 0;
      await fields.byName
        .get(name)?.(text)
        .catch(() => {});
      const shown = `${name} with ${JSON.stringify(text)}`;
      if (forbiddenCalls() > before) violations.push(`${shown} reached the listener that is not allowed`);
      if (requests.length > 0) reached += 1;
      // Some fields trim the text before they read it.
      if (requests.length > 0 && readTargetUrl(text.trim()).url === null && !isPlace(text))
        violations.push(`${shown} was called although it is refused: ${requests[0]}`);
    }
  } finally {
    await fields.close();
  }
  say(
    "calls",
    `${count} over ${names.length} fields; ${reached} reached the allowed listener, ${forbiddenCalls()} the other`,
  );
}

/** `host?owner=…&repo=…`, which is no URL. */
function isPlace(text: string): boolean {
  return text.includes("?owner=") && readTargetUrl(`https://${text.trim()}`).url !== null;
}
