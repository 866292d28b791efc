/**
 * The embedded PostgreSQL also listens on a Unix socket in its directory, and the server connects there. It serves the goals of
 * starts and HTTP requests per second (bench/starts.ts, bench/http.ts), whose statements are small. A prepared `select 1` costs
 * this process 112 and 134 µs of CPU there, 170 and 146 µs over loopback, in two runs of `node bench/tricks.ts`, 2026-11-22.
 */
import { join } from "node:path";

/** The longest path that a socket may have on any system that has Unix sockets. */
const longestSocketPath = 103;

/** The setting is a list in a command line: a path that would need quotes there has no socket. */
const plainPath = /^[\w/.+-]+$/;

/** The directory for the socket, below the cluster's `data` and the database user's own; "" where there can be none. */
export function socketDirectory(data: string): string {
  const fits = Buffer.byteLength(join(data, ".s.PGSQL.65535")) <= longestSocketPath;
  return process.platform !== "win32" && fits && plainPath.test(data) ? data : "";
}
