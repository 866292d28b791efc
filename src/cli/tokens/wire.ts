/** What a server answers about tokens, as far as it is printed. */

export interface Token {
  id: string;
  kind: string;
  owner: string;
  name: string;
  ending: string | null;
  roles: string[];
  scopes: string[];
  status: string;
  expiresAt: string;
  lastUsedAt: string | null;
}

export interface MadeToken extends Token {
  token: string;
}

export interface ServiceAccount {
  name: string;
  ref: string;
  roles: string[];
  activeTokens: number;
  description: string | null;
}

/** The choices of --role; the server has the last word. */
export const roles = ["viewer", "developer", "operator", "admin", "service"] as const;
