import { listSome } from "../../platform/lib/list-some.ts";
import type { Action, ActionContext } from "./action.ts";
import { readSource, shownAddress } from "../git/read-source.ts";
import type { Tree } from "../instantiations/workspaces/tree.ts";
import { builderFailure } from "../errors.ts";

export const urlInput = {
  type: "string",
  minLength: 1,
  maxLength: 2_000,
  description:
    "Relative to the template's own file, or an http(s) address: of a file, a .tar.gz, a git repository, or a folder or file in one as its host shows it.",
};

export const tokenInput = {
  type: "string",
  description: "Sent to the host instead of the configured token; give it as a secret.",
};

export const fetchPlain: Action = {
  id: "fetch:plain",
  description: "Copies files into the workspace as they are.",
  supportsDryRun: true,
  staysInWorkspace: true,
  input: {
    type: "object",
    required: ["url"],
    properties: {
      url: urlInput,
      targetPath: {
        type: "string",
        description: "Folder in the workspace; the workspace itself unless given.",
      },
      token: tokenInput,
    },
  },
  async run(ctx) {
    const { workspace, signal, input, say } = ctx;
    const tree = await fetchTree(ctx);
    const targetPath = (input["targetPath"] as string | undefined) ?? "";
    const written = await workspace.write(tree, { targetPath, replace: true, signal });
    say(`Wrote ${written} files.`);
  },
};

export const fetchPlainFile: Action = {
  id: "fetch:plain:file",
  description: "Copies one file into the workspace as it is.",
  supportsDryRun: true,
  staysInWorkspace: true,
  input: {
    type: "object",
    required: ["url", "targetPath"],
    properties: {
      url: urlInput,
      targetPath: { type: "string", minLength: 1, description: "Path of the file in the workspace." },
      token: tokenInput,
    },
  },
  async run(ctx) {
    const { workspace, signal, say } = ctx;
    const tree = await fetchFile(ctx);
    await workspace.write(tree, { targetPath: "", replace: true, signal });
    say(`Wrote ${tree.files[0]?.path ?? ""}.`);
  },
};

export async function fetchTree(ctx: ActionContext): Promise<Tree> {
  const { deps, input, signal, now, template, say } = ctx;
  const url = input["url"] as string;
  const token = input["token"] as string | undefined;
  say(`Fetching ${shownAddress(url)}`);
  const tree = await readSource(url, { deps, baseUrl: template.baseUrl, token, signal, now });
  const { skipped } = tree;
  if (skipped.length > 0) {
    say(`Left out, because only files and folders are copied: ${listSome(skipped, 5)}`, "WARNING");
  }
  return tree;
}

/** Fetches the one file at `url`, as a tree that holds it under `targetPath`. Rejects where `url` is a folder. */
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
