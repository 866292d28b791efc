import multipart from "@fastify/multipart";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import { builderFailure } from "../errors.ts";
import { readUpload } from "./read-upload.ts";
import { buildAnswer, buildForm } from "./schema.ts";
import { describeUnpacked, type DescriptorDeps } from "./service.ts";

/** Builds at one time; each holds up to `maxKeptBytes` of files. */
const maxParallelBuilds = 16;
const busyRetrySeconds = 2;

/** Adds `POST /descriptor`. */
export const addDescriptorRoutes = async (app: AreaApp, deps: DescriptorDeps): Promise<void> => {
  await app.fastify.register(multipart, { throwFileSizeLimit: false });
  let running = 0;
  route(app, {
    id: "buildDescriptor",
    method: "POST",
    path: "/descriptor",
    summary: "Build a descriptor from an archive",
    description:
      "Resolves the entities of an archive for one environment into the descriptor of their system. Each warning is a " +
      "sentence in the header x-plinth-warning.",
    tags: ["descriptors"],
    rule: "buildDescriptor",
    upload: buildForm,
    response: { 200: buildAnswer },
    async handler(ctx, { raw, reply }) {
      if (running >= maxParallelBuilds) {
        throw builderFailure("BUILDER_BUSY", {
          message: `${maxParallelBuilds} descriptors are being built already.`,
          retryAfterSeconds: busyRetrySeconds,
        });
      }
      running += 1;
      try {
        const upload = await readUpload(ctx, raw, deps);
        const { json, warnings } = await describeUnpacked(ctx, upload, deps);
        if (warnings.length > 0) reply.header("x-plinth-warning", toHeader(warnings));
        reply.sendJson(Buffer.concat([Buffer.from('{"descriptor":'), json, Buffer.from("}")]));
      } finally {
        running -= 1;
      }
    },
  });
};

/** Warnings as one header value: printable ASCII, bounded, separated by ` | `. */
const toHeader = (warnings: readonly string[]): string => {
  const shown = warnings
    .slice(0, 10)
    .map((warning) => warning.replace(/[^\u0020-\u007e]/g, "?").slice(0, 300));
  const more = warnings.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(" | ");
};
