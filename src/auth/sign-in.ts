/** Where people sign in on a command line: the identity providers with a client for it. */
import { addressesOf } from "../platform/auth/oidc.ts";
import { peopleProviders } from "../platform/config/rules/auth.ts";
import type { AuthSettings } from "../platform/config/schema/schema-auth.ts";

export interface SignInProvider {
  name: string;
  issuer: string;
  metadataUrl: string;
  clientId: string;
  scopes: string[];
  parameters: Record<string, string>;
}

export const signInProviders = (auth: AuthSettings): SignInProvider[] =>
  peopleProviders(auth).flatMap(({ name, settings }) => {
    const { commandLine } = settings;
    if (commandLine === undefined) return [];
    const { issuer, document } = addressesOf(settings);
    const { clientId, scopes, parameters = {} } = commandLine;
    return [{ name, issuer, metadataUrl: document, clientId, scopes, parameters }];
  });
