import { Type, type Static, type TSchema } from "typebox";
import { count, entry, httpUrl, section, text } from "./schema-parts.ts";

const second = 1_000;
const minute = 60 * second;

export const actions = section(
  {
    folder: Type.Optional(
      text(
        "Folder with modules of further actions; its package.json names them under `plinth.actionModules`, or else under `dependencies`.",
      ),
    ),
    confined: Type.Boolean({
      default: true,
      description:
        "Whether such a module writes nowhere but into the workspace and its temporary folder, and starts no programs.",
    }),
    timeoutMs: count(10 * minute, "Time limit of an action of such a module.", {
      maximum: 24 * 60 * minute,
    }),
    maxMemoryMb: count(512, "Heap of the process that it runs in, in MiB.", { minimum: 32, maximum: 65_536 }),
    publishAliases: Type.Array(
      text("Name in front of `:publish:…`.", {
        maxLength: 63,
        pattern: "^[A-Za-z][A-Za-z0-9_-]*$",
        "x-expects": "a word of letters, digits, hyphens and underscores",
      }),
      {
        maxItems: 20,
        uniqueItems: true,
        default: [],
        description:
          "Further names of the publish actions: `mesh` makes `mesh:publish:gitlab` do what `publish:gitlab` does. The builder's namespace always is one.",
      },
    ),
  },
  "Actions of templates.",
);

export const git = section(
  {
    timeoutMs: count(2 * minute, "Time limit of a fetch or push.", { maximum: 60 * minute }),
    allowFileRemotes: Type.Boolean({
      default: false,
      description: "Whether publish:git may push to file: addresses on this machine.",
    }),
    defaultBranch: text("Branch of new repositories.", { default: "main", maxLength: 100 }),
    authorName: text("Author of commits, unless the step names one.", { default: "Plinth", maxLength: 200 }),
    authorEmail: text("Email address of that author.", { default: "plinth@localhost", maxLength: 200 }),
    edits: Type.Enum(["branch", "push"] as const, {
      default: "branch",
      description:
        "Where an edit of an entity is published: to a branch of its own, to be reviewed and accepted, or directly to the entity's branch.",
    }),
    commitMessage: text("Message of commits, unless the step has one.", { default: "Initial commit" }),
  },
  "Git repositories.",
);

const host = text("Host as in addresses, with its port where it has one.", {
  maxLength: 255,
  pattern: "^[A-Za-z0-9.-]+(?::\\d{1,5})?$",
  "x-expects": "a host name without scheme or path",
});

const token = Type.Optional(
  text("Token that it is called with, unless the step has one.", {
    "x-secret": true,
    "x-reload": true,
    "x-empty": "unset",
  }),
);

const hosts = <P extends Record<string, TSchema>>(name: string, more: P) =>
  Type.Array(
    entry(
      {
        host,
        apiBaseUrl: Type.Optional(httpUrl("Address of its interface, where it is not the usual one.")),
        token,
        ...more,
      },
      "One host.",
    ),
    { maxItems: 50, default: [], description: `Hosts of ${name}.` },
  );

export const integrations = section(
  {
    github: hosts("GitHub", {}),
    gitlab: hosts("GitLab", {}),
    azure: hosts("Azure DevOps", {}),
    bitbucket: hosts("Bitbucket Cloud", {
      username: Type.Optional(text("User name that the token belongs to, where it is an app password.")),
    }),
    gitea: hosts("Gitea or Forgejo", {
      username: Type.Optional(text("User name that the token belongs to, where the host asks for it.")),
    }),
    git: Type.Array(
      entry(
        {
          host,
          username: text("User name that it is called with.", { default: "git", maxLength: 200 }),
          token,
        },
        "One host.",
      ),
      {
        maxItems: 50,
        default: [],
        description: "Hosts of any other kind that repositories are read from and published to over https.",
      },
    ),
  },
  "Git hosts, for reading and publishing.",
);

export type ActionSettings = Static<typeof actions>;
export type GitSettings = Static<typeof git>;
export type IntegrationSettings = Static<typeof integrations>;
