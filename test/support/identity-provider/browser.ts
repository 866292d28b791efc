/** What a person does in a browser: follows addresses, keeps cookies, fills in forms. */
const maxSteps = 20;

/**
 * Opens the address, signs in and agrees to what is asked, until the browser is led to an address that begins with
 * `until`; resolves to that address, which is not opened.
 */
export async function signIn(start: URL, { as, until }: { as: string; until: string }): Promise<URL> {
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
    const location = response.headers.get("location");
    if (location !== null) {
      const led = new URL(location, url);
      if (led.href.startsWith(until)) return led;
      next = { url: led };
      continue;
    }
    next = { url: actionOf(text, url), form: fieldsOf(text, as) };
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
