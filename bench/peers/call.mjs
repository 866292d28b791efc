/** One task: a loopback call, with at most `limit` of them at once in this process. */
export function limitedCall(adapterUrl, limit) {
  let free = limit;
  const waiting = [];
  return async () => {
    if (free > 0) free--;
    else await new Promise((next) => waiting.push(next));
    try {
      const answer = await fetch(`${adapterUrl}/v1/provision`, {
        method: "POST",
        body: '{"descriptor":"[]"}',
        headers: { "content-type": "application/json" },
      });
      return (await answer.json()).status;
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
