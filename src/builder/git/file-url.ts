/** Pure: the address of a folder of this machine, as it is shown, compared and given to git. */
import { fileURLToPath, pathToFileURL } from "node:url";

/** `file:///folder` in its one spelling; null for any other host than none, and for what a path can't be read from. */
export function readFileUrl(text: string): string | null {
  if (!/^file:\/\/\//i.test(text) || /[?#\\]|[\p{C}\p{Z}]/u.test(text)) return null;
  const url = URL.parse(text);
  if (url === null || url.hostname !== "") return null;
  try {
    return pathToFileURL(fileURLToPath(url)).href;
  } catch {
    return null;
  }
}
