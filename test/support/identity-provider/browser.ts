/** What a person does in a browser: follows addresses, keeps cookies, fills in forms. */
const maxSteps = 20;

interface Person {
  /** The name that is typed in. */
  as: string;
  /** Whether the browser was led where it was to go; the page is not opened then. */
  isThere?: (url: URL) => boolean;
  /** Whether the page is the last one. */
  isLast?: (page: string) => boolean;
  /** Changes what is sent. */
  fill?: (fields: URLSearchParams) => void;
}

/**
 * Opens the address, signs in and agrees to what is asked, until the browser is led to an address that begins with
 * `until`; resolves to that address, which is not opened.
 */
export const signIn = (start: URL, { as, until }: { as: string; until: string }): Promise<URL> =>
  browse(start, { as, isThere: ({ href }) => href.startsWith(until) });

/** Opens the address of a device authorization grant, signs in and confirms the code, or denies it. */
export async function decide(
  start: URL,
  { as, code, denies = false }: { as: string; code?: string; denies?: boolean },
): Promise<void> {
  await browse(start, {
    as,
    isLast: (page) => /Sign-in Success|interrupted/.test(page),
    fill(fields) {
      if (code !== undefined && fields.has("user_code")) fields.set("user_code", code);
      if (!denies || !fields.has("confirm")) return;
      fields.delete("confirm");
      fields.set("abort", "yes");
    },
  });
}

async function browse(start: URL, { as, isThere, isLast, fill }: Person): Promise<URL> {
  const cookies = new Map<string, string>();
  let next: { url: URL; form?: URLSearchParams } = { url: start };
  for (let step = 0; step < maxSteps; step += 1) {
    const { url, form } = next;
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === undefined ? {} : { method: "POST", body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    if (isLast?.(text)) return url;
    const location = response.headers.get("location");
    if (location !== null) {
      const led = new URL(location, url);
      if (isThere?.(led)) return led;
      next = { url: led };
      continue;
    }
    const fields = fieldsOf(text, as);
    fill?.(fields);
    next = { url: actionOf(text, url), form: fields };
  }
  throw new Error(`The sign-in went through ${maxSteps} pages and did not end.`);
}

function actionOf(page: string, url: URL): URL {
  const action = /<form[^>]*\saction="([^"]+)"/.exec(page)?.[1];
  if (action === undefined) throw new Error(`${url.href} has no form: ${page.slice(0, 2_000)}`);
  return new URL(action, url);
}

/** The fields that the page has filled in, and the name of the user. */
function fieldsOf(page: string, as: string): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [, attributes = ""] of page.matchAll(/<input([^>]*)>/g)) {
    const read = (name: string): string | undefined =>
      new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
    const name = read("name");
    if (name !== undefined) fields.set(name, name === "login" ? as : (read("value") ?? "of the test"));
  }
  return fields;
}
