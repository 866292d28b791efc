/** Shared by the four fetch actions: their common inputs, and reading what `url` points to. */
import { readSource, shownAddress } from "../../git/read-source.ts";
import type { Tree } from "../../git/tree.ts";
import { builderFailure } from "../../errors.ts";
import type { ActionContext } from "../action.ts";

export const urlInput = {
  type: "string",
  minLength: 1,
  maxLength: 2_000,
  description:
    "Relative to the template's own file, or an http(s) address: of a file, a .tar.gz, a git repository, or a folder or file in one as its host shows it.",
};

export const tokenInput = {
  type: "string",
  description: "Shown to the host instead of the configured token; give it as a secret.",
};

export async function fetchTree(ctx: ActionContext): Promise<Tree> {
  const { deps, input, signal, now, template, say } = ctx;
  const url = input["url"] as string;
  const token = input["token"] as string | undefined;
  say(`Fetching ${shownAddress(url)}`);
  const tree = await readSource(url, { deps, baseUrl: template.baseUrl, token, signal, now });
  const { skipped } = tree;
  if (skipped.length > 0) {
    const names = skipped.slice(0, 5).join(", ");
    const more = skipped.length > 5 ? ` and ${skipped.length - 5} more` : "";
    say(`Left out, because only files and folders are copied: ${names}${more}`, "WARNING");
  }
  return tree;
}

/** The single file that `url` points to, named `targetPath`. */
export async function fetchFile(ctx: ActionContext): Promise<Tree> {
  const { files, folders } = await fetchTree(ctx);
  const [file] = files;
  if (file === undefined || files.length > 1 || folders.length > 0 || file.path.includes("/")) {
    throw builderFailure("BUILDER_ACTION_INPUT", {
      message: `"${shownAddress(ctx.input["url"] as string)}" is not one file.`,
    });
  }
  return { files: [{ ...file, path: ctx.input["targetPath"] as string }], folders: [], skipped: [] };
}
