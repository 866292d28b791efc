import { dump } from "js-yaml";
import { builderFailure } from "../../errors.ts";
import type { Action } from "../action.ts";
import { segmentsOf } from "../../workspaces/workspace-path.ts";

const maxBytes = 1024 * 1024;

export const catalogWrite: Action = {
  id: "catalog:write",
  description: "Writes an entity into a catalog-info.yaml of the workspace.",
  supportsDryRun: true,
  staysInWorkspace: true,
  input: {
    type: "object",
    required: ["entity"],
    properties: {
      filePath: { type: "string", minLength: 1, description: "`catalog-info.yaml` unless given." },
      entity: { type: "object", description: "The entity as it is written." },
    },
  },
  async run({ input, workspace, template, signal, say }) {
    const { filePath = "catalog-info.yaml", entity } = input as { filePath?: string; entity: WrittenEntity };
    if (segmentsOf(filePath).length === 0)
      throw builderFailure("BUILDER_ACTION_INPUT", { message: "`filePath` names no file." });
    const annotations = {
      ...entity.metadata?.annotations,
      "backstage.io/source-template": template.entityRef,
    };
    const text = dump(
      { ...entity, metadata: { ...entity.metadata, annotations } },
      { noRefs: true, lineWidth: -1 },
    );
    if (Buffer.byteLength(text) > maxBytes)
      throw builderFailure("BUILDER_ACTION_INPUT", {
        message: `The entity has more than ${maxBytes} bytes.`,
      });
    const file = { path: filePath, content: Buffer.from(text), isExecutable: false };
    const options = { targetPath: "", replace: true, signal };
    await workspace.write({ files: [file], folders: [] }, options);
    say(`Wrote ${filePath}.`);
  },
};

interface WrittenEntity extends Record<string, unknown> {
  metadata?: { annotations?: Record<string, unknown> };
}
