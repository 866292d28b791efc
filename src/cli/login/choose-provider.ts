/** The identity provider of a server at which somebody signs in on a command line. */
import { isRecord } from "../../platform/lib/is-record.ts";
import { Failure } from "../../platform/errors/failure.ts";
import { callServer, type Server } from "../client/http.ts";
import { inputFailure } from "../exit-codes.ts";
import { otherWays, signInFailure } from "./failures.ts";
import { plainText } from "./plain-text.ts";

export interface SignInProvider {
  name: string;
  issuer: string;
  metadataUrl: string;
  clientId: string;
  scopes: string[];
  parameters: Record<string, string>;
}

export interface Chosen {
  provider: SignInProvider;
  /** How long a session may be. */
  maxSeconds: number;
}

export async function chooseProvider(server: Server, wanted: string | undefined): Promise<Chosen> {
  const { providers, maxSeconds } = await readSignIn(server);
  const names = providers.map(({ name }) => plainText(name)).join(", ");
  if (providers.length === 0)
    throw signInFailure("The server names no identity provider for a sign-in on a command line.", [
      "Ask an operator to set auth.providers.<name>.<environment>.commandLine.",
      ...otherWays,
    ]);
  if (wanted === undefined && providers.length > 1)
    throw inputFailure(`The server has several identity providers: ${names}.`, {
      where: "--provider",
      solutions: ["Name one of them with --provider."],
    });
  const provider = wanted === undefined ? providers[0] : providers.find(({ name }) => name === wanted);
  if (provider === undefined)
    throw inputFailure(`The server has no identity provider ${wanted}; it has ${names}.`, {
      where: "--provider",
    });
  return { provider, maxSeconds };
}

async function readSignIn(server: Server): Promise<{ providers: SignInProvider[]; maxSeconds: number }> {
  try {
    const { body } = await callServer<unknown>(server, { method: "GET", path: "/api/auth/v1/sign-in" });
    const { providers, maxSeconds } = isRecord(body) ? body : {};
    return {
      providers: Array.isArray(providers) ? providers.flatMap((each) => readProvider(each)) : [],
      maxSeconds: typeof maxSeconds === "number" && maxSeconds >= 1 ? Math.floor(maxSeconds) : 3_600,
    };
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "not_found") throw error;
    throw signInFailure(
      "The server offers no sign-in on a command line: it is of an earlier version.",
      otherWays,
      error,
    );
  }
}

/** Nothing for what is not of the form. */
function readProvider(value: unknown): SignInProvider[] {
  if (!isRecord(value)) return [];
  const { name, issuer, metadataUrl, clientId, scopes, parameters } = value;
  const isText = (each: unknown): each is string => typeof each === "string" && each !== "";
  if (!isText(name) || !isText(issuer) || !isText(metadataUrl) || !isText(clientId)) return [];
  return [
    {
      name,
      issuer,
      metadataUrl,
      clientId,
      scopes: Array.isArray(scopes) ? scopes.filter((each) => isText(each)) : [],
      parameters: Object.fromEntries(
        Object.entries(isRecord(parameters) ? parameters : {}).filter((each): each is [string, string] =>
          isText(each[1]),
        ),
      ),
    },
  ];
}
