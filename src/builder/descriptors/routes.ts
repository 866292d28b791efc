import type { FastifyReply } from "fastify";
import { acceptForms } from "../../platform/http/input/multipart.ts";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { BuilderExtra } from "../context.ts";
import { builderFailure } from "../errors.ts";
import { previewDescriptor } from "./preview.ts";
import { readUpload } from "./read-upload.ts";
import { buildAnswer, buildForm, previewBody } from "./schema.ts";
import { describeUnpacked, type BuiltDescriptor, type DescriptorDeps } from "./service.ts";

/** Concurrent builds; each holds up to `maxKeptBytes` of files. */
const maxParallelBuilds = 16;
const busyRetrySeconds = 2;

/** Adds `POST /descriptor` and `POST /descriptor/preview`. */
export const addDescriptorRoutes = async (
  app: AreaApp<BuilderExtra>,
  deps: DescriptorDeps,
): Promise<void> => {
  await acceptForms(app.fastify);
  let running = 0;
  const limitBuilds = async (reply: FastifyReply, build: () => Promise<BuiltDescriptor>): Promise<void> => {
    if (running >= maxParallelBuilds) {
      throw builderFailure("BUILDER_BUSY", {
        message: `${maxParallelBuilds} descriptors are being built already.`,
        retryAfterSeconds: busyRetrySeconds,
      });
    }
    running += 1;
    try {
      const { json, warnings } = await build();
      if (warnings.length > 0) reply.header("x-plinth-warning", toHeader(warnings));
      reply.sendJson(Buffer.concat([Buffer.from('{"descriptor":'), json, Buffer.from("}")]));
    } finally {
      running -= 1;
    }
  };
  route(app, {
    id: "buildDescriptor",
    method: "POST",
    path: "/descriptor",
    summary: "Build a descriptor from an archive",
    description:
      "Resolves the entities of an archive for one environment into the descriptor of their system. Each warning is a " +
      "sentence in the header x-plinth-warning.",
    tags: ["Descriptors"],
    rule: "buildDescriptor",
    upload: buildForm,
    response: { 200: buildAnswer },
    handler: (ctx, { raw, reply }) =>
      limitBuilds(reply, async () => describeUnpacked(ctx, await readUpload(ctx, raw, deps), deps)),
  });
  route(app, {
    id: "previewDescriptor",
    method: "POST",
    path: "/descriptor/preview",
    summary: "Build a descriptor from the catalogue",
    description:
      "Resolves a system and the components that are part of it, as the catalogue last read them, into a descriptor. The " +
      "same files in an archive give the same descriptor. Each warning is a sentence in the header x-plinth-warning.",
    tags: ["Descriptors"],
    rule: "buildDescriptor",
    body: previewBody,
    response: { 200: buildAnswer },
    errors: [404],
    handler: (ctx, { body, reply }) => limitBuilds(reply, () => previewDescriptor(ctx, body, deps)),
  });
};

/** Warnings as one header value: printable ASCII, limited length, separated by ` | `. */
const toHeader = (warnings: readonly string[]): string => {
  const shown = warnings
    .slice(0, 10)
    .map((warning) => warning.replace(/[^\u0020-\u007e]/g, "?").slice(0, 300));
  const more = warnings.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(" | ");
};
