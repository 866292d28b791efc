/** Settings that are allowed, and that an installation which others use should not have. */
import { X509Certificate } from "node:crypto";
import { chooseProviders, peopleProviders } from "../config/rules/auth.ts";
import { isLoopbackHost } from "../config/rules/loopback.ts";
import type { Config } from "../config/schema/schema.ts";
import type { OidcSettings } from "../config/schema/schema-auth.ts";
import { counted, ok, problem, warning, type Check, type Finding } from "../lib/check.ts";

/** `now` in milliseconds since 1970. */
export const configurationChecks = (config: Config, now: () => number): Check[] => [
  check("sign-in", "operating.md#signing-in-and-roles", () => signInFinding(config)),
  check("identity provider", "operating.md#signing-in-and-roles", () => providerFinding(config)),
  check("secrets", "keys.md", () => secretsFinding(config)),
  check("public address", "operating.md#behind-a-proxy-that-ends-tls", () => addressFinding(config)),
  check("mode", "production.md", () => modeFinding(config)),
  check("certificates", "notices.md#mails", () => certificatesFinding(config, now())),
];

const check = (name: string, guide: string, look: () => Finding): Check => ({
  name,
  guide,
  look: async () => look(),
});

const isOpen = ({ server }: Config): boolean => !isLoopbackHost(server.host);

export function signInFinding(config: Config): Finding {
  const { auth, mode } = config;
  const none = { problem: () => undefined, warning: () => undefined };
  const situation = { mode, loopbackOnly: !isOpen(config), environmentIsSet: false };
  const { guest, people, service } = chooseProviders(auth, situation, none);
  const ways = [...people.map(({ name }) => name), ...(service ? ["tokens of the settings"] : [])];
  if (guest === undefined) return ok(`Callers need credentials: ${ways.join(", ")}.`);
  const found = `Callers without credentials are let in with the roles ${guest.roles.join(", ")}.`;
  return isOpen(config) || mode === "production"
    ? problem(found, "Take the guest out (auth.providers.guest), and configure an identity provider.")
    : warning(
        `${found} They have to be on this machine.`,
        "Configure an identity provider before others use the installation.",
      );
}

/** Of what is sent over it, tokens and keys could be read and replaced on the way. */
const isPlain = (url: string | undefined): boolean => {
  if (url === undefined || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !isLoopbackHost(hostname);
};

export function providerFinding({ auth }: Config): Finding {
  const providers = peopleProviders(auth);
  const addressesOf = ({ issuer, metadataUrl, jwksUrl }: OidcSettings) => [issuer, metadataUrl, jwksUrl];
  const plain = providers.filter(({ settings }) => addressesOf(settings).some(isPlain));
  if (plain.length > 0)
    return problem(
      `The keys of ${plain.map(({ name }) => name).join(", ")} come over http, so whoever is on the way can make tokens.`,
      "Use the https address of the provider.",
    );
  return providers.length === 0
    ? ok("None is configured.")
    : ok(`${counted(providers.length, "provider")}, over https or on this machine.`);
}

/** What examples and people write where a secret belongs. */
const known = /(?:change.?me|example|secret|password|dummy|default|12345|abcde|(.)\1{5})/i;
const fewLetters = 8;

const isWeak = (secret: string): boolean => known.test(secret) || new Set(secret).size < fewLetters;

export function secretsFinding({ auth, adapters, database }: Config): Finding {
  const service = auth.providers.service?.[auth.environment];
  const weak = [
    ...(service?.tokens ?? []).flatMap(({ name, secret }) => (isWeak(secret) ? [`the token ${name}`] : [])),
    ...(service?.hmac && isWeak(service.hmac.secret) ? ["the secret of signed tokens (hmac)"] : []),
    ...(adapters.secret !== undefined && isWeak(adapters.secret) ? ["the secret of the adapters"] : []),
    ...(!database.embedded && isPoorPassword(database.coordinator) ? ["the password of the database"] : []),
  ];
  return weak.length === 0
    ? ok("None looks like one of an example.")
    : problem(
        `These look like those of examples, or are easily guessed: ${weak.join(", ")}.`,
        "Replace each by a random one: openssl rand -base64 32.",
      );
}

const isPoorPassword = ({ user, password }: Config["database"]["coordinator"]): boolean =>
  password !== "" && (password === user || password === "postgres" || known.test(password));

export function addressFinding(config: Config): Finding {
  const { baseUrl } = config.server;
  if (isPlain(baseUrl))
    return warning(
      "server.baseUrl is an http address: tokens pass the network unencrypted.",
      "Let a proxy end TLS in front of it, and set server.baseUrl to the https address.",
    );
  if (baseUrl === undefined && isOpen(config))
    return warning(
      "server.baseUrl is not set: links in notices, events and answers to hooks name the address that is listened on.",
      "Set server.baseUrl to the address under which others reach the server.",
    );
  return ok(baseUrl === undefined ? "The server is reached on this machine only." : "It is set.");
}

export function modeFinding(config: Config): Finding {
  const { mode, database, outbound } = config;
  if (mode === "development")
    return isOpen(config)
      ? warning("The mode is development, and others reach the server.", "Set mode: production.")
      : ok("The mode is development, on this machine.");
  if (database.embedded)
    return warning(
      "The database is the embedded one, in production: one machine has everything.",
      "Use a PostgreSQL of your own with backups, or make backups with `plinth backup`.",
    );
  if (outbound.allowPrivateNetworks === true)
    return warning(
      "outbound.allowPrivateNetworks lets whoever sets an address have any private one called.",
      "Take it out, and name what may be called in outbound.privateNetworks.",
    );
  return ok("The mode is production.");
}

const dayMs = 86_400_000;
const soonDays = 30;

/** Those that the settings hold. */
export function certificatesFinding({ notices }: Config, now: number): Finding {
  const { mail } = notices;
  if (mail?.security === "none")
    return warning(
      "Mails are handed to the mail server unencrypted (notices.mail.security: none).",
      "Set it to starttls or tls.",
    );
  const texts = mail?.ca?.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  const ends = texts.map((text) => new X509Certificate(text).validToDate.getTime());
  if (ends.length === 0) return ok("The settings hold none.");
  const days = Math.floor((Math.min(...ends) - now) / dayMs);
  const advice = "Put the next certificate beside it (notices.mail.ca takes several).";
  if (days < 0) return problem("One of notices.mail.ca has ended.", advice);
  if (days < soonDays) return warning(`One of notices.mail.ca ends in ${counted(days, "day")}.`, advice);
  return ok(`The first of notices.mail.ca to end does so in ${days} days.`);
}
