import type { HookSettings } from "../platform/config/schema/schema-hooks.ts";
import { writeAudit as write, type AreaAuditEntry } from "../platform/db/audit.ts";
import type { Database, Db } from "../platform/db/database.ts";
import type { ActionSettings, GitSettings } from "../platform/config/schema/schema-publishing.ts";
import type { EventHub } from "../platform/events/events.ts";
import type { RequestContext } from "../platform/lib/request-context.ts";
import type { OutboundClients } from "../platform/outbound/outbound-clients.ts";
import type { Integration } from "./git/integrations.ts";
import type { SecretBox } from "../platform/lib/secrets/secret-box.ts";
import type { InstantiationLimits } from "./instantiations/task.ts";
import type { Renderer } from "./renderer.ts";

/** The dependencies of every service of the builder besides the request; compose creates them once. */
export interface BuilderDeps {
  database: Database;
  hub: EventHub;
  outbound: BuilderOutbound;
  renderer: Renderer;
  /** Encrypts the secrets of users. */
  secrets: SecretBox;
  settings: BuilderSettings;
}

/**
 * Outbound clients by purpose. Git hosts in the configuration are trusted because an operator named them,
 * whoever publishes to them.
 */
export type BuilderOutbound = Pick<OutboundClients, "templates" | "locations" | "hooks" | "integrations">;

export interface BuilderSettings {
  /** Configured environments, the one of highest priority first. */
  environments: readonly string[];
  /** The `<namespace>` in URNs of this platform. */
  namespace: string;
  /** Folder of the builder on disk: workspaces and bare repositories, each in its own subfolder. */
  dataDir: string;
  /** The public address of this server, without a trailing slash. */
  baseUrl: string;
  /** Longest rendering of one template, or of the input of one step. */
  renderTimeoutMs: number;
  instantiations: InstantiationLimits;
  /** The settings of each action that needs approval. */
  actionHandlers: Readonly<Record<ActionName, ActionHandlerSettings>>;
  /** `mesh.builder.actions`. */
  actions: ActionSettings;
  /** `mesh.builder.git`. */
  git: GitSettings;
  /** Git hosts in the configuration. */
  integrations: readonly Integration[];
  catalogue: CatalogueSettings;
  /** `mesh.marketplace.dataContracts.enabled`. */
  showsDataContracts: boolean;
}

/** Actions that hooks are bound to. */
export type ActionName = "accessRequest" | "deployment";

export interface ActionHandlerSettings {
  hooks: readonly HookSettings[];
  approveWithoutHooks: boolean;
}

export interface CatalogueSettings {
  /** Folders that `file` locations may be in; a relative target is looked up in them in order. */
  folders: readonly string[];
  /** Longest reading of one location. */
  readTimeoutMs: number;
  /** How often each location is read again; 0 for never. */
  refreshMs: number;
  /** Whose locations may provide users and groups. */
  peopleFrom: "admins" | "everybody";
}

export interface BuilderExtra {
  builder: BuilderDeps;
}

export type BuilderContext = RequestContext & BuilderExtra;

/** Writes an audit row of this area in the transaction of the change that it describes. */
export const writeAudit = (db: Db, ctx: RequestContext, entry: AreaAuditEntry): Promise<void> =>
  write(db, ctx, { ...entry, area: "builder" });
