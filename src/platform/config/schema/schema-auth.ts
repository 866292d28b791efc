import { Type, type Static, type TSchema } from "typebox";
import { discoveryPath } from "../discovery.ts";
import { entry, environmentName, environmentNamePattern, httpUrl, section, text } from "./schema-parts.ts";

export const roles = ["viewer", "developer", "operator", "admin", "service"] as const;

const role = Type.Enum(roles, { description: "One of the roles." });
const roleList = (fallback: (typeof roles)[number][] | undefined, description: string) =>
  Type.Array(role, { minItems: 1, maxItems: 16, description, ...(fallback && { default: fallback }) });

const domainList = (description: string) =>
  Type.Optional(Type.Array(text("A domain.", { maxLength: 255 }), { maxItems: 1_000, description }));

const scope = (description: string) =>
  text(description, { maxLength: 255, pattern: "^[!#-\\[\\]-~]+$", "x-expects": "a scope of OAuth" });

const scopesClaim = Type.Optional(
  text(
    "Claim that lists the scopes of a token, such as `scope`; the token may then do only what they say, and nothing without " +
      "any. Not given: the scopes of these tokens are not looked at.",
  ),
);

const perEnvironment = <S extends TSchema>(inner: S, description: string) =>
  Type.Optional(
    Type.Unsafe<Record<string, Static<S>>>({
      type: "object",
      patternProperties: { [environmentNamePattern]: inner },
      additionalProperties: false,
      description,
    }),
  );

const guest = entry(
  {
    dangerouslyAllowInProduction: Type.Boolean({
      default: false,
      description: "Lets everybody in without credentials, in production and from any address.",
    }),
    userEntityRef: text("Who a request without credentials acts as.", { default: "user:default/guest" }),
    roles: roleList(["admin"], "Roles of the guest."),
    domains: domainList("Domains whose operational rows the guest reads in the data layer."),
  },
  "Requests without credentials; only in development on a loopback address.",
);

const service = entry(
  {
    tokens: Type.Optional(
      Type.Array(
        entry(
          {
            name: text("Name of the caller; it acts as `service:default/<name>`.", {
              pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$",
              "x-expects": "at most 63 letters, digits, dots, hyphens and underscores",
            }),
            secret: text("The bearer token itself.", { minLength: 16, "x-secret": true }),
            roles: roleList(["service"], "Roles of the caller."),
            domains: domainList("Domains whose operational rows the caller reads in the data layer."),
            scopes: Type.Optional(
              Type.Array(scope("A scope, such as `coordinator:read`."), {
                maxItems: 50,
                description: "What the token may be used for; without it only the roles limit it.",
              }),
            ),
          },
          "One caller with a fixed token.",
        ),
        { maxItems: 100, description: "Fixed bearer tokens.", "x-reload": true },
      ),
    ),
    hmac: Type.Optional(
      entry(
        {
          secret: text("Shared secret, at least 32 characters.", { minLength: 32, "x-secret": true }),
          issuer: Type.Optional(text("Required `iss`.")),
          audience: Type.Optional(text("Required `aud`.")),
          roles: roleList(["service"], "Roles of such a caller."),
          scopesClaim,
        },
        "JWTs signed with a shared secret (HS256, HS384, HS512).",
        { "x-reload": true },
      ),
    ),
    jwks: Type.Optional(
      entry(
        {
          url: httpUrl("Where the public keys are."),
          issuer: Type.Optional(text("Required `iss`.")),
          audience: Type.Optional(text("Required `aud`.")),
          roles: roleList(["service"], "Roles of such a caller."),
          scopesClaim,
        },
        "JWTs of services signed with a key that the address publishes.",
      ),
    ),
  },
  "Other programs: fixed tokens, JWTs with a shared secret, JWTs with published keys.",
);

const signIn = entry(
  {
    scopes: Type.Array(scope("A scope."), {
      maxItems: 20,
      default: ["openid"],
      description: "Scopes that clients ask for.",
    }),
    clientId: Type.Optional(
      text(
        "Id of a public client that the provider knows. Give it where clients can't register at the provider: this server " +
          "then registers them under that id and stands between them and the provider while they sign in. The client's " +
          "redirect address at the provider is `<server.baseUrl>/mcp/oauth/callback`. One provider may have it.",
        { maxLength: 512 },
      ),
    ),
    redirectUris: Type.Array(text("A redirect address, compared as it is written.", { maxLength: 2048 }), {
      maxItems: 50,
      default: [],
      description:
        "With clientId: where clients may have a sign-in answered besides an address of the user's own machine.",
    }),
    sendResource: Type.Boolean({
      default: true,
      description:
        "With clientId: whether the provider is told the address of the MCP server (`resource`, RFC 8707).",
    }),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 1024, description: "Its value." }), {
        description: "With clientId: further parameters that the provider wants when a sign-in begins.",
      }),
    ),
  },
  "How clients of the MCP server sign in at this provider.",
);

const commandLine = entry(
  {
    clientId: text(
      "Id of a public client at the provider that may use the device authorization grant (RFC 8628).",
      {
        maxLength: 512,
      },
    ),
    scopes: Type.Array(scope("A scope."), {
      maxItems: 20,
      default: ["openid", "offline_access"],
      description:
        "Scopes that are asked for; with `offline_access` a sign-in is renewed by itself where the provider allows it.",
    }),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 1024, description: "Its value." }), {
        description:
          "Further parameters that the provider wants, such as `resource` or `audience` with what its tokens are to be for.",
      }),
    ),
  },
  "How a client on a command line signs somebody in at this provider: by the device authorization grant (RFC 8628).",
);

const browser = entry(
  {
    clientId: text(
      "Id of a client at the provider that may use the authorization code with PKCE. Its redirect address is " +
        "`<server.baseUrl>/api/auth/v1/browser/callback`, its address after a sign-out `<server.baseUrl>/sign-in`.",
      { maxLength: 512 },
    ),
    clientSecret: Type.Optional(
      text("Secret of the client, where it is a confidential one.", {
        maxLength: 4096,
        "x-secret": true,
        "x-reload": true,
      }),
    ),
    title: Type.Optional(
      text("How the provider is called on the sign-in page. Not given: its name.", { maxLength: 100 }),
    ),
    scopes: Type.Array(scope("A scope."), {
      maxItems: 20,
      default: ["openid", "offline_access"],
      description:
        "Scopes that are asked for, `openid` among them. Where the provider gives a refresh token for them (many want " +
        "`offline_access`) a session is renewed by itself; without one it ends with the provider's token.",
    }),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 1024, description: "Its value." }), {
        description:
          "Further parameters that the provider wants, such as `resource` or `audience` with what its tokens are to be for.",
      }),
    ),
  },
  "How people sign in at this provider with a browser, for the console: by the authorization code with PKCE.",
);

const oidc = entry(
  {
    issuer: Type.Optional(
      httpUrl(
        "The identity provider; its discovery document is read unless jwksUrl is given. Without it the issuer is the " +
          "beginning of metadataUrl; give both where the tokens name it otherwise, as with a slash at its end.",
      ),
    ),
    metadataUrl: Type.Optional(
      text("Address of the discovery document.", {
        format: "http-url",
        pattern: `${discoveryPath.replaceAll(".", "\\.")}$`,
        "x-expects": `an http or https address that ends in ${discoveryPath}`,
      }),
    ),
    audience: text("Required `aud`."),
    otherAudiences: Type.Optional(
      Type.Array(text("An audience."), {
        maxItems: 20,
        description:
          "Values of `aud` that are accepted besides audience, such as the address of the MCP server where the provider issues tokens for it.",
      }),
    ),
    jwksUrl: Type.Optional(httpUrl("Where the public keys are.")),
    rolesClaim: text("Claim that lists the roles; dots go into nested objects.", { default: "roles" }),
    roleMapping: Type.Optional(
      Type.Record(Type.String(), role, {
        description:
          "Claim value to role. Without it a claim value that is a role name counts, except service.",
      }),
    ),
    defaultRoles: Type.Array(role, {
      maxItems: 16,
      default: ["viewer"],
      description: "Roles of a user for whom the claim gives none. An empty list gives none.",
    }),
    domainsClaim: Type.Optional(
      text(
        "Claim that lists the domains whose operational rows the user reads in the data layer, as rolesClaim does the roles. " +
          "Not given: `domains`.",
      ),
    ),
    scopesClaim,
    signIn: Type.Optional(signIn),
    commandLine: Type.Optional(commandLine),
    browser: Type.Optional(browser),
  },
  "People: bearer JWTs of an OpenID Connect identity provider.",
);

const otherProviders = perEnvironment(oidc, "OpenID Connect under a name of its own, by environment.");

/** Names of providers besides these are free; each is one of OpenID Connect. */
const ownNames = {
  guest: perEnvironment(guest, "Guest access, by environment."),
  service: perEnvironment(service, "Services, by environment."),
  oidc: perEnvironment(oidc, "OpenID Connect, by environment."),
};

/** Others are read by `peopleProviders` (rules/auth.ts), which knows what is in them. */
interface Providers {
  guest?: Record<string, Static<typeof guest>>;
  service?: Record<string, Static<typeof service>>;
  oidc?: Record<string, Static<typeof oidc>>;
}

const providers = Type.Unsafe<Providers>({
  ...Type.Object(ownNames),
  patternProperties: {
    [`^(?!(?:${Object.keys(ownNames).join("|")})$)[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`]: otherProviders,
  },
  additionalProperties: false,
  default: {},
  description: "Who vouches for callers.",
});

export const auth = section(
  {
    environment: environmentName("Which `auth.providers.<provider>.<environment>` applies.", {
      default: "default",
    }),
    providers,
  },
  "Authentication.",
);

export type GuestSettings = Static<typeof guest>;
export type ServiceSettings = Static<typeof service>;
export type SignInSettings = Static<typeof signIn>;
export type OidcSettings = Static<typeof oidc>;
export type AuthSettings = Static<typeof auth>;
