import { Type } from "typebox";
import { count, entry, section, text } from "./schema-parts.ts";

const minute = 60_000;
const megabyte = 1024 * 1024;

/** Where entities come from, beyond what users register. */
export const catalogue = section(
  {
    folders: Type.Array(text("A folder; a relative one is below the working directory."), {
      maxItems: 100,
      default: [],
      description: "Folders whose files may be registered as locations of the type `file`.",
    }),
    refreshSeconds: count(300, "How often each location is read again; 0 for never.", {
      minimum: 0,
      maximum: 2_592_000,
    }),
    readTimeoutMs: count(
      60_000,
      "Time limit without progress while a location is read; the whole reading may take ten times as long.",
    ),
    peopleFrom: Type.Enum(["admins", "everybody"] as const, {
      default: "admins",
      description:
        "Whose locations may define users and groups, which determine ownership. Those of the startup actions always may.",
    }),
  },
  "The catalogue of entities.",
);

const startupLocation = entry(
  {
    type: Type.Enum(["file", "url", "git"] as const, {
      default: "file",
      description: "Type of the location.",
    }),
    target: text("Its target, as in `POST /api/catalog/locations`."),
  },
  "One location.",
);

const startupLocations = (description: string, targets: readonly string[]) =>
  Type.Array(startupLocation, {
    maxItems: 100,
    default: targets.map((target) => ({ type: "file" as const, target })),
    description,
  });

/** What is done once, at the first start of an installation or of this release. */
export const startupActions = section(
  {
    catalog: section(
      {
        practiceShaperLocations: startupLocations(
          "Locations of the default taxonomy, registered when no taxonomy is. An empty list: none.",
          ["default-taxonomy.yaml"],
        ),
        accessRequestLocations: startupLocations(
          "Locations of the default access request templates, registered when there are none. An empty list: none.",
          ["access-request-templates.yaml"],
        ),
        locations: startupLocations("Further locations, registered when no other location is.", []),
      },
      "Locations that are registered once.",
    ),
    governance: section(
      {
        policies: Type.Boolean({
          default: true,
          description: "Installs the policy `Global specification compliance`, in grace.",
        }),
      },
      "Policies that are installed once.",
    ),
  },
  "Actions that run once, at the first start. They never remove anything and are never repeated.",
);

export const instantiations = section(
  {
    parallel: count(32, "Tasks at a time in this process; more wait.", { maximum: 10_000 }),
    parallelPerUser: count(
      24,
      "Tasks of one user at a time in all processes together, so that nobody keeps all others waiting; 0 for no limit.",
      {
        minimum: 0,
        maximum: 10_000,
      },
    ),
    actionTimeoutMs: count(10 * minute, "Time limit of one action."),
    eachItems: count(1_000, "Maximum number of items in the `each` of a step.", { maximum: 100_000 }),
    events: count(10_000, "Maximum number of events of one task; further log lines are left out."),
    outputBytes: count(megabyte, "Maximum size of the output of one step, and of the task."),
    workspaceBytes: count(100 * megabyte, "Maximum size of the workspace of a task."),
    workspaceFiles: count(20_000, "Maximum number of files and folders in the workspace of a task."),
    retentionDays: count(90, "How long tasks that have ended are kept, from their start.", {
      maximum: 36_500,
    }),
    secretKey: Type.Optional(
      text(
        "Key of the installation, under which secrets of tasks, models and external agents are stored: 32 bytes in " +
          "base64. Without one it is made in the data directory; several processes with directories of their own " +
          "need the same one here.",
        {
          pattern: "^[A-Za-z0-9+/]{43}=$",
          "x-expects": "32 bytes in base64",
          "x-secret": true,
          "x-reload": true,
          "x-empty": "unset",
        },
      ),
    ),
    formerSecretKeys: Type.Array(
      Type.String({ pattern: "^[A-Za-z0-9+/]{43}=$", "x-expects": "32 bytes in base64" }),
      {
        maxItems: 8,
        default: [],
        "x-secret": true,
        "x-reload": true,
        description:
          "Keys of the installation of before, which open what they sealed until `plinth admin rekey` has sealed it with the " +
          "present one. Those in files of `builder/former-keys` in the data directory are read as well.",
      },
    ),
    forgetKey: Type.Optional(
      text(
        "Fingerprint of a key of the installation that is lost for good. The next start takes the present key instead, " +
          "and what was sealed with the lost one can't be read any more. The error of the start names it.",
        { pattern: "^(?:[0-9a-f]{32}|unrecorded)$", "x-expects": "a fingerprint", "x-empty": "unset" },
      ),
    ),
  },
  "Tasks that instantiate templates.",
);
