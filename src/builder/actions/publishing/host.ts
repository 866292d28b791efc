/** The interface of the clients for git hosts, and their HTTP client. */
import { isRecord } from "../../../platform/lib/is-record.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { OutboundError, publicMessage } from "../../../platform/outbound/outbound-error.ts";
import { builderFailure } from "../../errors.ts";
import type { HostKind, RepoPlace } from "../../git/source-url.ts";

export type Visibility = "private" | "internal" | "public";

export interface HostRepository {
  /** URL for clone and push. */
  remoteUrl: string;
  /** URL of the repository's web page. */
  webUrl: string;
  /** Identifier for deleting it. */
  id: string;
}

export interface NewRepository {
  description: string;
  visibility: Visibility;
  branch: string;
}

/** A pull or merge request: its branch and its target branch. */
export interface ChangeRequest {
  branch: string;
  targetBranch: string;
  title: string;
  description: string;
}

export interface OpenedChange {
  /** URL of its web page. */
  webUrl: string;
  number: number;
}

/** Pull or merge requests of a host; `input` is that of the step, for options of this host. */
export interface ChangeHost {
  defaultBranch: (api: HostApi, repository: HostRepository) => Promise<string>;
  /** The open request from this branch. */
  find: (api: HostApi, repository: HostRepository, change: ChangeRequest) => Promise<OpenedChange | null>;
  open: (
    api: HostApi,
    repository: HostRepository,
    change: ChangeRequest & { input: StepInput },
  ) => Promise<OpenedChange>;
}

export type StepInput = Readonly<Record<string, unknown>>;

/** One kind of host. Every function rejects with a Failure BUILDER_HOST_FAILED when the host refuses. */
export interface GitHost {
  kind: HostKind;
  title: string;
  visibilities: readonly Visibility[];
  /** The parts missing in `repoUrl`, as text; null when complete. */
  missing: (place: RepoPlace) => string | null;
  find: (api: HostApi, place: RepoPlace) => Promise<HostRepository | null>;
  create: (api: HostApi, place: RepoPlace, wanted: NewRepository) => Promise<HostRepository>;
  /** Sets the default branch after the push, for hosts that require it. */
  setDefaultBranch?: (api: HostApi, repository: HostRepository, branch: string) => Promise<void>;
  remove: (api: HostApi, repository: HostRepository) => Promise<void>;
  /** URL of a folder of a branch, in the form that `catalog:register` reads; the root's folder is empty. */
  contentsUrl: (repository: HostRepository, place: { branch: string; folder: string }) => string;
  changes?: ChangeHost;
}

export interface HostAnswer {
  status: number;
  body: Record<string, unknown>;
  /** The items of a response that is a list; empty for any other response. */
  list: unknown[];
}

export type HostApi = (call: HostCall) => Promise<HostAnswer>;

export interface HostCall {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the API address. */
  path: string;
  body?: object;
  /** Statuses that the caller handles; a response with any other status throws a Failure. */
  allowed: readonly number[];
}

export interface HostApiOptions {
  outbound: Outbound;
  apiBaseUrl: string;
  headers: Readonly<Record<string, string>>;
  title: string;
  signal: AbortSignal;
}

const timeoutMs = 30_000;
const maxResponseBytes = 1024 * 1024;

export function hostApi({ outbound, apiBaseUrl, headers, title, signal }: HostApiOptions): HostApi {
  return async ({ method, path, body, allowed }) => {
    const answer = await outbound
      .request({
        method,
        url: apiBaseUrl + path,
        headers: {
          accept: "application/json",
          "user-agent": "plinth",
          ...headers,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs,
        maxResponseBytes,
        signal,
      })
      .catch((error: unknown) => {
        if (!(error instanceof OutboundError) || error.reason === "aborted") throw error;
        throw hostFailure(`${title} cannot be called: ${publicMessage(error)}`, error);
      });
    const value = readJson(answer.body);
    const read = isRecord(value) ? { ...value } : {};
    if (allowed.includes(answer.status))
      return { status: answer.status, body: read, list: Array.isArray(value) ? value : [] };
    throw hostFailure(
      `${title} answered ${method} ${path.split("?")[0]} with ${answer.status}${reasonOf(read)}.`,
    );
  };
}

const hostFailure = (message: string, cause?: unknown) =>
  builderFailure("BUILDER_HOST_FAILED", { message, cause });

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}

/** The error message of the host; each has it in another field. */
function reasonOf(body: Record<string, unknown>): string {
  const nested = body["error"];
  const inner =
    typeof nested === "object" && nested !== null && "message" in nested ? nested.message : nested;
  const said = body["message"] ?? inner;
  if (said === undefined || said === null) return "";
  return `: ${(typeof said === "string" ? said : JSON.stringify(said)).slice(0, 300)}`;
}

/** A required string of a response. */
export function textAt(body: unknown, ...path: (string | number)[]): string {
  let value = body;
  for (const key of path)
    value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw hostFailure(`The host's answer has no ${path.join(".")}.`);
}

/** The number of a pull or merge request. */
export function numberAt(body: unknown, key: string): number {
  const number = Number(textAt(body, key));
  if (!Number.isInteger(number)) throw hostFailure(`The host's answer has no number in ${key}.`);
  return number;
}

/** A folder as the end of an address, with a slash before it; nothing for the root. */
export const pathBelow = (folder: string): string =>
  folder === "" ? "" : `/${folder.split("/").map(encodeURIComponent).join("/")}`;

/**
 * A path segment. Segments of dots are refused: clients would resolve them as parent folders, encoded or not.
 */
export function encoded(text: string | undefined): string {
  if (text === "." || text === "..") throw hostFailure(`"${text}" is not a valid name at a host.`);
  return encodeURIComponent(text ?? "");
}
