/** `plinth audit verify`: of a server, page by page, or of the lines of an export. */
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { callServer, type Server } from "../client/http.ts";
import { printJson, printLines, type Cli } from "../context.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { serverOf, type ServerOptions } from "../options.ts";
import { count, oneLine } from "../print/text.ts";
import { createLineCheck, type Findings, type Problem } from "./check-lines.ts";

export interface VerifyOptions extends ServerOptions {
  file?: string;
  anchor?: string;
}

interface Chain {
  chain: string;
  seq: number;
  hash: string;
  open: { rows: number };
}

interface Page {
  checked: number;
  problems: Problem[];
  next: number | null;
}

const path = "/api/coordinator/v1/audit/chains";
/** Further ones are counted only. */
const maxShown = 100;

export async function verifyChains(cli: Cli, options: VerifyOptions): Promise<number> {
  if (options.file !== undefined && options.anchor !== undefined)
    throw inputFailure("Give either --file or --anchor.", { where: "--anchor" });
  const found =
    options.file === undefined
      ? await verifyServer(serverOf(cli, options), anchorOf(options.anchor))
      : await verifyFile(cli, options.file);
  if (options.json) printJson(cli.out, { chains: found });
  else printLines(cli.out, found.flatMap(linesOf));
  return found.every(({ problemCount }) => problemCount === 0) ? exitCodes.ok.code : exitCodes.findings.code;
}

function anchorOf(text: string | undefined): { chain: string; place: string } | undefined {
  if (text === undefined) return undefined;
  const [, chain, place] = /^(platform|governance):(\d{1,15}:[0-9a-fA-F]{64})$/.exec(text) ?? [];
  if (chain !== undefined && place !== undefined) return { chain, place };
  throw inputFailure(
    "--anchor must be a chain, a place and 64 hexadecimal digits, such as platform:1200:9f86….",
    {
      where: "--anchor",
    },
  );
}

async function verifyServer(
  server: Server,
  anchor: { chain: string; place: string } | undefined,
): Promise<Findings[]> {
  const { body } = await callServer<{ data: Chain[] }>(server, { method: "GET", path });
  const all: Findings[] = [];
  for (const { chain, seq, hash, open } of body.data) {
    const found: Findings = {
      chain,
      checked: 0,
      open: open.rows,
      end: `${seq}:${hash}`,
      problems: [],
      problemCount: 0,
    };
    let after: number | null = 0;
    while (after !== null) {
      const query = {
        after: String(after),
        anchor: after === 0 && anchor?.chain === chain ? anchor.place : undefined,
      };
      const page: Page = await readPage(server, chain, query);
      found.checked += page.checked;
      found.problemCount += page.problems.length;
      found.problems.push(...page.problems.slice(0, maxShown - found.problems.length));
      after = page.next;
    }
    all.push(found);
  }
  return all;
}

async function readPage(
  server: Server,
  chain: string,
  query: { after: string; anchor: string | undefined },
): Promise<Page> {
  const call = { method: "GET", path: `${path}/${encodeURIComponent(chain)}/verification`, query } as const;
  return (await callServer<Page>(server, call)).body;
}

async function verifyFile(cli: Cli, file: string): Promise<Findings[]> {
  const check = createLineCheck(maxShown);
  const input = createReadStream(resolve(cli.cwd, file), { signal: cli.signal });
  const opened = new Promise<void>((done, fail) => input.once("open", () => done()).once("error", fail));
  await opened.catch((cause: NodeJS.ErrnoException) => {
    throw inputFailure(`Cannot read ${file} (${cause.code}).`, { where: "--file", cause });
  });
  let number = 0;
  for await (const line of createInterface({ input })) {
    number += 1;
    if (line.trim() === "") continue;
    if (!check.take(line))
      throw inputFailure(`Line ${number} of ${file} is no line of an export.`, { where: "--file" });
  }
  return check.findings();
}

function linesOf({ chain, checked, open, end, problems, problemCount }: Findings): string[] {
  const rest = problemCount - problems.length;
  const verdict = problemCount === 0 ? "nothing was changed" : count(problemCount, "problem");
  const notSealed = open === 0 ? "" : `, ${count(open, "row")} not sealed yet`;
  return [
    `${oneLine(chain)}: ${count(checked, "row")} verified${notSealed}: ${verdict}.`,
    ...(end === null ? [] : [`  ends at ${oneLine(chain)}:${oneLine(end)}`]),
    ...problems.map(
      ({ kind, seq, id, message }) =>
        `  ${oneLine(kind)}${seq === null ? "" : ` at place ${seq}`}${id === null ? "" : ` (row ${id})`}: ${oneLine(message)}`,
    ),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}
