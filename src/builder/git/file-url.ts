/** Pure: the address of a local folder in the form that is shown, compared and passed to git. */
import { fileURLToPath, pathToFileURL } from "node:url";

/** `file:///folder` in its canonical form; null when it has a host or no valid path. */
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
