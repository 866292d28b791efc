export interface Caller {
  /** The body of an answer with 2xx; throws with status and body otherwise. */
  call<T = any>(method: string, path: string, body?: unknown): Promise<T>;
}

/** Calls the interfaces below `url`, as a guest unless there is a token. */
export const callerOf = (url: string, token?: string): Caller => ({
  async call(method, path, body) {
    const answer = await sent(url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        // A guest is asked for it in writes, as a browser is.
        "x-plinth-console": "1",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    return isJson ? JSON.parse(text) : text;
  },
});

const attempts = 30;

/** A machine with little to spare makes the server refuse some requests at once; they are sent again when it says. */
async function sent(address: string, request: RequestInit, attempt = 1): Promise<Response> {
  const answer = await fetch(address, request);
  if (answer.status !== 503 || attempt === attempts) return answer;
  await answer.body?.cancel();
  const seconds = Number(answer.headers.get("retry-after") ?? 1);
  await new Promise((next) => setTimeout(next, seconds * 1000));
  return sent(address, request, attempt + 1);
}
