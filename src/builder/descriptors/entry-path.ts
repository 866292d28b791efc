import type { ArchiveLimits } from "./archive-limits.ts";

export type EntryPath = { ok: true; segments: string[] } | { ok: false; message: string };

/**
 * Validates the name of an archive entry and splits it. Names are never used to open files, but a name that
 * different readers of the archive would interpret differently is refused.
 */
export const readEntryPath = (
  name: string,
  limits: Pick<ArchiveLimits, "maxPathLength" | "maxPathDepth">,
): EntryPath => {
  const refuse = (message: string): EntryPath => ({ ok: false, message });
  if (name.length > limits.maxPathLength)
    return refuse(`The path is longer than ${limits.maxPathLength} characters.`);
  if (name.includes("\uFFFD")) return refuse("The path is not UTF-8 text.");
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(name)) return refuse("The path holds control characters.");
  if (name.startsWith("/")) return refuse("The path is absolute.");
  if (name.includes("\\")) return refuse("The path holds a backslash.");
  if (/^[A-Za-z]:/.test(name)) return refuse("The path starts with a drive letter.");
  const relative = name.startsWith("./") ? name.slice(2) : name === "." ? "" : name;
  const trimmed = relative.endsWith("/") ? relative.slice(0, -1) : relative;
  if (trimmed === "") return name === "" ? refuse("The path is empty.") : { ok: true, segments: [] };
  const segments = trimmed.split("/");
  if (segments.includes("..")) return refuse("The path climbs out of its directory with `..`.");
  if (segments.some((segment) => segment === "" || segment === "."))
    return refuse("The path has an empty or `.` part.");
  if (segments.length > limits.maxPathDepth)
    return refuse(`The path is deeper than ${limits.maxPathDepth} directories.`);
  return { ok: true, segments };
};

/**
 * Registers names and detects two that would be the same file on a file system that ignores case or Unicode
 * form. Directories may be repeated, files may not.
 */
export const createNameRegister = () => {
  const spelledAs = new Map<string, { spelling: string; isFile: boolean }>();
  /** Registered directories, by exact spelling. Most entries lie in one that is registered already: its name is not folded again. */
  const directories = new Set<string>();
  return {
    /** The problem with the name, or null when it is registered. */
    add(segments: readonly string[], isFile: boolean): string | null {
      let path = "";
      for (const [index, segment] of segments.entries()) {
        path = index === 0 ? segment : `${path}/${segment}`;
        const isFileHere = isFile && index === segments.length - 1;
        if (!isFileHere && directories.has(path)) continue;
        const folded = foldName(path);
        const known = spelledAs.get(folded);
        if (known === undefined) {
          spelledAs.set(folded, { spelling: path, isFile: isFileHere });
          if (!isFileHere) directories.add(path);
        } else if (known.spelling !== path) {
          return `The path is the same as ${known.spelling} apart from case or Unicode form.`;
        } else if (known.isFile || isFileHere) {
          return known.isFile && isFileHere
            ? "The file is in the archive twice."
            : "The path is a file and a directory.";
        }
      }
      return null;
    },
  };
};

const foldName = (name: string): string =>
  // Fast path: nearly every name is ASCII, which only needs lower-casing.
  /^[\u0020-\u007e]*$/.test(name)
    ? name.toLowerCase()
    : name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");

/** A name for messages: control characters escaped, length limited. */
export const showName = (name: string): string => {
  // oxlint-disable-next-line no-control-regex -- control characters are what is replaced
  const visible = name.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, "\uFFFD");
  return visible.length > 200 ? `${visible.slice(0, 200)}…` : visible;
};
