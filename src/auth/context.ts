import type { BrowserSessions } from "../platform/auth/browser/sessions.ts";
import type { StoredTokens } from "../platform/auth/tokens/stored-tokens.ts";
import type { Config, Mode } from "../platform/config/schema/schema.ts";
import { writeAudit as write, type AreaAuditEntry } from "../platform/db/audit.ts";
import type { Database, Db } from "../platform/db/database.ts";
import type { SecretBox } from "../platform/lib/secrets/secret-box.ts";
import type { RequestContext } from "../platform/lib/request-context.ts";
import type { ReadGroups } from "./ports.ts";
import type { SignInProvider } from "./sign-in.ts";

/** What every service of the area gets besides the request; made once by its module. */
export interface AuthDeps {
  database: Database;
  tokens: StoredTokens;
  settings: Config["accessTokens"];
  /** Where people sign in, as the command line needs it. */
  signIn: readonly SignInProvider[];
  readGroups: ReadGroups;
  sessions: BrowserSessions;
  secrets: SecretBox;
  /** `server.baseUrl`. */
  baseUrl: string | undefined;
  /** Its path, without a slash at the end. */
  prefix: string;
  /** Where the process really listens, which port 0 leaves open. */
  listensAt: string;
  mode: Mode;
  version: string;
  /** Names of the environments, in their order. */
  environments: readonly string[];
}

export interface AuthExtra {
  auth: AuthDeps;
}

export type AuthContext = RequestContext & AuthExtra;

/** Writes an audit row of this area in the transaction of the change that it describes. */
export const writeAudit = (db: Db, ctx: RequestContext, entry: AreaAuditEntry): Promise<void> =>
  write(db, ctx, { ...entry, area: "auth" });
