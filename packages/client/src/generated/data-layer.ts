/** Generated from openapi/data-layer.json (sha256 dd2e021bb87e98d64405a18f9a8086efcaa39b2c243ae8d294f3f9798c4d6631) by scripts/client-types.ts; do not edit. */
export interface paths {
    "/graphql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the data of the platform by GraphQL
         * @description Reads only. Everybody sees what is published; operational rows are those of the domains in the caller's token, and all of them for operators. Queries beyond the limits are refused before anything is read. The schema is docs/reference/data-layer.graphql, and introspection answers it.
         */
        post: operations["queryDataLayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data-layer/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Say what the data layer shows, and what it can't */
        get: operations["getDataLayerMetadata"];
        /** Say what is tracked, where it does not follow the databases */
        put: operations["replaceDataLayerMetadata"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data-layer/metadata/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Export what is tracked */
        post: operations["exportDataLayerMetadata"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data-layer/metadata/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Track nothing any more
         * @description Queries are answered 503 until the metadata is restored or, with dataLayer.autoTracking, until a process starts that tracks the databases anew, as the one after an upgrade does.
         */
        post: operations["resetDataLayerMetadata"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data-layer/metadata/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore what an export has answered
         * @description With dataLayer.autoTracking it ends a reset, and is refused where there was none: the metadata follows the databases.
         */
        post: operations["restoreDataLayerMetadata"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            errors: string[];
            code: string;
            userMessage: string;
            input: string;
            inputErrorField: string;
            moreInfo: {
                problems: string[];
                solutions: string[];
            };
        };
        /** @description What was read, with what could not be. */
        GraphqlAnswer: {
            data: {
                [key: string]: unknown;
            } | null;
            errors?: components["schemas"]["GraphqlError"][];
        };
        GraphqlError: {
            message: string;
            path?: (string | number)[];
            locations?: components["schemas"]["GraphqlErrorPlace"][];
            extensions: components["schemas"]["GraphqlErrorCode"];
        };
        GraphqlErrorCode: {
            code: string;
        };
        GraphqlErrorPlace: {
            line: number;
            column: number;
        };
        /** @description Why the query was not executed. */
        GraphqlRefusal: {
            errors: components["schemas"]["GraphqlError"][];
        };
        /** @description A query, as GraphQL over HTTP has it. */
        GraphqlRequest: {
            /** @description A document; may be left out where its hash is known. */
            query?: string | null;
            /** @description By name. */
            variables?: {
                [key: string]: unknown;
            } | null;
            /** @description Which operation of the document is executed. */
            operationName?: string | null;
            /** @description What clients add. */
            extensions?: {
                /** @description The hash of a query that may have been sent before. */
                persistedQuery?: {
                    version: number;
                    sha256Hash: string;
                };
            } | null;
        };
        /** @description What the data layer shows. */
        Metadata: {
            /** @description Rises with every change of what is tracked. */
            revision: number;
            sources: {
                /** @description A name of dbs.sources. */
                name: string;
                schemas: string[];
                tables: {
                    schema: string;
                    name: string;
                    roles: string[];
                }[];
            }[];
            /** @description What is tracked and can't be shown, with the reason. */
            inconsistencies: {
                /** @description A name of dbs.sources. */
                source: string;
                message: string;
            }[];
        };
        /** @description What is tracked, to be restored later. */
        MetadataExport: {
            /** @description Of the metadata that was exported. An edit that names it is refused where there is another by now; a restore does not compare it. */
            revision?: number;
            sources: {
                /** @description A name of dbs.sources. */
                name: string;
                tables: {
                    schema: string;
                    name: string;
                }[];
            }[];
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
    queryDataLayer: {
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
                 *       "query": "query Products($domain: String) { allMarketplaceProducts(first: 10, condition: { domain: $domain }) { nodes { name } } }",
                 *       "variables": {
                 *         "domain": "finance"
                 *       },
                 *       "operationName": "Products",
                 *       "extensions": {}
                 *     }
                 */
                "application/json": components["schemas"]["GraphqlRequest"];
            };
        };
        responses: {
            /** @description What was read, with what could not be. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "allMarketplaceProducts": {
                     *           "nodes": [
                     *             {
                     *               "name": "Orders"
                     *             }
                     *           ]
                     *         }
                     *       },
                     *       "errors": [
                     *         {
                     *           "message": "allMarketplaceProducts has neither first nor last; give one of at most 100.",
                     *           "extensions": {
                     *             "code": "GRAPHQL_PAGE"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GraphqlAnswer"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphqlRefusal"];
                };
            };
            /** @description No valid credentials were sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphqlRefusal"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphqlRefusal"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphqlRefusal"];
                };
            };
            /** @description The body did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphqlRefusal"];
                };
            };
            /** @description The body or what it unpacks to is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphqlRefusal"];
                };
            };
            /** @description The body is in another charset than UTF-8 */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphqlRefusal"];
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
                    "application/json": components["schemas"]["GraphqlRefusal"];
                };
            };
            /** @description A failure on the server's side */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphqlRefusal"];
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
                    "application/json": components["schemas"]["GraphqlRefusal"];
                };
            };
        };
    };
    getDataLayerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the data layer shows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "revision": 3,
                     *       "sources": [
                     *         {
                     *           "name": "marketplace",
                     *           "schemas": [
                     *             "data_layer"
                     *           ],
                     *           "tables": [
                     *             {
                     *               "schema": "data_layer",
                     *               "name": "marketplace",
                     *               "roles": [
                     *                 "viewer",
                     *                 "developer",
                     *                 "operator",
                     *                 "admin",
                     *                 "service"
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "inconsistencies": [
                     *         {
                     *           "source": "marketplace",
                     *           "message": "allMarketplaceProducts has neither first nor last; give one of at most 100."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Metadata"];
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
    replaceDataLayerMetadata: {
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
                 *       "revision": 3,
                 *       "sources": [
                 *         {
                 *           "name": "marketplace",
                 *           "tables": [
                 *             {
                 *               "schema": "data_layer",
                 *               "name": "products"
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MetadataExport"];
            };
        };
        responses: {
            /** @description What the data layer shows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "revision": 3,
                     *       "sources": [
                     *         {
                     *           "name": "marketplace",
                     *           "schemas": [
                     *             "data_layer"
                     *           ],
                     *           "tables": [
                     *             {
                     *               "schema": "data_layer",
                     *               "name": "marketplace",
                     *               "roles": [
                     *                 "viewer",
                     *                 "developer",
                     *                 "operator",
                     *                 "admin",
                     *                 "service"
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "inconsistencies": [
                     *         {
                     *           "source": "marketplace",
                     *           "message": "allMarketplaceProducts has neither first nor last; give one of at most 100."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Metadata"];
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
    exportDataLayerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is tracked, to be restored later. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "revision": 3,
                     *       "sources": [
                     *         {
                     *           "name": "marketplace",
                     *           "tables": [
                     *             {
                     *               "schema": "data_layer",
                     *               "name": "products"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MetadataExport"];
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
    resetDataLayerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the data layer shows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "revision": 3,
                     *       "sources": [
                     *         {
                     *           "name": "marketplace",
                     *           "schemas": [
                     *             "data_layer"
                     *           ],
                     *           "tables": [
                     *             {
                     *               "schema": "data_layer",
                     *               "name": "marketplace",
                     *               "roles": [
                     *                 "viewer",
                     *                 "developer",
                     *                 "operator",
                     *                 "admin",
                     *                 "service"
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "inconsistencies": [
                     *         {
                     *           "source": "marketplace",
                     *           "message": "allMarketplaceProducts has neither first nor last; give one of at most 100."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Metadata"];
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
    restoreDataLayerMetadata: {
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
                 *       "revision": 3,
                 *       "sources": [
                 *         {
                 *           "name": "marketplace",
                 *           "tables": [
                 *             {
                 *               "schema": "data_layer",
                 *               "name": "products"
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MetadataExport"];
            };
        };
        responses: {
            /** @description What the data layer shows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "revision": 3,
                     *       "sources": [
                     *         {
                     *           "name": "marketplace",
                     *           "schemas": [
                     *             "data_layer"
                     *           ],
                     *           "tables": [
                     *             {
                     *               "schema": "data_layer",
                     *               "name": "marketplace",
                     *               "roles": [
                     *                 "viewer",
                     *                 "developer",
                     *                 "operator",
                     *                 "admin",
                     *                 "service"
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "inconsistencies": [
                     *         {
                     *           "source": "marketplace",
                     *           "message": "allMarketplaceProducts has neither first nor last; give one of at most 100."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Metadata"];
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
}
