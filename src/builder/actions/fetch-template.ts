import { builderFailure } from "../errors.ts";
import type { Tree } from "../git/tree.ts";
import type { Action, ActionContext } from "./action.ts";
import { addParameters } from "./entity-parameters.ts";
import { extensionOf, renderTree } from "./render-tree.ts";
import { listSome } from "../../platform/lib/list-some.ts";
import { readSource, shownAddress } from "../git/read-source.ts";

const urlInput = {
  type: "string",
  minLength: 1,
  maxLength: 2_000,
  description:
    "Relative to the template's own file, or an http(s) address: of a file, a .tar.gz, a git repository, or a folder or file in one as its host shows it.",
};

const tokenInput = {
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

async function fetchTree(ctx: ActionContext): Promise<Tree> {
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
async function fetchFile(ctx: ActionContext): Promise<Tree> {
  const { files, folders } = await fetchTree(ctx);
  const [file] = files;
  if (file === undefined || files.length > 1 || folders.length > 0 || file.path.includes("/")) {
    throw builderFailure("BUILDER_ACTION_INPUT", {
      message: `"${shownAddress(ctx.input["url"] as string)}" is not one file.`,
    });
  }
  return { files: [{ ...file, path: ctx.input["targetPath"] as string }], folders: [], skipped: [] };
}

/** Inputs of both actions. */
const shared = {
  url: urlInput,
  values: { type: "object", description: "What the files see as `values`." },
  replace: { type: "boolean", default: false, description: "Whether existing files are overwritten." },
  trimBlocks: {
    type: "boolean",
    default: false,
    description: "Removes the line break after a block tag.",
  },
  lstripBlocks: {
    type: "boolean",
    default: false,
    description: "Removes the indentation before a block tag.",
  },
  cookiecutterCompat: {
    type: "boolean",
    default: false,
    description: "Whether the files are written for cookiecutter: `{{ cookiecutter.name }}`.",
  },
  token: tokenInput,
};

const patterns = {
  type: "array",
  maxItems: 1_000,
  items: { type: "string", minLength: 1, maxLength: 1_000 },
};

export const fetchTemplate: Action = {
  id: "fetch:template",
  description:
    "Copies a skeleton into the workspace and renders its files and their names. A file that begins with %SKELETON is copied as it is; the `parameters.yaml` beside such an entity gets the parameters and the `values`.",
  supportsDryRun: true,
  staysInWorkspace: true,
  input: {
    type: "object",
    required: ["url"],
    properties: {
      ...shared,
      targetPath: {
        type: "string",
        description: "Folder in the workspace; the workspace itself unless given.",
      },
      copyWithoutTemplating: {
        ...patterns,
        description:
          "Patterns (`*`, `**`, `?`) of files that are copied as they are; their names are rendered.",
      },
      copyWithoutRender: {
        ...patterns,
        description: "As `copyWithoutTemplating`, but the names stay as they are too.",
      },
      templateFileExtension: {
        type: ["boolean", "string"],
        description: "Only files with this extension are rendered, and lose it; true stands for `.njk`.",
      },
    },
  },
  async run(ctx) {
    const { input } = ctx;
    const copyOnly = input["copyWithoutTemplating"] ?? input["copyWithoutRender"];
    const extension = extensionOf(input["templateFileExtension"] as string | boolean | undefined);
    if (input["copyWithoutTemplating"] !== undefined && input["copyWithoutRender"] !== undefined)
      throw refuse("`copyWithoutTemplating` and `copyWithoutRender` cannot be given together.");
    if (extension !== null && (copyOnly !== undefined || input["cookiecutterCompat"] === true))
      throw refuse(
        "`templateFileExtension` and `copyWithoutTemplating` or `cookiecutterCompat` cannot be given together.",
      );
    const { tree, asTheyAre } = await addParameters(await fetchTree(ctx), ctx, extension);
    const rendered = await renderTree(tree, ctx, {
      copyOnly: (copyOnly as string[] | undefined) ?? [],
      rendersCopiedNames: input["copyWithoutRender"] === undefined,
      extension,
      asTheyAre,
    });
    await write(rendered, ctx, (input["targetPath"] as string | undefined) ?? "");
  },
};

export const fetchTemplateFile: Action = {
  id: "fetch:template:file",
  description: "Copies one file into the workspace and renders it.",
  supportsDryRun: true,
  staysInWorkspace: true,
  input: {
    type: "object",
    required: ["url", "targetPath"],
    properties: {
      ...shared,
      targetPath: { type: "string", minLength: 1, description: "Path of the file in the workspace." },
    },
  },
  async run(ctx) {
    const { tree, asTheyAre } = await addParameters(await fetchFile(ctx), ctx, null);
    const options = {
      copyOnly: [],
      rendersCopiedNames: true,
      extension: null,
      rendersNames: false,
      asTheyAre,
    };
    await write(await renderTree(tree, ctx, options), ctx, "");
  },
};

async function write(tree: Tree, ctx: ActionContext, targetPath: string): Promise<void> {
  const { workspace, signal, input, say } = ctx;
  const written = await workspace.write(tree, { targetPath, replace: input["replace"] === true, signal });
  const skipped = tree.files.length - written;
  say(
    `Wrote ${written} files.${skipped === 0 ? "" : ` ${skipped} were there already and stayed as they are.`}`,
  );
}

const refuse = (message: string) => builderFailure("BUILDER_ACTION_INPUT", { message });
