/** Streams of stored events, which a client resumes after the last event that it has. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { resumeAfter, streamEvents, type StreamRecord } from "./sse.ts";

/** The inputs for the document of such an operation. */
export const resumeHeaders = Type.Object({ "last-event-id": Type.Optional(Type.String({ maxLength: 256 })) });
export const resumeQuery = (maxId = Number.MAX_SAFE_INTEGER) =>
  Type.Object({ after: Type.Optional(Type.Integer({ minimum: 0, maximum: maxId })) });

export interface ResumedStream<Events> {
  /** The events after this id; null when there are none and none will follow. */
  follow: (after: number) => Promise<Events | null>;
  records: (events: Events) => AsyncIterable<StreamRecord>;
  maxId?: number;
}

/** Answers with the stream, or with 204 when it has ended. */
export async function resumeStream<Events>(
  { raw, reply }: { raw: FastifyRequest; reply: FastifyReply },
  { follow, records, maxId = Number.MAX_SAFE_INTEGER }: ResumedStream<Events>,
): Promise<void> {
  const after = Number(resumeAfter(raw) ?? 0);
  const isId = Number.isInteger(after) && after >= 0 && after <= maxId;
  const events = await follow(isId ? after : 0);
  if (events === null) reply.code(204).send();
  else streamEvents(reply, records(events));
}

/** The records of stored events, each under its own id. */
export async function* eventRecords(
  events: AsyncIterable<{ id: number; type: string; data: unknown }>,
): AsyncGenerator<StreamRecord> {
  for await (const { id, type, data } of events) yield { id, event: type, data };
}
