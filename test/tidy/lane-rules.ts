/** A test's name says in which lane it runs; what it uses says whether that is right. */
import { importsOf, isTest, type SourceFile, type TidyRule } from "./source.ts";
import { codeRule } from "./text-rules.ts";

const databaseFile = "test/support/database.ts";
/** What starts programs of ours. */
const programFiles = ["test/crash/processes.ts", "test/assistant/runs/victim.ts"];

/** `spawn` has the rules of `unit`. */
const laneOf = (path: string): string => /\.(db|slow|nightly)\.test\.ts$/.exec(path)?.[1] ?? "unit";

export const testsFitTheirLane: TidyRule = (files) => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return files
    .filter(({ path }) => path.endsWith(".test.ts"))
    .flatMap((file) => {
      const used = usedBy(file, byPath);
      const message = refusal(laneOf(file.path), {
        hasDatabase: used.has(databaseFile),
        hasPrograms: programFiles.some((each) => used.has(each)),
      });
      return message === undefined ? [] : [{ path: file.path, line: 1, message }];
    });
};

const refusal = (
  lane: string,
  { hasDatabase, hasPrograms }: { hasDatabase: boolean; hasPrograms: boolean },
): string | undefined => {
  if (lane === "slow" || lane === "nightly") return undefined;
  if (hasPrograms) return "a test that starts programs of ours ends with .slow.test.ts";
  if (lane === "unit" && hasDatabase) return "a test with a database ends with .db.test.ts";
  if (lane === "db" && !hasDatabase) return "a test without a database does not end with .db.test.ts";
  return undefined;
};

/** Everything that a test imports, by way of other test files too. */
function usedBy(file: SourceFile, files: ReadonlyMap<string, SourceFile>): Set<string> {
  const used = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { target } of importsOf(next)) {
      if (target === undefined || used.has(target)) continue;
      used.add(target);
      const imported = files.get(target);
      if (imported && isTest(imported)) open.push(imported);
    }
  }
  return used;
}

const message = "a test changes nothing for all of its process";

const lastingChanges = codeRule(isTest, {
  pattern: /\bvi\.(?:mock|doMock|stub\w+|resetModules)\(|\bprocess\.(?:chdir|umask)\(/g,
  message,
});

const timersThatStay = codeRule((file) => isTest(file) && !file.text.includes("vi.useRealTimers("), {
  pattern: /\bvi\.useFakeTimers\(/g,
  message,
});

/** Files of a lane share their processes: what one of them changes for all of its process, the next ones find. */
export const testsLeaveTheirProcess: TidyRule = (files) => [
  ...lastingChanges(files),
  ...timersThatStay(files),
];
