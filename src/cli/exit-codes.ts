import { Failure } from "../platform/errors/failure.ts";

/** The exit codes of the process, listed in docs/reference/cli.md. */
export const exitCodes = {
  ok: { code: 0, meaning: "It is done; for `provision`, the plan has completed." },
  refused: {
    code: 1,
    meaning: "The server refused, something failed, or the plan ended badly.",
  },
  usage: {
    code: 2,
    meaning:
      "Wrong usage, an input (file, configuration, context) that cannot be used, or a Node.js that is too old; nothing was sent.",
  },
  unreachable: {
    code: 3,
    meaning: "No Plinth server, or for `adapter check` no adapter, answers at the URL.",
  },
  unknown: {
    code: 4,
    meaning:
      "There is no such object: unit, plan, template, environment, … The message names the one probably meant.",
  },
  findings: {
    code: 5,
    meaning:
      "A check was carried out and found something breaking: a descriptor or template that is not valid, a plan that " +
      "contradicts itself, drift, an adapter that deviates; with `diff --exit-code`, a difference.",
  },
  interrupted: { code: 130, meaning: "Interrupted by Ctrl-C or a signal before it was done." },
} as const;

/** Codes of failures that the command line itself finds. */
export const cliErrors = {
  CLI_INPUT: {
    status: 400,
    meaning: "An argument, a file or a directory that was given cannot be used.",
    solution: "Correct what is named and run the command again.",
  },
  CLI_UNREACHABLE: {
    status: 503,
    meaning: "No Plinth server answers at the URL.",
    solution: "Start one with `plinth start`, or name another with --url or PLINTH_URL.",
  },
  CLI_UNKNOWN_UNIT: {
    status: 404,
    meaning: "No operation was ever started on the unit in the environment.",
    solution: "Check the id and the environment; the message names the unit that is probably meant.",
  },
  CLI_UNKNOWN_APPROVAL: {
    status: 404,
    meaning: "No tool call with this id waits for the caller.",
    solution: "List those that wait with `plinth assistant approvals`.",
  },
  CLI_SIGN_IN: {
    status: 401,
    meaning: "The sign-in at the identity provider did not succeed, or has ended.",
    solution: "Do what the message says; `plinth login` signs in again.",
  },
  CLI_PROVIDER_AWAY: {
    status: 503,
    meaning: "The identity provider can't be asked now.",
    solution: "Try again shortly; if it stays, check that this machine reaches the identity provider.",
  },
  CLI_DEFECT: {
    status: 500,
    meaning: "An unexpected error occurred in the command line.",
    solution: "Run it again; if it stays, report the message.",
  },
  CLI_DEMO: {
    status: 500,
    meaning: "The demo did not complete.",
    solution: "Read the log that it names.",
  },
} as const;

export const inputFailure = (
  message: string,
  details: { where?: string; solutions?: string[]; cause?: unknown } = {},
): Failure =>
  new Failure({
    kind: "invalid",
    code: "CLI_INPUT",
    message,
    ...(details.where === undefined ? {} : { problems: [{ where: details.where, message }] }),
    solutions: details.solutions ?? [],
    cause: details.cause,
  });

const usageCodes = new Set(["CLI_INPUT", "PLATFORM_CONFIG"]);
/** 404 answers to an address that the server does not have; they say nothing about an object. */
const noSuchAddress = new Set(["PLATFORM_NOT_FOUND", "HTTP_404"]);
/** Unknown objects that the server reports with another status than 404. */
const otherUnknown = new Set([
  "BUILDER_UNKNOWN_ENVIRONMENT",
  "CGP_UNKNOWN_ENVIRONMENT",
  "COORD_UNKNOWN_ENVIRONMENT",
  "COORD_UNKNOWN_UNIT",
  "COORD_UNKNOWN_TOKEN",
]);

export function exitCodeOf(error: unknown): number {
  if (!(error instanceof Failure)) return exitCodes.refused.code;
  if (usageCodes.has(error.code)) return exitCodes.usage.code;
  if (error.code === "CLI_UNREACHABLE") return exitCodes.unreachable.code;
  const isUnknown = error.kind === "not_found" && !noSuchAddress.has(error.code);
  return isUnknown || otherUnknown.has(error.code) ? exitCodes.unknown.code : exitCodes.refused.code;
}
