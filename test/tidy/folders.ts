/** How the areas are divided: few folders, of which each can be read in one sitting. */
import { isTest, type TidyRule, type Violation } from "./source.ts";

const areas = ["builder", "assistant", "coordinator", "governance", "data-layer", "auth"] as const;
const maxFiles = 12;
/** Maximum of all areas together: 21 and 45 before governance came, 28 and 60 before the data layer with its three, 31 and 65 before scheduled operations, 32 and 69 before retention, 33 and 71 before tokens with their three, 36 and 74 before notices, 36 and 77 before what the console reads and the search over everything. */
const maxDirect = 37;
const maxInAll = 81;

const isInArea = (path: string): boolean => areas.some((area) => path.startsWith(`src/${area}/`));

/** Tests aside, a folder of an area has few files. */
export const foldersAreSmall: TidyRule = (files) => {
  const own = files.filter((file) => isInArea(file.path) && !isTest(file));
  const byFolder = Map.groupBy(own, ({ path }) => path.slice(0, path.lastIndexOf("/")));
  return [...byFolder].flatMap(([path, { length }]) =>
    length > maxFiles
      ? [{ path, line: 1, message: `has ${length} files; a folder has at most ${maxFiles}, tests aside` }]
      : [],
  );
};

/** The areas have few folders: those directly below them, and all of them. A number here only becomes less. */
export const foldersAreFew: TidyRule = (files) => {
  const folders = new Set(
    files
      .filter(({ path }) => isInArea(path) && path.endsWith(".ts"))
      .flatMap(({ path }) => {
        const parts = path.split("/").slice(0, -1);
        return parts.slice(2).map((_, depth) => parts.slice(0, depth + 3).join("/"));
      }),
  );
  const direct = [...folders].filter((folder) => folder.split("/").length === 3).length;
  const over = (count: number, max: number, where: string): Violation[] =>
    count > max
      ? [{ path: "src", line: 1, message: `the areas have ${count} folders ${where}; at most ${max}` }]
      : [];
  return [...over(direct, maxDirect, "directly below them"), ...over(folders.size, maxInAll, "in all")];
};
