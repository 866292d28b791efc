/**
 * The messages of a session in pages, from the last ones back to the first. When such a query is fetched again, its first page is
 * requested by its stored parameter and each further one by `laterPage`; so a parameter contains where all later pages begin.
 */
import type { Message } from "./run/stored-run.ts";

export interface MessagePage {
  messages: Message[];
  /** Number of messages before these. */
  before: number;
}

/** null requests the last page, whose offset depends on how many messages there are. */
export type MessagePageParam = { from: number; later: readonly number[] } | null;

export interface ReadMessages {
  data: Message[];
  meta: { pagination: { total: number } };
}

/** Reads so many messages from an offset on. */
export type ReadFrom = (offset: number, limit: number) => Promise<ReadMessages>;

const messagePage = 60;
/** The server gives no more at a time. */
const maxLimit = 100;

export const readMessagePage = async (pageParam: MessagePageParam, read: ReadFrom): Promise<MessagePage> => {
  const before = pageParam?.from ?? Math.max(0, (await read(0, 1)).meta.pagination.total - messagePage);
  const next = pageParam?.later[0];
  if (next !== undefined) return { messages: (await read(before, next - before)).data, before };
  // The last page has everything that was said since.
  const messages: Message[] = [];
  for (;;) {
    const offset = before + messages.length;
    const { data, meta } = await read(offset, maxLimit);
    messages.push(...data);
    if (data.length === 0 || offset + data.length >= meta.pagination.total) return { messages, before };
  }
};

export const earlierPage = (
  { before }: MessagePage,
  _: unknown,
  pageParam: MessagePageParam,
): MessagePageParam | undefined =>
  before > 0
    ? { from: Math.max(0, before - messagePage), later: [before, ...(pageParam?.later ?? [])] }
    : undefined;

export const laterPage = (
  _page: MessagePage,
  _pages: unknown,
  pageParam: MessagePageParam,
): MessagePageParam | undefined => {
  const [from, ...later] = pageParam?.later ?? [];
  return from === undefined ? undefined : { from, later };
};
