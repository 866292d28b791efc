/** A function stands once: what two files need is in the platform, or in one of the two. */
import { isTest, violationsOf, withoutComments, type SourceFile, type TidyRule } from "./source.ts";

/** Shorter ones may come to the same by chance. */
const minLength = 120;

interface Found {
  path: string;
  line: number;
  name: string;
  /** Without its name and its layout. */
  body: string;
}

const topLevel = /^(?:export )?(?:async )?(?:function\*? (\w+)|const (\w+) = (?:async )?\()/gm;

const functionsOf = ({ path, text }: SourceFile): Found[] => {
  const code = withoutComments(text);
  return [...code.matchAll(topLevel)].map((match) => {
    const name = match[1] ?? match[2] ?? "";
    const whole = /^[\s\S]*?\n(?=\n|(?:export|const|function|async|interface|type|class)\b|$)/.exec(
      code.slice(match.index) + "\n",
    )?.[0];
    const body = (whole ?? "").replace(/^export /, "").replaceAll(new RegExp(`\\b${name}\\b`, "g"), "_");
    const line = code.slice(0, match.index).split("\n").length;
    return { path, line, name, body: body.replaceAll(/\s+/g, " ").trim() };
  });
};

const isProduct = (file: SourceFile): boolean => file.path.startsWith("src/") && !isTest(file);

export const functionsStandOnce: TidyRule = (files) => {
  const found = files.filter(isProduct).flatMap(functionsOf);
  const copies = Map.groupBy(
    found.filter(({ body }) => body.length >= minLength),
    ({ body }) => body,
  );
  return [...copies.values()].flatMap(([first, ...others]) =>
    others.map(({ path, line, name }) => ({
      path,
      line,
      message: `${name} is ${first?.name ?? ""} of ${first?.path ?? ""}:${first?.line ?? 0} again`,
    })),
  );
};

const isRecordByHand = /typeof ([\w.]+) === "object" &&\s+\1 !== null &&\s+!Array\.isArray\(\1\)/g;

export const recordsAreCheckedOnce: TidyRule = (files) =>
  files
    .filter((file) => isProduct(file) && file.path !== "src/platform/lib/is-record.ts")
    .flatMap(({ path, text }) =>
      violationsOf(path, text, {
        pattern: isRecordByHand,
        message: "is isRecord of platform/lib again",
      }),
    );
