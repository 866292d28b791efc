/** Generated from openapi/auth.json (sha256 c2ed519ad7698eb2d55c5e5095a7cf534f8338bfbf6afd765e678102805d75c2) by scripts/client-types.ts; do not edit. */
export interface paths {
    "/api/auth/access-tokens/jwt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a JWT for a token
         * @description The token in the body is the credential. The JWT is good for the wanted scopes, as long as the token is. Clients may send the token itself as well, wherever a bearer token is taken.
         */
        post: operations["exchangeAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/session-tokens/jwt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a JWT for the caller's session
         * @description For whatever the request is signed in with: a JWT of an identity provider, a fixed token, a token that was made here. It is good for no more and no longer. The session is listed with the caller's tokens and can be revoked like these.
         */
        post: operations["exchangeSessionToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/v1/userinfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get who the caller is
         * @description The user, and the groups of the catalogue that the user is in.
         */
        get: operations["getUserInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/v1/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get who the caller is, with roles and scopes
         * @description For people and programs alike, whatever they are signed in with.
         */
        get: operations["getCaller"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/v1/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get where people sign in
         * @description What a client on a command line needs to sign somebody in at the identity provider, by the device authorization grant (RFC 8628).
         */
        get: operations["getSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/v1/browser/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get who is signed in, and where people sign in
         * @description For whatever the request comes with: the cookie of a session, a bearer token, nothing. Credentials that are not accepted count as none, and a cookie that is not accepted is taken from the browser. While the identity provider of a session can't be asked, the caller is who it was when it was asked last, and other operations are refused with 503.
         */
        get: operations["getBrowserSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/v1/browser/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Begin a sign-in with a browser
         * @description Sends the browser to the identity provider, with PKCE and a nonce. What goes wrong leads to `/sign-in?error=…` with one of denied, expired, provider, unavailable, refused, unknown-provider.
         */
        get: operations["beginBrowserSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/v1/browser/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * End a sign-in with a browser
         * @description Where the identity provider leads the browser back to. The browser gets the cookie of a new session, and the session that it had before ends. What goes wrong leads to `/sign-in?error=…` with one of denied, expired, provider, unavailable, refused, unknown-provider. Audited.
         */
        get: operations["endBrowserSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/v1/browser/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out of a browser
         * @description Ends the session of the cookie, whose event streams end within seconds, and takes the cookie from the browser. Needs the header `X-Plinth-Console: 1`. The identity provider need not be there. Audited.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tokens, the newest first
         * @description Those of the caller; operators and administrators may ask for those of others.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Make a token
         * @description For the caller, or by an administrator for a service account. The answer has the token this once; only its hash is stored. It is never allowed more than its owner at the time of use. Audited.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/v1/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token
         * @description Every process refuses it, and the JWTs that stand for it, within three seconds. To revoke it again changes nothing. Operators and administrators revoke those of others, too. Audited.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/v1/service-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List service accounts */
        get: operations["listServiceAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/v1/service-accounts/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make or change a service account
         * @description All its tokens have the new roles within three seconds, as far as each may have them. Audited.
         */
        put: operations["putServiceAccount"];
        post?: never;
        /**
         * Delete a service account
         * @description Its tokens are revoked. Audited.
         */
        delete: operations["deleteServiceAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccessTokenExchange: {
            /** @description The token. */
            access_token: string;
            /**
             * @description Life of the JWT: at most accessTokens.maxJwtSeconds, and never longer than what it is got for.
             * @default 3600
             */
            duration_seconds?: number;
            /** @description Scopes with blanks between. Not given: those of what it is got for. */
            scope?: string;
        };
        BrowserCaller: {
            /** @description Who the caller acts as. */
            ref: string;
            /** @description What vouches for the caller: the name of a provider, or guest. */
            provider: string;
            roles: string[];
            /** @description What the credentials are good for. */
            scopes: string[];
            /** @description The groups of the catalogue that the caller is in. */
            groups: string[];
        };
        BrowserProvider: {
            name: string;
            /** @description How it is called on a sign-in page. */
            title: string;
            /** @description Where the browser goes; `&returnTo=` may be added. */
            signInUrl: string;
        };
        BrowserSession: {
            /** @description As in the list of tokens, by which it can be revoked. */
            id: string;
            /** Format: date-time */
            startedAt: string;
            /**
             * Format: date-time
             * @description Its end where it is not used before.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description Its end however much it is used.
             */
            endsAt: string;
        };
        BrowserState: {
            /** @description Null where nobody is signed in. */
            caller: components["schemas"]["BrowserCaller"] | null;
            /** @description Whether the caller needs no credentials, as in development; then there is nothing to sign out of. */
            isGuest: boolean;
            /** @description Null where the request has no cookie of one. */
            session: components["schemas"]["BrowserSession"] | null;
            /** @description Identity providers at which people sign in with a browser. */
            providers: components["schemas"]["BrowserProvider"][];
            mode: "development" | "production";
            /** @description Of the server. */
            version: string;
            /** @description Names, the first in order first. */
            environments: string[];
        };
        Caller: {
            /** @description Who the caller acts as. */
            ref: string;
            /** @description What vouches for the caller: the name of a provider, or guest. */
            provider: string;
            roles: string[];
            /** @description What the credentials are good for. */
            scopes: string[];
            /** @description Of the token or session, where the credentials were made here. */
            tokenId: string | null;
            /** @description When the credentials expire, as far as that is known. */
            expiresAt: string | null;
        };
        Error: {
            error: {
                code: string;
                message: string;
                problems: {
                    where: string;
                    message: string;
                }[];
                solutions: string[];
                requestId: string;
            };
        };
        Jwt: {
            /** @description A bearer token. */
            jwt: string;
            /** @description Seconds. */
            expires_in: number;
            scope: string;
        };
        MadeToken: {
            id: string;
            kind: components["schemas"]["TokenKind"];
            /** @description Whom its bearer acts as. */
            owner: string;
            name: string;
            /** @description Its last letters; null for sessions. */
            ending: string | null;
            /** @description At most these of the owner's roles at the time of use. */
            roles: components["schemas"]["Role"][];
            scopes: string[];
            status: components["schemas"]["TokenStatus"];
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            /** Format: date-time */
            expiresAt: string;
            /**
             * Format: date-time
             * @description To within a minute; null where it was never used.
             */
            lastUsedAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            revokedBy: string | null;
            /** @description The token itself. It is shown this once. */
            token: string;
        };
        NewToken: {
            /** @description What it is for. */
            name: string;
            /** @description The service account that it is for; without it the token is the caller's own. */
            service?: string;
            /** @description At most these of the owner's roles, also when the owner gets more. Not given: those it has now. */
            roles?: components["schemas"]["Role"][];
            /**
             * @description What it may be used for, such as `read` or `coordinator:read`.
             * @default [
             *       "all"
             *     ]
             */
            scopes?: string[];
            /** @description At most accessTokens.maxDays. Not given: accessTokens.defaultDays. */
            expiresInDays?: number;
        };
        /**
         * @description One of the roles.
         * @enum {string}
         */
        Role: "viewer" | "developer" | "operator" | "admin" | "service";
        ServiceAccount: {
            name: string;
            /** @description Whom its tokens act as. */
            ref: string;
            roles: components["schemas"]["Role"][];
            domains: string[] | null;
            description: string | null;
            activeTokens: number;
            /** Format: date-time */
            updatedAt: string;
            updatedBy: string;
        };
        ServiceAccountChange: {
            /** @description Roles of the program, whatever tokens it has. */
            roles: components["schemas"]["Role"][];
            /** @description Domains whose operational rows it reads in the data layer. */
            domains?: string[];
            description?: string;
        };
        ServiceAccountList: {
            data: components["schemas"]["ServiceAccount"][];
        };
        SessionExchange: {
            /**
             * @description Life of the JWT: at most accessTokens.maxJwtSeconds, and never longer than what it is got for.
             * @default 3600
             */
            duration_seconds?: number;
            /** @description Scopes with blanks between. Not given: those of what it is got for. */
            scope?: string;
            /** @description Gives a sign-in a session of its own under that name, which is listed and revoked apart from the owner's others; no JWT is issued for it once it was revoked. A token that was made here has none: its JWTs end with the token. */
            session_name?: string;
        };
        SessionJwt: {
            /** @description A bearer token. */
            jwt: string;
            /** @description Seconds. */
            expires_in: number;
            scope: string;
            /** @description Of the session or token that the JWT stands for, by which it is revoked. */
            session_id: string;
        };
        SignIn: {
            /** @description Identity providers at which the command line can sign in. */
            providers: components["schemas"]["SignInProvider"][];
            /** @description The longest life of a JWT for a session. */
            maxSeconds: number;
        };
        SignInProvider: {
            name: string;
            issuer: string;
            /** @description Where its endpoints are. */
            metadataUrl: string;
            clientId: string;
            scopes: string[];
            /** @description What else it wants when a sign-in begins. */
            parameters: {
                [key: string]: string;
            };
        };
        SignedOut: {
            /** @description Where the identity provider ends its own session, if it has such a page. */
            endSessionUrl: string | null;
        };
        Token: {
            id: string;
            kind: components["schemas"]["TokenKind"];
            /** @description Whom its bearer acts as. */
            owner: string;
            name: string;
            /** @description Its last letters; null for sessions. */
            ending: string | null;
            /** @description At most these of the owner's roles at the time of use. */
            roles: components["schemas"]["Role"][];
            scopes: string[];
            status: components["schemas"]["TokenStatus"];
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            /** Format: date-time */
            expiresAt: string;
            /**
             * Format: date-time
             * @description To within a minute; null where it was never used.
             */
            lastUsedAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            revokedBy: string | null;
        };
        /**
         * @description Of a person or program that made it for itself, of a service account, or of a session that JWTs were got for.
         * @enum {string}
         */
        TokenKind: "personal" | "service" | "session";
        TokenList: {
            data: components["schemas"]["Token"][];
            meta: components["schemas"]["TokenListMeta"];
        };
        TokenListMeta: {
            pagination: components["schemas"]["TokenPagination"];
        };
        TokenPagination: {
            limit: number;
            next: string | null;
        };
        /** @enum {string} */
        TokenStatus: "active" | "expired" | "revoked";
        UserClaims: {
            /** @description The user. */
            sub: string;
            /** @description The user and the groups that the user is in. */
            ent: string[];
            /** @description When the token expires, where it is a JWT. */
            exp?: number;
        };
        UserInfo: {
            claims: components["schemas"]["UserClaims"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    exchangeAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "access_token": "plinth_of-the-example",
                 *       "duration_seconds": 3600,
                 *       "scope": "coordinator:read"
                 *     }
                 */
                "application/json": components["schemas"]["AccessTokenExchange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jwt": "header.claims.signature",
                     *       "expires_in": 3600,
                     *       "scope": "coordinator:read"
                     *     }
                     */
                    "application/json": components["schemas"]["Jwt"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exchangeSessionToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "duration_seconds": 3600,
                 *       "scope": "coordinator:read",
                 *       "session_name": "command line on laptop"
                 *     }
                 */
                "application/json": components["schemas"]["SessionExchange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jwt": "header.claims.signature",
                     *       "expires_in": 3600,
                     *       "scope": "coordinator:read",
                     *       "session_id": "5f0c1f5e-6f0a-4a53-9d0a-3a8f3a0c9b7e"
                     *     }
                     */
                    "application/json": components["schemas"]["SessionJwt"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUserInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "claims": {
                     *         "sub": "user:default/ada",
                     *         "ent": [
                     *           "user:default/ada",
                     *           "group:default/fleet"
                     *         ],
                     *         "exp": 1795433400
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UserInfo"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCaller: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ref": "user:default/ada",
                     *       "provider": "oidc",
                     *       "roles": [
                     *         "viewer"
                     *       ],
                     *       "scopes": [
                     *         "coordinator:read"
                     *       ],
                     *       "tokenId": "5f0c1f5e-6f0a-4a53-9d0a-3a8f3a0c9b7e",
                     *       "expiresAt": "2026-12-23T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Caller"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "providers": [
                     *         {
                     *           "name": "oidc",
                     *           "issuer": "https://login.example.org",
                     *           "metadataUrl": "https://login.example.org/.well-known/openid-configuration",
                     *           "clientId": "plinth-command-line",
                     *           "scopes": [
                     *             "openid",
                     *             "offline_access"
                     *           ],
                     *           "parameters": {}
                     *         }
                     *       ],
                     *       "maxSeconds": 86400
                     *     }
                     */
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBrowserSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "caller": {
                     *         "ref": "user:default/ada",
                     *         "provider": "oidc",
                     *         "roles": [
                     *           "developer"
                     *         ],
                     *         "scopes": [
                     *           "all"
                     *         ],
                     *         "groups": [
                     *           "group:default/fleet"
                     *         ]
                     *       },
                     *       "isGuest": false,
                     *       "session": {
                     *         "id": "5f0c1f5e-6f0a-4a53-9d0a-3a8f3a0c9b7e",
                     *         "startedAt": "2026-11-23T09:30:00.000Z",
                     *         "expiresAt": "2026-11-23T10:30:00.000Z",
                     *         "endsAt": "2026-11-24T09:30:00.000Z"
                     *       },
                     *       "providers": [
                     *         {
                     *           "name": "oidc",
                     *           "title": "Company account",
                     *           "signInUrl": "/api/auth/v1/browser/sign-in?provider=oidc"
                     *         }
                     *       ],
                     *       "mode": "production",
                     *       "version": "0.1.0",
                     *       "environments": [
                     *         "development",
                     *         "production"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BrowserState"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    beginBrowserSignIn: {
        parameters: {
            query?: {
                /**
                 * @description Not given: the only one that there is.
                 * @example oidc
                 */
                provider?: string;
                /**
                 * @description Where the browser is led afterwards: a path of this server of at most 500 characters that begins with one slash. Anything else counts as `/`.
                 * @example /units
                 */
                returnTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the browser goes next. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endBrowserSignIn: {
        parameters: {
            query?: {
                state?: string;
                code?: string;
                iss?: string;
                error?: string;
                error_description?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the browser goes next. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "endSessionUrl": "https://login.example.org/logout?client_id=plinth-console"
                     *     }
                     */
                    "application/json": components["schemas"]["SignedOut"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /**
                 * @description Whose, or `all`; operators and administrators may name others than themselves.
                 * @example user:default/ada
                 */
                owner?: string;
                /** @example active */
                status?: "active" | "ended" | "all";
                limit?: number;
                /** @description `meta.pagination.next` of the page before. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "5f0c1f5e-6f0a-4a53-9d0a-3a8f3a0c9b7e",
                     *           "kind": "personal",
                     *           "owner": "user:default/ada",
                     *           "name": "nightly report",
                     *           "ending": "mple",
                     *           "roles": [
                     *             "viewer"
                     *           ],
                     *           "scopes": [
                     *             "coordinator:read"
                     *           ],
                     *           "status": "active",
                     *           "createdAt": "2026-11-23T09:30:00.000Z",
                     *           "createdBy": "user:default/ada",
                     *           "expiresAt": "2026-12-23T09:30:00.000Z",
                     *           "lastUsedAt": "2026-11-23T10:12:00.000Z",
                     *           "revokedAt": null,
                     *           "revokedBy": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "limit": 50,
                     *           "next": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TokenList"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "nightly report",
                 *       "service": "deploy-bot",
                 *       "roles": [
                 *         "viewer"
                 *       ],
                 *       "scopes": [
                 *         "coordinator:read"
                 *       ],
                 *       "expiresInDays": 30
                 *     }
                 */
                "application/json": components["schemas"]["NewToken"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f0c1f5e-6f0a-4a53-9d0a-3a8f3a0c9b7e",
                     *       "kind": "personal",
                     *       "owner": "user:default/ada",
                     *       "name": "nightly report",
                     *       "ending": "mple",
                     *       "roles": [
                     *         "viewer"
                     *       ],
                     *       "scopes": [
                     *         "coordinator:read"
                     *       ],
                     *       "status": "active",
                     *       "createdAt": "2026-11-23T09:30:00.000Z",
                     *       "createdBy": "user:default/ada",
                     *       "expiresAt": "2026-12-23T09:30:00.000Z",
                     *       "lastUsedAt": "2026-11-23T10:12:00.000Z",
                     *       "revokedAt": null,
                     *       "revokedBy": null,
                     *       "token": "plinth_of-the-example"
                     *     }
                     */
                    "application/json": components["schemas"]["MadeToken"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 5f0c1f5e-6f0a-4a53-9d0a-3a8f3a0c9b7e */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listServiceAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "deploy-bot",
                     *           "ref": "service:default/deploy-bot",
                     *           "roles": [
                     *             "viewer"
                     *           ],
                     *           "domains": [
                     *             "fleet"
                     *           ],
                     *           "description": "Deploys what is merged.",
                     *           "activeTokens": 1,
                     *           "updatedAt": "2026-11-23T09:30:00.000Z",
                     *           "updatedBy": "user:default/grace"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceAccountList"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description `*` changes an account: refused with 404 when there is none. */
                "if-match"?: string;
                /** @description `*` makes a new account: refused with 409 when there is one. */
                "if-none-match"?: string;
            };
            path: {
                /**
                 * @description It acts as `service:default/<name>`.
                 * @example deploy-bot
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "roles": [
                 *         "viewer"
                 *       ],
                 *       "domains": [
                 *         "fleet"
                 *       ],
                 *       "description": "Deploys what is merged."
                 *     }
                 */
                "application/json": components["schemas"]["ServiceAccountChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "deploy-bot",
                     *       "ref": "service:default/deploy-bot",
                     *       "roles": [
                     *         "viewer"
                     *       ],
                     *       "domains": [
                     *         "fleet"
                     *       ],
                     *       "description": "Deploys what is merged.",
                     *       "activeTokens": 1,
                     *       "updatedAt": "2026-11-23T09:30:00.000Z",
                     *       "updatedBy": "user:default/grace"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceAccount"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteServiceAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description It acts as `service:default/<name>`.
                 * @example deploy-bot
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not available at the moment */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
