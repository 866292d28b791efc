/** Pages that do what no page may: each has to be found, else nothing that this program says is worth anything. */
import { payloads } from "../support/payloads.ts";
import { startHttpPeer } from "../../support/http-peer.ts";
import { openChromium, type Check, type Outcome } from "./check.ts";
import { policyFaults } from "./policy.ts";
import { watch } from "./watch.ts";

/** What a page has in its body, and a part of what has to be found of it. */
const planted: [body: string, found: string][] = [
  [`<script>payloadRan(1)</script>`, "payload 1 was executed"],
  [`<img src=x onerror="payloadRan(2)">`, "payload 2 was executed"],
  [`<iframe srcdoc="<script>payloadRan(3)</script>"></iframe>`, "payload 3 was executed"],
  [`<img src="//canary.example/4">`, "asked for http://canary.example/4"],
  [`<style>body{background:url(//canary.example/5)}</style>`, "asked for http://canary.example/5"],
  [`<meta http-equiv=refresh content="0;url=http://canary.example/6">`, "asked for http://canary.example/6"],
  [`<script src="/now.js"></script>`, "showed a dialog: 7"],
  [`<a href="java\tscript:payloadRan(8)">x</a>`, "has a with href="],
  [`<p onclick="payloadRan(9)">x</p>`, "has p with onclick="],
  [`<style>p{color:red}</style>`, "has a style without nonce"],
  [`<object data="/nothing"></object>`, "has <object"],
  [`<svg><foreignObject>x</foreignObject></svg>`, "has <foreignObject"],
  [`<form action="//canary.example/13"></form>`, "has <form"],
  [`<script src="/window.js"></script>`, "opened a window"],
  [`<svg><use href="data:image/svg+xml,x#x"/></svg>`, "has <use"],
  [`<base href="//canary.example/16">`, "has <base"],
  [`<script src="/throw.js"></script>`, "has an error: thrown"],
];
const scripts: Record<string, string> = {
  "/now.js": "alert(7)",
  "/window.js": "open('/none')",
  "/throw.js": "throw new Error('thrown')",
};
const tellsAll = "/as-text";

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

async function run(): Promise<{
  found: Map<string, ReadonlySet<string>>;
  shown: number;
  quiet: readonly string[];
}> {
  const peer = await startHttpPeer(({ url = "/" }, response) => {
    const script = scripts[url];
    const type = script === undefined ? "text/html; charset=utf-8" : "text/javascript";
    const body =
      url === tellsAll
        ? payloads.map((text) => `<p title="${escaped(text)}">${escaped(text)}</p>`).join("")
        : (planted[Number(url.slice(1))]?.[0] ?? "");
    response
      .writeHead(200, { "content-type": type })
      .end(script ?? `<!doctype html><link rel=icon href="data:,"><title>x</title><h1>x</h1>${body}`);
  });
  const browser = await openChromium();
  const open = async (path: string) => {
    const context = await browser.context();
    const watched = await watch(context, peer.url);
    await watched.page.goto(peer.url + path, { waitUntil: "load" });
    // What goes away does so when the page is there.
    await watched.page.waitForTimeout(300);
    const shown = await watched.look().catch(() => new Set<number>());
    await context.close();
    return { findings: watched.findings, shown };
  };
  try {
    const found = new Map<string, ReadonlySet<string>>();
    for (const [index, [body]] of planted.entries()) found.set(body, (await open(`/${index}`)).findings);
    const { findings, shown } = await open(tellsAll);
    return { found, shown: shown.size, quiet: [...findings] };
  } finally {
    await browser.close();
    await peer.close();
  }
}

export const selfCheck: Check = {
  name: "self-check",
  async run(): Promise<Outcome> {
    const { found, shown, quiet } = await run();
    const findings = planted
      .filter(([body, part]) => ![...(found.get(body) ?? [])].some((each) => each.includes(part)))
      .map(
        ([body, part]) => `of ${body} is not found "${part}", but ${[...(found.get(body) ?? [])].join("; ")}`,
      );
    if (quiet.length > 0) findings.push(`payloads that are text were taken for more: ${quiet.join("; ")}`);
    if (shown !== payloads.length)
      findings.push(`of ${payloads.length} payloads that are text, ${shown} were seen`);
    const without = policyFaults(new Headers());
    if (without.length === 0) findings.push("a page without policy has no fault");
    return {
      lines: [
        `${planted.length - findings.length} of ${planted.length} planted faults found; ${shown} payloads as text taken as text; ` +
          `${without.length} faults of a page without policy.`,
      ],
      findings,
    };
  },
};

/** The same pages, as if they were the console's: ends with 1. */
export const plantedFaults: Check = {
  name: "planted",
  async run(): Promise<Outcome> {
    const { found } = await run();
    return {
      lines: [],
      findings: [...found].flatMap(([body, each]) => [...each].map((what) => `${body}: ${what}`)),
    };
  },
};
