/** The format of suite files. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CORE_SCHEMA, load } from "js-yaml";
import { Type, type Static } from "typebox";
import { createChecker, asInput } from "../../platform/http/input/check-input.ts";
import { Failure } from "../../platform/errors/failure.ts";
import type { Cli } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";

const name = Type.String({ minLength: 1, maxLength: 255 });
const names = Type.Array(name, { maxItems: 100, default: [] });
const limit = Type.Optional(Type.Number({ minimum: 0 }));
const timeLimit = { exclusiveMinimum: 0, maximum: 86_400 };
const strict = { additionalProperties: false };

const call = Type.Union([
  name,
  Type.Object({ tool: name, arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown())) }, strict),
]);

const suiteCase = Type.Object(
  {
    name,
    prompt: Type.String({ minLength: 1, maxLength: 10_000 }),
    agent: Type.Optional(name),
    page_context: Type.Optional(Type.String()),
    approve: names,
    time_limit_seconds: Type.Optional(Type.Number(timeLimit)),
    expect: Type.Object(
      {
        tools: Type.Array(call, { maxItems: 100, default: [] }),
        never: names,
        skills: names,
        agents: names,
        answer: Type.Optional(Type.String()),
        budget: Type.Object(
          { tool_calls: limit, tokens: limit, cost: limit, seconds: limit },
          { ...strict, default: {} },
        ),
      },
      { ...strict, default: {} },
    ),
  },
  strict,
);
export type SuiteCase = Static<typeof suiteCase> & { time_limit_seconds: number };

const usualTimeLimit = 600;

const suite = Type.Object(
  {
    cases: Type.Array(suiteCase, { minItems: 1, maxItems: 1_000 }),
    /** Default for cases without a limit of their own. */
    time_limit_seconds: Type.Number({ ...timeLimit, default: usualTimeLimit }),
  },
  strict,
);

const check = createChecker().compile("body", asInput(suite));

export async function readSuite(cli: Cli, file: string): Promise<SuiteCase[]> {
  const text = await readFile(resolve(cli.cwd, file), "utf8").catch((cause: unknown) => {
    throw inputFailure(`There is no file ${file}.`, { cause });
  });
  let value: unknown;
  try {
    value = load(text, { schema: CORE_SCHEMA, maxDepth: 50 });
  } catch (cause) {
    throw inputFailure(`${file} is no YAML: ${(cause as Error).message.split("\n")[0]}`, { cause });
  }
  const problems = check(value);
  if (problems.length === 0) {
    const { cases, time_limit_seconds: usual } = value as Static<typeof suite>;
    for (const { expect, name: of } of cases) refuseBadPattern(expect.answer, of);
    return cases.map((each) => ({ ...each, time_limit_seconds: each.time_limit_seconds ?? usual }));
  }
  throw new Failure({ kind: "invalid", code: "CLI_INPUT", message: `${file} is no suite.`, problems });
}

function refuseBadPattern(pattern: string | undefined, of: string): void {
  try {
    "".search(new RegExp(pattern ?? "", "iu"));
  } catch (cause) {
    throw inputFailure(`The answer that ${of} expects is no regular expression.`, { cause });
  }
}
