/** What the clients of git hosts have in common. */
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { OutboundError, publicMessage } from "../../../platform/outbound/outbound-error.ts";
import { builderFailure } from "../../errors.ts";
import type { HostKind } from "../../git/source-url.ts";
import type { RepoPlace } from "../repo-url.ts";

export type Visibility = "private" | "internal" | "public";

export interface HostRepository {
  /** Address that git clones from and pushes to. */
  remoteUrl: string;
  /** Address of the repository's pages. */
  webUrl: string;
  /** By which the host removes it. */
  id: string;
}

export interface NewRepository {
  description: string;
  visibility: Visibility;
  branch: string;
}

/** A proposed change: the branch that has it, and the branch that it is for. */
export interface ChangeRequest {
  branch: string;
  targetBranch: string;
  title: string;
  description: string;
}

export interface OpenedChange {
  /** Address of its page. */
  webUrl: string;
  number: number;
}

/** What a host does with proposed changes; `input` is that of the step, for what only this host knows. */
export interface ChangeHost {
  defaultBranch: (api: HostApi, repository: HostRepository) => Promise<string>;
  /** The one that is open from this branch. */
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
  /** What is missing in `repoUrl`, in words; null when nothing is. */
  missing: (place: RepoPlace) => string | null;
  find: (api: HostApi, place: RepoPlace) => Promise<HostRepository | null>;
  create: (api: HostApi, place: RepoPlace, wanted: NewRepository) => Promise<HostRepository>;
  /** Called once the branch is pushed, where the host must be told which it is. */
  setDefaultBranch?: (api: HostApi, repository: HostRepository, branch: string) => Promise<void>;
  remove: (api: HostApi, repository: HostRepository) => Promise<void>;
  /** Address of the files of a branch. */
  contentsUrl: (repository: HostRepository, branch: string) => string;
  changes?: ChangeHost;
}

export interface HostAnswer {
  status: number;
  body: Record<string, unknown>;
  /** What is answered as a list; empty for any other answer. */
  list: unknown[];
}

export type HostApi = (call: HostCall) => Promise<HostAnswer>;

export interface HostCall {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the address of the interface. */
  path: string;
  body?: object;
  /** Statuses that are answers; any other is a failure. */
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
    const read = typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
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

/** The host's own words, which each keeps in another place. */
function reasonOf(body: Record<string, unknown>): string {
  const nested = body["error"];
  const inner =
    typeof nested === "object" && nested !== null && "message" in nested ? nested.message : nested;
  const said = body["message"] ?? inner;
  if (said === undefined || said === null) return "";
  return `: ${(typeof said === "string" ? said : JSON.stringify(said)).slice(0, 300)}`;
}

/** A text of an answer that must be there. */
export function textAt(body: unknown, ...path: (string | number)[]): string {
  let value = body;
  for (const key of path)
    value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw hostFailure(`The host's answer has no ${path.join(".")}.`);
}

/** The number of what was opened. */
export function numberAt(body: unknown, key: string): number {
  const number = Number(textAt(body, key));
  if (!Number.isInteger(number)) throw hostFailure(`The host's answer has no number in ${key}.`);
  return number;
}

/** A part of a path. Dots alone would climb, encoded or not, in every client that makes a request of it. */
export function encoded(text: string | undefined): string {
  if (text === "." || text === "..") throw hostFailure(`"${text}" is no name at a host.`);
  return encodeURIComponent(text ?? "");
}
