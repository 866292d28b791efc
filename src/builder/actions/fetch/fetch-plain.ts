import type { Action } from "../action.ts";
import { fetchFile, fetchTree, tokenInput, urlInput } from "./fetch-files.ts";

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
