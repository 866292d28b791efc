import type { Settings } from "../schema/schema.ts";
import type { Report } from "./report.ts";

/** What we send ourselves with each call. */
const ownHeaders = new Set(["x-request-id", "content-type", "content-length", "host", "traceparent"]);

/** Names are unique; a remote hook has an address that it is called at, a notification has none. */
export function checkHooks({ actionHandlers }: Pick<Settings, "actionHandlers">, report: Report): void {
  for (const [action, { hooks }] of Object.entries(actionHandlers)) {
    const names = new Set<string>();
    for (const [index, hook] of hooks.entries()) {
      const path = ["actionHandlers", action, "hooks", index];
      if (names.has(hook.name)) report.problem([...path, "name"], { message: "repeats a name" });
      names.add(hook.name);
      if (hook.kind === "remote" && hook.url === undefined)
        report.problem([...path, "url"], {
          message: "is missing",
          solution: "Give the address at which the third party is called.",
        });
      if (hook.kind === "notification") checkNotification(hook, path, report);
      checkHeaders(hook.headers ?? {}, [...path, "headers"], report);
      if (hook.secret !== undefined && hook.secret.length < 32)
        report.warning([...path, "secret"], {
          message: "is shorter than 32 characters",
          solution: "Use a longer random secret.",
        });
    }
  }
}

function checkNotification(hook: object, path: (string | number)[], report: Report): void {
  for (const key of ["url", "headers", "secret"] as const) {
    if (!Object.hasOwn(hook, key)) continue;
    report.problem([...path, key], {
      message: "has no meaning for a notification, which is answered here",
      solution: "Take it out, or make the hook a remote one.",
    });
  }
}

function checkHeaders(headers: Record<string, string>, path: (string | number)[], report: Report): void {
  for (const [name, value] of Object.entries(headers)) {
    const at = [...path, name];
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name))
      report.problem(at, { message: "is no name of an HTTP header" });
    else if (ownHeaders.has(name.toLowerCase()))
      report.problem(at, { message: "is a header that Plinth sets itself" });
    if (!/^[\x20-\x7e]*$/.test(value))
      report.problem(at, { message: "must consist of printable ASCII characters without line ends" });
  }
}
