/** Two reads of the console under one key would get each other's answer out of the cache, in a shape that they do not know. */
import { withoutComments, type TidyRule } from "./source.ts";

/** The key of a read: what only invalidates has no function beside it. */
const readKey = /queryKey: (\[[^\]]*\]|keys\.\w+),(?=\s*(?:\w+:[^\n]*\n\s*){0,4}queryFn)/g;

export const queriesHaveTheirOwnKeys: TidyRule = (files) => {
  const found = files
    .filter(({ path }) => path.startsWith("console/src/"))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text);
      return [...code.matchAll(readKey)].map(({ index, 1: key = "" }) => ({
        path,
        line: code.slice(0, index).split("\n").length,
        // What a name stands for is not seen: the same one by another name is the same key.
        shape: key.replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, "()").replaceAll(/,\s*[a-z]\w*/g, ", _"),
      }));
    });
  return [...Map.groupBy(found, ({ shape }) => shape).values()].flatMap(([first, ...others]) =>
    others.map(({ path, line, shape }) => ({
      path,
      line,
      message: `reads under the key ${shape} of ${first?.path}:${first?.line}; one key is one read`,
    })),
  );
};
