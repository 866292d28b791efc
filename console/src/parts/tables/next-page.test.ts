import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { mayReadNext, whyStopped } from "./next-page.ts";

const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
afterEach(() => queries.clear());

/** Ends the test where the end of the list asks without end. */
const mostAsked = 10;

/** Stands for a list that is scrolled to its end: it asks for the next page after every change of the query, if that is allowed. */
function listWithEndInView(readPage: (page: number) => string[]) {
  const asked: number[] = [];
  const observer = new InfiniteQueryObserver(queries, {
    queryKey: ["list"],
    initialPageParam: 0,
    queryFn: async ({ pageParam: page }) => {
      asked.push(page);
      return readPage(page);
    },
    getNextPageParam: (_last, pages) => (pages.length < 3 ? pages.length : undefined),
  });
  const settled = Promise.withResolvers<void>();
  const look = (): void => {
    const result = observer.getCurrentResult();
    if (mayReadNext(result) && asked.length < mostAsked) void observer.fetchNextPage();
    else if (!result.isFetching) settled.resolve();
  };
  onTestFinished(observer.subscribe(look));
  return { asked, observer, settled: settled.promise };
}

test("a page that cannot be read is asked for once, and the reading goes on behind it when it was read later", async () => {
  let isAway = true;
  const { asked, observer, settled } = listWithEndInView((page) => {
    if (page === 1 && isAway) throw new Error("away");
    return [`row of ${page}`];
  });
  await settled;
  expect(observer.getCurrentResult()).toMatchObject({ isFetchNextPageError: true, hasNextPage: true });
  expect(asked).toEqual([0, 1]);
  isAway = false;
  await observer.fetchNextPage();
  await expect.poll(() => observer.getCurrentResult().hasNextPage).toBe(false);
  expect(observer.getCurrentResult().data?.pages.flat()).toEqual(["row of 0", "row of 1", "row of 2"]);
});

test("a list that could not be read again asks for nothing further by itself, and says why at its end", async () => {
  let isAway = false;
  const { observer, settled } = listWithEndInView((page) => {
    if (isAway) throw new Error("away");
    return [`row of ${page}`];
  });
  await settled;
  expect(whyStopped(observer.getCurrentResult())).toBe(null);
  isAway = true;
  await observer.refetch();
  // As after the first of several pages.
  const result = { ...observer.getCurrentResult(), hasNextPage: true };
  expect(result).toMatchObject({ isError: true, isFetchNextPageError: false });
  expect(mayReadNext(result)).toBe(false);
  expect(whyStopped(result)?.message).toBe("away");
});
