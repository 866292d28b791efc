/** Settings of the assistant's services and workers, from the configuration. */
import { peopleProviders } from "../platform/config/rules/auth.ts";
import type { SignInSettings } from "../platform/config/schema/schema-auth.ts";
import type { Config } from "../platform/config/schema/schema.ts";
import { addressesOf } from "../platform/auth/oidc.ts";

export interface AssistantSettings {
  /** Address under which others reach this server, without a slash at its end. */
  baseUrl: string;
  /** `assistant` of the configuration: budgets, approvals, prices and more. */
  runs: RunSettings;
  /** The identity providers whose tokens are accepted. */
  providers: SignInProvider[];
}

/** Where people sign in. */
export interface SignInProvider {
  issuer: string;
  /** Address of its discovery document. */
  document: string;
  signIn: SignInSettings;
}

const usualSignIn: SignInSettings = { scopes: ["openid"], redirectUris: [], sendResource: true };

export type RunSettings = Config["assistant"];

export type ApprovalPolicy = Pick<RunSettings["approvals"], "rules" | "destructive">;

/** What keys of the stored configuration tighten in runs, beside the settings. */
export interface RunLimits {
  budgets: Partial<RunSettings["budgets"]>;
  approvals: Partial<ApprovalPolicy & Pick<RunSettings["approvals"], "expireHours">>;
}

/** @param url where the process really listens, which port 0 leaves open. */
export function assistantSettings(
  { server, assistant, auth }: Config,
  url: string | null,
): AssistantSettings {
  const ownUrl = server.baseUrl ?? url ?? `http://${server.host}:${server.port}`;
  const providers = peopleProviders(auth).map(({ settings }) => ({
    ...addressesOf(settings),
    signIn: settings.signIn ?? usualSignIn,
  }));
  return { baseUrl: ownUrl.replace(/\/+$/, ""), runs: assistant, providers };
}
