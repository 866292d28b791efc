import { Type, type Static } from "typebox";
import { count, entry, environmentName, httpUrl, section } from "./schema-parts.ts";

/** Types of events that a webhook can subscribe to; docs/reference/events.md describes each. */
export const outgoingEventTypes = [
  "plinth.plan.status-changed",
  "plinth.task.status-changed",
  "plinth.component.status-changed",
  "plinth.unit.status-changed",
  "plinth.access.changed",
  "plinth.outcome.unknown",
  "plinth.outcome.settled",
  "plinth.drift.found",
] as const;
export type OutgoingEventType = (typeof outgoingEventTypes)[number];

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const webhook = entry(
  {
    name: Type.String({
      pattern: "^[a-z0-9][a-z0-9-]{0,62}$",
      "x-expects": "at most 63 lower case letters, digits and hyphens",
      description:
        "Its name in lists, metrics and replays. Its position in the stream of events is stored under it.",
    }),
    url: httpUrl("Where the events are posted to."),
    secrets: Type.Array(
      Type.String({
        pattern: "^whsec_[A-Za-z0-9+/]{32,86}={0,2}$",
        "x-expects": "whsec_ and then 24 to 64 random bytes in base64",
      }),
      {
        minItems: 1,
        maxItems: 5,
        "x-secret": true,
        "x-reload": true,
        description: "Each signs every message, so that a receiver can go from an old one to a new one.",
      },
    ),
    events: Type.Optional(
      Type.Array(Type.Enum(outgoingEventTypes), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: "Types of events that it receives; all when not set.",
      }),
    ),
    environments: Type.Optional(
      Type.Array(environmentName("Name of an environment."), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: "Environments whose events it receives; all when not set.",
      }),
    ),
    timeoutMs: count(15 * second, "Time limit of a call.", { maximum: 5 * minute }),
    parallel: count(4, "Calls of it at a time, in this process. Events of one subject go one by one.", {
      maximum: 64,
    }),
    retryDelaysMs: Type.Array(Type.Integer({ minimum: 1, maximum: 48 * hour }), {
      maxItems: 30,
      default: [
        5 * second,
        30 * second,
        2 * minute,
        10 * minute,
        30 * minute,
        hour,
        2 * hour,
        4 * hour,
        8 * hour,
      ],
      description: "Waits after each failed attempt; after the last one the event is dead.",
    }),
  },
  "One webhook.",
);
export type WebhookSettings = Static<typeof webhook>;

export const webhooks = Type.Array(webhook, {
  maxItems: 50,
  default: [],
  description: "Receivers of changes, as signed CloudEvents over HTTP.",
});

export const unknownOutcomes = section(
  {
    retryDelaysMs: Type.Array(Type.Integer({ minimum: 1, maximum: 30 * 24 * hour }), {
      maxItems: 30,
      default: [minute, 5 * minute, 15 * minute, hour, 6 * hour, 12 * hour, 24 * hour],
      description:
        "Waits before each time that an adapter is asked again, the first one after the end of the plan; none: it is never asked by the clock.",
    }),
  },
  "Calls whose outcome is unknown: adapters are asked by the clock, by polling their token or by repeating the identical call where they declare that it is safe.",
);

export const drift = section(
  {
    schedules: Type.Array(
      entry(
        {
          environment: environmentName("Name of the environment."),
          everyMinutes: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 525_600,
              description: "How often each of its deployed units is checked; this or `cron`.",
            }),
          ),
          cron: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 200,
              description:
                "When its deployed units are checked, as five fields: minute, hour, day, month, day of the week.",
            }),
          ),
          timeZone: Type.String({
            default: "UTC",
            minLength: 1,
            maxLength: 64,
            description: "Of the cron expression, such as Europe/Rome.",
          }),
          reconcile: Type.Enum(["off", "ask", "auto"] as const, {
            default: "off",
            description:
              "What follows from drift: nothing, a question to the unit's owners, or a plan that repairs it by itself where an owner might start it at once.",
          }),
        },
        "One environment.",
      ),
      {
        maxItems: 100,
        default: [],
        description: "Environments that are checked by the clock; none by default.",
      },
    ),
    reconcile: section(
      {
        parallelPlans: count(3, "Plans that repair drift by themselves at a time.", { maximum: 1_000 }),
        perUnitHours: count(
          24,
          "After one of them, further drift of the unit is asked about for this long.",
          {
            maximum: 8_784,
          },
        ),
        stopAfterFailures: count(
          3,
          "Failures in a row in an environment after which every repair there is asked about, until one succeeds.",
          { maximum: 1_000 },
        ),
        askHours: count(72, "How long a question waits for an answer.", { maximum: 8_784 }),
      },
      "Plans that repair drift.",
    ),
    parallelComponents: count(8, "Components of a unit that are checked at a time.", { maximum: 256 }),
    timeoutMs: count(
      10 * minute,
      "Time limit of a check of one unit; components without a result by then are UNKNOWN.",
    ),
  },
  "Checks whether what is deployed still is as it was deployed.",
);
