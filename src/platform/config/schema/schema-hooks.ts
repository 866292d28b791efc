import { Type, type Static } from "typebox";
import { count, entry, httpUrl, section, text } from "./schema-parts.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const hook = entry(
  {
    name: Type.String({
      pattern: "^[a-z0-9][a-z0-9-]{0,62}$",
      "x-expects": "at most 63 lower case letters, digits and hyphens",
      description: "Its name in records and lists.",
    }),
    kind: Type.Enum(["notification", "remote"] as const, {
      description:
        "`notification`: the owner of the resource or an operator answers it here. `remote`: a third party is called and answers it.",
    }),
    url: Type.Optional(httpUrl("Where the third party is called; for remote hooks.")),
    headers: Type.Optional(
      Type.Record(
        Type.String(),
        Type.String({ maxLength: 4096, "x-secret": true, description: "Value of the header." }),
        { description: "Headers of that call, e.g. `authorization`.", "x-reload": true },
      ),
    ),
    secret: Type.Optional(
      text("Signs the address that the third party answers to, and keeps it out of the database.", {
        "x-secret": true,
        "x-reload": true,
        "x-empty": "unset",
      }),
    ),
    timeoutMs: count(15 * second, "Time limit of one call.", { maximum: 5 * minute }),
    retryDelaysMs: Type.Array(Type.Integer({ minimum: 1, maximum: 48 * hour }), {
      maxItems: 30,
      default: [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour],
      description: "Waits after each failed call; after the last one the hook is KO.",
    }),
    expiresAfterMs: count(14 * day, "How long it waits for its answer.", { maximum: 365 * day }),
  },
  "One hook.",
);
export type HookSettings = Static<typeof hook>;

/** Who decides when nobody has configured anything: the owner of the resource. */
const ownerDecides = [{ name: "owner", kind: "notification" }];

export const actionHandlers = section(
  {
    accessRequest: section(
      {
        hooks: Type.Array(hook, {
          maxItems: 20,
          default: ownerDecides,
          description: "All of them have to be OK before access is changed.",
        }),
        approveWithoutHooks: Type.Boolean({
          default: false,
          description: "Whether requests are approved automatically when the list of hooks is empty.",
        }),
      },
      "Requests for access to output ports.",
    ),
    deployment: section(
      {
        hooks: Type.Array(hook, {
          maxItems: 20,
          default: ownerDecides,
          description: "All of them have to be OK before a plan that needs an approval begins.",
        }),
        approveWithoutHooks: Type.Boolean({
          default: false,
          description: "Whether plans are approved automatically when the list of hooks is empty.",
        }),
      },
      "Deployments and removals of data that need an approval, by the rules of governance.ownership.",
    ),
  },
  "What has to happen before an action is carried out.",
);
