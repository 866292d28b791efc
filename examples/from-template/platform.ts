/** The platform as a caller sees it: over HTTP, each call with what it should answer. */

export interface Platform {
  url: string;
  /** Fails with the response body unless the status is 2xx. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Polls until the response fits; fails after a minute with the last one. */
  until<T>(path: string, fits: (answer: T) => boolean): Promise<T>;
}

const waitLimitMs = 60_000;
const pauseMs = 100;

export function platformAt(url: string): Platform {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(url + path, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return (text === "" ? null : JSON.parse(text)) as T;
  };
  return {
    url,
    call,
    async until<T>(path: string, fits: (answer: T) => boolean) {
      const end = Date.now() + waitLimitMs;
      for (;;) {
        const answer = await call<T>("GET", path);
        if (fits(answer)) return answer;
        if (Date.now() > end) throw new Error(`${path} stays ${JSON.stringify(answer)}`);
        await new Promise((next) => setTimeout(next, pauseMs));
      }
    },
  };
}

interface Instantiation {
  status: string;
  error: string | null;
  output: { entityRef?: string; remoteUrl?: string };
}

export interface Made {
  entityRef: string;
  remoteUrl: string;
}

/** Instantiates a template, follows its events to their end, and answers what it made. */
export async function instantiate(
  platform: Platform,
  templateRef: string,
  values: object,
  say: (line: string) => void,
): Promise<Made> {
  const { id } = await platform.call<{ id: string }>("POST", "/api/builder/templates/instantiate", {
    templateRef,
    values,
  });
  const stream = await fetch(`${platform.url}/api/builder/templates/tasks/${id}/eventstream`);
  for (const record of (await stream.text()).split("\n\n")) {
    const data = /^data: (.+)$/m.exec(record)?.[1];
    const type = /^event: (.+)$/m.exec(record)?.[1];
    if (data && (type === "log" || type === "completion")) {
      say(`  ${(JSON.parse(data) as { message: string }).message.split("\n")[0]}`);
    }
  }
  const task = await platform.call<Instantiation>("GET", `/api/builder/templates/tasks/${id}`);
  const { entityRef, remoteUrl } = task.output;
  if (task.status !== "completed" || !entityRef || !remoteUrl) {
    throw new Error(`${templateRef} ended ${task.status}: ${task.error} ${JSON.stringify(task.output)}`);
  }
  return { entityRef, remoteUrl };
}
