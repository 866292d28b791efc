/** State of modules: what one part of a process has put there, every other part of it finds. */
import { isTest, withoutComments, type TidyRule, type Violation } from "./source.ts";

/**
 * The variables of modules that may change, each with its reason. State that belongs to a database, a server or a
 * configuration belongs into what is created for that; none of it is here.
 */
export const allowedModuleState: Record<string, string> = {
  // The program of a process of its own: the module is the process.
  "src/cli/command-process.ts hangups": "program",
  "src/cli/command-process.ts interruptedAt": "program",
  "src/cli/command-process.ts lines": "program",
  "src/cli/command-process.ts toForce": "program",
  "src/builder/actions/modules/module-process.ts onMessage": "program",
  // What the process has once: its event loop, its memory, its child processes.
  "src/platform/lib/zoned-time.ts formats": "a cache",
  "src/platform/lib/files/small-files.ts sliceBeganAt": "of the event loop",
  "src/platform/worker-pool/time-limit.ts current": "of the thread; set and used without a pause in between",
  "src/builder/templates/engine/render.ts runState":
    "of the thread; set before each rendering, without a pause in between",
  "src/builder/instantiations/dry-run.ts underWay": "bounds the memory of the process",
  "src/builder/catalogue/locations/service.ts readings": "bounds the memory of the process",
  "src/builder/git/own-repository.ts running": "bounds the child processes of the process",
  "src/platform/telemetry/process-metrics.ts registry": "of the process: its memory, its CPU, its event loop",
  // What follows from the key, or from nothing, alone, and would come out the same anywhere.
  "src/platform/config/settings-validator.ts compiled": "made of a constant",
  "src/platform/telemetry/trace.ts used": "random bytes, each used once",
  "src/assistant/retrieval/phrases/phrase-index.ts made": "made of a constant",
  "src/assistant/retrieval/phrases/asked-as.ts lastRead": "a shipped file",
  "src/assistant/retrieval/phrases/asked-as.ts version": "of a shipped file",
  "src/assistant/protocols/a2a/methods.ts checker": "made of a constant",
  "src/assistant/protocols/a2a/methods.ts checks": "by schema",
  "src/assistant/runs/approvals/check-arguments.ts checks": "by schema",
  "src/builder/instantiations/running/step-context.ts checks": "by action",
  "src/builder/instantiations/running/drive.ts usesUser": "by plan",
  "src/builder/templates/check-values.ts compiledSets":
    "by the hash of the template, in a thread that renders",
  "src/builder/templates/engine/render.ts engines": "of the thread; made before its first job",
  "src/builder/templates/engine/render.ts filterVerdicts": "by name; the engine is a constant",
  "src/builder/templates/defaults.ts relaxed": "by schema",
  "src/adapters/mock/odd-answers.ts bombBody": "made of a constant",
  "src/platform/lib/secrets/secret-names.ts verdicts": "by name",
  "src/governance/engines/cel/patterns.ts patterns": "by the text of the pattern",
  "src/governance/engines/cel/functions/times.ts clocks": "by the name of the time zone",
};

const declared = /^(?:export\s+)?(let|var|const)\s+(\w+)(?:\s*:\s*([^=\n]+))?\s*(?:=\s*([^\n]*))?/gm;
/** Made with nothing in it, so something is put there later. */
const empty = /^new (?:Map|Set|WeakMap|WeakSet|Array)(?:<.*>)?\(\s*\)|^\[\s*\]|^\{\s*\}/;

/** Where a regular expression goes on (`lastIndex`) is set before each use. */
const isChanged = (name: string, code: string): boolean =>
  new RegExp(
    String.raw`\b${name}\.(?:(?:set|add|delete|clear|push|unshift|pop|shift|splice)\(|(?!lastIndex\b)\w+\s*(?:[-+*/|&?]|\?\?|\|\|)?=(?![=>])|\w+(?:\+\+|--))|\b${name}\[[^\]]*\]\s*(?:\?\?)?=(?!=)|\bObject\.assign\(${name}\b`,
  ).test(code);

const isReadonly = (type: string | undefined): boolean => /\breadonly\b|Readonly/i.test(type ?? "");

/** Refuses variables at the top of a module that may change, but for those that are allowed with a reason. */
export const noModuleState =
  (allowed: Readonly<Record<string, string>> = allowedModuleState): TidyRule =>
  (files) =>
    files
      .filter(
        (file) => /^src\/.*\.tsx?$/.test(file.path) && !isTest(file) && !file.path.endsWith("fixtures.ts"),
      )
      .flatMap(({ path, text }) => {
        const code = withoutComments(text);
        return [...code.matchAll(declared)].flatMap((match): Violation[] => {
          const [, kind, name = "", type, value = ""] = match;
          const holds = kind !== "const" || (empty.test(value) && !isReadonly(type));
          if (!holds && !isChanged(name, code)) return [];
          if (Object.hasOwn(allowed, `${path} ${name}`)) return [];
          const line = code.slice(0, match.index).split("\n").length;
          const message = `${name} is state of the module: put it into what is created, or allow it with a reason`;
          return [{ path, line, message }];
        });
      });

/** Allowances that nothing needs any more. */
export const unusedAllowances: TidyRule = (files) => {
  const found = new Set(
    noModuleState({})(files).map(({ path, message }) => `${path} ${message.split(" ")[0]}`),
  );
  return Object.keys(allowedModuleState)
    .filter((each) => !found.has(each))
    .map((each) => ({ path: each, line: 1, message: "is allowed but is not there" }));
};
