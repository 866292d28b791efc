/** Runs one piece of work at a time, in the order of the calls; the next one begins however the previous one ended. */
export type OneByOne = <T>(work: () => Promise<T>) => Promise<T>;

export function createOneByOne(): OneByOne {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
