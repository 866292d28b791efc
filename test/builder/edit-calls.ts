/** Shared by the tests of templates that publish to repositories of a whole server. */
import { send, type Answer, type TestRole, type WholeServer } from "../support/server.ts";

/** `POST` with a body, `GET` without one. */
export const callAs = (
  server: WholeServer,
  { as, path, body }: { as: TestRole; path: string; body?: object | undefined },
): Promise<Answer> => send(server.url, { method: body === undefined ? "GET" : "POST", path, body, as });
