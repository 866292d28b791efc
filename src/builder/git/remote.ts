/** A git remote as it may be called: checked by the outbound policy, held to the addresses that passed it. */
import type { Outbound } from "../../platform/outbound/outbound.ts";
import { OutboundError } from "../../platform/outbound/outbound-error.ts";
import { builderFailure } from "../errors.ts";
import type { GitOptions } from "./run-git.ts";

/** What a host wants to see: `Basic` with this user name and the token as password. */
export interface Credentials {
  user: string;
  token: string;
}

export interface RemoteOptions {
  outbound: Outbound;
  credentials?: Credentials | undefined;
  /** `mesh.builder.git.allowFileRemotes`. */
  allowFiles?: boolean;
}

/** The options with which git may call the remote. Rejects with a Failure when it may not be called at all. */
export async function openRemote(url: string, options: RemoteOptions): Promise<GitOptions> {
  if (url.startsWith("file:")) {
    if (options.allowFiles === true) return { protocols: ["file"] };
    throw builderFailure("BUILDER_ACTION_INPUT", {
      message: "A file: address of a repository is refused; mesh.builder.git.allowFileRemotes allows it.",
    });
  }
  const addresses = await options.outbound.resolve(url).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error;
    const code = error.reason === "refused_by_policy" ? "BUILDER_ACTION_INPUT" : "BUILDER_FETCH_FAILED";
    throw builderFailure(code, { message: error.message, cause: error });
  });
  const { protocol, hostname, port, origin } = new URL(url);
  const isHttps = protocol === "https:";
  const config: Record<string, string> = {};
  if (!/^[\d.]+$/.test(hostname) && !hostname.startsWith("[")) {
    // Names are resolved once, here: git connects to what was checked and to nothing else.
    const list = addresses.map((address) => (address.includes(":") ? `[${address}]` : address)).join(",");
    config["http.curloptResolve"] = `${hostname}:${port === "" ? (isHttps ? 443 : 80) : port}:${list}`;
  }
  const { credentials } = options;
  if (credentials !== undefined) {
    const basic = Buffer.from(`${credentials.user}:${credentials.token}`).toString("base64");
    config[`http.${origin}/.extraHeader`] = `Authorization: Basic ${basic}`;
  }
  return { protocols: [isHttps ? "https" : "http"], config };
}
