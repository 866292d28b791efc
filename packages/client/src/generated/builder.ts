/** Generated from openapi/builder.json (sha256 9eeb29f3b7c818dc4ec33f7fcbbaeba833ed854540bba906f73ae1362f9c0847) by scripts/client-types.ts; do not edit. */
export interface paths {
    "/api/builder/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a tech adapter
         * @description Links an infrastructure template identifier to the address of its tech adapter in one environment. Repeating it updates. The header x-plinth-reachable says whether something answered at the address.
         */
        post: operations["registerTechAdapter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/hooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a hook */
        get: operations["getHook"];
        /**
         * Update the status of a hook
         * @description The answer of a third party. `id` is the request id that ends the respondToUrl: whoever has it may answer, once; no other credentials are looked at.
         */
        put: operations["updateHook"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List hooks
         * @description The latest first. Operators see all, others those of what they own or have asked for. No entry contains the request id with which a remote hook is answered.
         */
        get: operations["listHooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/hooks/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a hook
         * @description The answer of a person: of the owner of the resource to a notification, of an operator to any hook.
         */
        post: operations["answerHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/access-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List access requests
         * @description The latest first. Operators see all, others their own and those about what they own.
         */
        get: operations["listAccessRequests"];
        put?: never;
        /**
         * Request access
         * @description Opens a request that access to output ports is granted or revoked. It is carried out once every configured hook is OK.
         */
        post: operations["requestAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/access-requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an access request */
        get: operations["getAccessRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/access-requests/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a failed access request again
         * @description Its hooks are not asked again; ports that are done already are left alone. One that grants access is refused (409) when a request that was approved later revokes the same access, or 7 days after its approval.
         */
        post: operations["retryAccessRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/access-requests/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw an access request
         * @description One that is not decided yet. Its hooks can't be answered any more.
         */
        post: operations["withdrawAccessRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/git/{name}/info/refs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * First request of a git clone
         * @description Branches of a repository, in git's protocol. Besides a bearer token it takes HTTP Basic with the token as password.
         */
        get: operations["advertiseRepository"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/git/{name}/git-upload-pack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Second request of a git clone
         * @description Objects of a repository, as git's protocol asks for them.
         */
        post: operations["cloneRepository"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/custom-views/{pageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a custom view
         * @description What a page shows of an entity, and where: as somebody has published it, else the page's own.
         */
        get: operations["getCustomView"];
        /**
         * Publish a custom view
         * @description Replaces the view of the page and its draft. With `revision` only where nobody was faster.
         */
        put: operations["putCustomView"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/marketplace/v1/data-contracts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List data contracts
         * @description The contracts of all output ports that are deployed in an environment, by data product.
         */
        get: operations["listDataContracts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog/entities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List entities
         * @description Without a limit all of them, sent piece by piece. With one a Link header with rel="next" names the next page.
         */
        get: operations["listEntities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog/entities/by-query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List entities page by page, with their number */
        get: operations["queryEntities"];
        put?: never;
        /** List entities for which a predicate holds, page by page */
        post: operations["queryEntitiesByPredicate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog/entities/by-refs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read entities by their references */
        post: operations["getEntitiesByRefs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog/entities/by-name/{kind}/{namespace}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an entity by its name */
        get: operations["getEntityByName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog/entities/by-name/{kind}/{namespace}/{name}/ancestry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what an entity was made from */
        get: operations["getEntityAncestry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog/entities/by-uid/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an entity by its uid */
        get: operations["getEntityByUid"];
        put?: never;
        post?: never;
        /**
         * Remove an entity
         * @description For orphans. An entity that its location still contains is restored when the location is read again.
         */
        delete: operations["removeEntity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog/entity-facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count entities by the values of fields */
        get: operations["getEntityFacets"];
        put?: never;
        /** Count entities for which a predicate holds by the values of fields */
        post: operations["queryEntityFacets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog/validate-entity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a document without registering it
         * @description Besides the usual error body a refusal has `errors`, a list of names and messages.
         */
        post: operations["validateEntity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List locations */
        get: operations["listLocations"];
        put?: never;
        /**
         * Register a location
         * @description Reads the location and stores its entities. An entity that is not valid, or belongs to another location already, is left out; the location's `problems` say so. Where no entity is valid, or the location has users or groups and may not bring them, the answer is 400 and nothing is registered.
         */
        post: operations["registerLocation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog/locations/by-query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List locations for which a predicate holds, page by page */
        post: operations["queryLocations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog/analyze-location": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See which entities stand at an address
         * @description Nothing is written. Where there are no entities, one is suggested.
         */
        post: operations["analyzeLocation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog/locations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a location */
        get: operations["getLocation"];
        /**
         * Have a location lead to another target
         * @description The new target is read at once. Entities that it has too stay what they are; the others are orphans from then on. A target that could not be registered is refused.
         */
        put: operations["updateLocation"];
        post?: never;
        /** Unregister a location and its entities */
        delete: operations["unregisterLocation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog/locations/by-entity/{kind}/{namespace}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the location of an entity */
        get: operations["getLocationByEntity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Have the location of an entity read again */
        post: operations["refreshEntity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/templates/instantiate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Instantiate a template
         * @description Starts a task and answers its id at once.
         */
        post: operations["instantiateTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/templates/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a template
         * @description Runs the steps without effects outside and answers their log, the files they made and the output. Actions that can't be tried are left out.
         */
        post: operations["dryRunTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/templates/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a template
         * @description Names everything in a Template entity that an instantiation would refuse.
         */
        post: operations["validateTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/templates/tasks/{taskId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get template instantiation status */
        get: operations["getInstantiationStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/templates/tasks/{taskId}/eventstream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream template instantiation events
         * @description Server-Sent Events `log`, `recovered`, `cancelled` and, as the last one, `completion`. `Last-Event-ID` or `after` resumes.
         */
        get: operations["streamInstantiationEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/templates/tasks/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a template instantiation with its steps */
        get: operations["getInstantiation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/templates/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List template instantiations
         * @description The newest first.
         */
        get: operations["listInstantiations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/templates/tasks/{taskId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a template instantiation
         * @description The task ends at once; an action under way is aborted.
         */
        post: operations["cancelInstantiation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/templates/tasks/{taskId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a template instantiation
         * @description Goes on at the step that failed, under the same id. Secrets were forgotten when the task ended and are given anew.
         */
        post: operations["retryInstantiation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/templates/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the actions that templates may use */
        get: operations["listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/templates/forms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the forms that change an entity
         * @description Edit and reverse provisioning templates for the template that the entity was made with (`spec.mesh.useCaseTemplateId`), or the one that the entity names.
         */
        get: operations["listEntityForms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/templates/form": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a form with what an entity has now
         * @description Read from the repository of the entity, at the head of its branch. The form is sent with `POST /templates/instantiate`, `entityRef` and `revision`.
         */
        get: operations["getEntityForm"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/templates/tasks/{taskId}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an edit
         * @description Takes the branch that an edit was published to into the branch of its entity, as long as that has not moved on.
         */
        post: operations["acceptEdit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scaffolder/v2/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List template instantiations */
        get: operations["scaffolderTasks"];
        put?: never;
        /** Instantiate a template */
        post: operations["scaffolderStart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scaffolder/v2/tasks/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a template instantiation */
        get: operations["scaffolderTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scaffolder/v2/tasks/{taskId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a template instantiation */
        post: operations["scaffolderCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scaffolder/v2/tasks/{taskId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retry a template instantiation */
        post: operations["scaffolderRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scaffolder/v2/tasks/{taskId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get events of a template instantiation
         * @description Waits for the next one when there is none yet.
         */
        get: operations["scaffolderEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scaffolder/v2/tasks/{taskId}/eventstream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stream events of a template instantiation */
        get: operations["scaffolderEventStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scaffolder/v2/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try a template */
        post: operations["scaffolderDryRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scaffolder/v2/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the actions that templates may use */
        get: operations["scaffolderActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scaffolder/v2/templates/{namespace}/{kind}/{name}/parameter-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the form of a template */
        get: operations["scaffolderParameterSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scaffolder/v2/autocomplete/{provider}/{resource}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose owners, repositories or branches
         * @description Asks a git host with the token of the caller: `github` (owners, repositoriesWithOwner, branches), `gitlab` (groups, repositories), `bitbucket-cloud` (workspaces, projects, repositories, branches).
         */
        post: operations["scaffolderAutocomplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scaffolder/v2/templating-extensions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the filters and functions that expressions may use
         * @description Those beyond the language of templates itself.
         */
        get: operations["scaffolderExtensions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/descriptor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Build a descriptor from an archive
         * @description Resolves the entities of an archive for one environment into the descriptor of their system. Each warning is a sentence in the header x-plinth-warning.
         */
        post: operations["buildDescriptor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/builder/descriptor/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Build a descriptor from the catalogue
         * @description Resolves a system and the components that are part of it, as the catalogue last read them, into a descriptor. The same files in an archive give the same descriptor. Each warning is a sentence in the header x-plinth-warning.
         */
        post: operations["previewDescriptor"];
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
        AcceptedEdit: {
            entityRef: string;
            branch: string;
            commitHash: string;
        };
        /** @enum {unknown} */
        AccessOperation: "GRANT" | "REVOKE";
        AccessOutputPort: {
            urn: string;
            /** @description As deployed. */
            name: string | null;
            status: components["schemas"]["AccessOutputPortStatusWord"];
            /** @description The coordinator's plan. */
            executionPlanId: string | null;
            /** @description Why it failed. */
            message: string | null;
            /** @description What it waits for at the moment. */
            waiting: string | null;
            /** @description Since when. */
            waitingSince: string | null;
        };
        /** @enum {unknown} */
        AccessOutputPortStatusWord: "WAITING" | "APPLYING" | "DONE" | "FAILED";
        AccessRequest: {
            id: string;
            operation: components["schemas"]["AccessOperation"];
            status: components["schemas"]["AccessRequestStatusWord"];
            deploymentUnitId: string;
            environment: string;
            outputPorts: components["schemas"]["AccessOutputPort"][];
            identities: string[];
            reason: string;
            /** @description The template that was named. */
            templateRef: string | null;
            accessControlFields: {
                [key: string]: unknown;
            } | null;
            requester: string;
            /** @description Who may answer notifications about it. */
            owners: string[];
            /** @description Further information about its status. */
            message: string | null;
            /** @description What it waits for at the moment. */
            waiting: components["schemas"]["AccessRequestWaiting"] | null;
            attempt: number;
            createdAt: string;
            updatedAt: string;
            /** @description When it ended. */
            endedAt: string | null;
            hooks: components["schemas"]["AccessRequestHook"][];
            /** @description Every status that it has had, in order. */
            history: components["schemas"]["AccessRequestEvent"][];
        };
        AccessRequestEvent: {
            at: string;
            status: components["schemas"]["AccessRequestStatusWord"];
            by: string;
            /** @description Further information. */
            message: string | null;
        };
        AccessRequestHook: {
            hookId: string;
            hookName: string;
            kind: components["schemas"]["HookKind"];
            status: components["schemas"]["HookStatusWord"];
            expiresAt: string;
            /** @description Who answered it. */
            endedBy: string | null;
            /** @description Why it ended, when somebody said so. */
            reason: string | null;
            /** @description What it waits for at the moment. */
            waiting: string | null;
        };
        AccessRequestList: {
            data: components["schemas"]["AccessRequestSummary"][];
            meta: components["schemas"]["IdCursorPage"];
        };
        /** @enum {unknown} */
        AccessRequestStatusWord: "PENDING" | "APPROVED" | "APPLYING" | "GRANTED" | "REVOKED" | "REJECTED" | "EXPIRED" | "WITHDRAWN" | "FAILED";
        AccessRequestSummary: {
            id: string;
            operation: components["schemas"]["AccessOperation"];
            status: components["schemas"]["AccessRequestStatusWord"];
            deploymentUnitId: string;
            environment: string;
            outputPorts: components["schemas"]["AccessOutputPort"][];
            identities: string[];
            reason: string;
            /** @description The template that was named. */
            templateRef: string | null;
            accessControlFields: {
                [key: string]: unknown;
            } | null;
            requester: string;
            /** @description Who may answer notifications about it. */
            owners: string[];
            /** @description Further information about its status. */
            message: string | null;
            /** @description What it waits for at the moment. */
            waiting: components["schemas"]["AccessRequestWaiting"] | null;
            attempt: number;
            createdAt: string;
            updatedAt: string;
            /** @description When it ended. */
            endedAt: string | null;
        };
        AccessRequestToMake: {
            /**
             * @description Whether the identities get access or lose it; nobody else's access changes.
             * @default GRANT
             */
            operation?: components["schemas"]["AccessOperation"];
            /** @description Id of the unit that has the output ports. */
            deploymentUnitId: string;
            /** @description A configured environment. */
            environment: string;
            /** @description Each has to be deployed and consumable. */
            outputPortUrns: string[];
            /** @description As user:… and group:…. */
            identities: string[];
            /**
             * @description For those who decide.
             * @default
             */
            reason?: string;
            /** @description Entity reference of an AccessControlRequestTemplate; accessControlFields have to fit it. */
            templateRef?: string;
            /** @description Shown to those who decide, and passed on to the adapter. */
            accessControlFields?: {
                [key: string]: unknown;
            };
        };
        AccessRequestWaiting: {
            reason: string;
            since: string;
        };
        CursorPage: {
            pagination: {
                limit: number;
                next: string | null;
            };
        };
        CustomView: {
            pageId: string;
            /** @description 0 until somebody has published one. */
            revision: number;
            /** @description The values in the middle of the page, in order. */
            grid: components["schemas"]["CustomViewItem"][];
            /** @description The values at its side, in order. */
            side: components["schemas"]["CustomViewItem"][];
            /** @description Whether it is what the page shows by itself. */
            isDefault: boolean;
            /** @description What an upgrade has made of removed settings, as it stood there; null where there is none. */
            draft: unknown;
            updatedAt: string | null;
            updatedBy: string | null;
        };
        CustomViewItem: {
            /** @description What stands before the value. */
            label: string;
            /** @description Where the value is in the entity: `spec.mesh.maturity`, `spec.tags[0]`. */
            path: string;
            /** @default text */
            kind: components["schemas"]["CustomViewItemKind"];
        };
        /**
         * @description How the value is shown.
         * @default text
         * @enum {unknown}
         */
        CustomViewItemKind: "text" | "link" | "date" | "list" | "markdown";
        CustomViewItemToPublish: {
            /** @description What stands before the value. */
            label: string;
            /** @description Where the value is in the entity: `spec.mesh.maturity`, `spec.tags[0]`. */
            path: string;
            /** @default text */
            kind?: components["schemas"]["CustomViewItemKind"];
        };
        CustomViewToPublish: {
            /** @description The values in the middle of the page, in order. */
            grid: components["schemas"]["CustomViewItemToPublish"][];
            /** @description The values at its side, in order. */
            side: components["schemas"]["CustomViewItemToPublish"][];
            /** @description Of the view that this one was made from; refused (409) where there is a newer one. */
            revision?: number;
        };
        DataContract: {
            dataProduct: {
                id: string;
                name: string | null;
                domain: string | null;
                owner: string | null;
            };
            outputPort: {
                id: string;
                name: string | null;
                version: string | null;
            };
            environment: string;
            /** @description `dataContract` of the output port as it is deployed; secrets are ***. */
            contract: unknown;
        };
        DataContractPage: {
            data: components["schemas"]["DataContract"][];
            /** @description Where the next page begins; null after the last one. A page may be empty. */
            next: string | null;
        };
        Descriptor: {
            id: string;
            name: string;
            version: string;
            environment: string;
            projectKind: string;
            kind: string;
            domain: string;
            dataProductOwner?: string;
            metadata: {
                name: string;
            } & {
                [key: string]: unknown;
            };
            components: {
                [key: string]: unknown;
            }[];
        } & {
            [key: string]: unknown;
        };
        DescriptorArchive: {
            /**
             * Format: binary
             * @description A .tar.gz or .tgz file with one directory for each entity.
             */
            archive: string;
            /** @description Environment whose configurations apply. */
            environment: string;
        };
        DescriptorOfSystemRequest: {
            /** @description Reference of a system in the catalogue, such as `system:default/finance.orders.0`. */
            systemRef: string;
            /** @description Environment whose configurations apply. */
            environment: string;
        };
        DescriptorResult: {
            descriptor: components["schemas"]["Descriptor"];
        };
        DryRunLogLine: {
            body: {
                message: string;
                stepId?: string;
                status?: string;
            };
            /** Format: date-time */
            createdAt: string;
        };
        /** @enum {unknown} */
        DryRunOutcome: "completed" | "failed";
        DryRunRequest: {
            templateRef?: string;
            /** @description A Template entity, instead of `templateRef`. */
            template?: {
                [key: string]: unknown;
            };
            values: {
                [key: string]: unknown;
            };
            /** @description By environment: values that replace some of `values` there. Templates know them as `environment.<name>`. */
            environmentOverrides?: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            /** @description Known to the template as `secrets.<name>`. Stored encrypted while the task goes on, and never shown. All secrets of a request, in `values` too, have 131,072 characters together at most. */
            secrets?: {
                [key: string]: string;
            };
            /**
             * @description Files next to the template; its relative paths begin there.
             * @default []
             */
            directoryContents?: components["schemas"]["GivenFile"][];
        };
        DryRunResult: {
            status: components["schemas"]["DryRunOutcome"];
            log: components["schemas"]["DryRunLogLine"][];
            steps: components["schemas"]["DryRunStep"][];
            output: {
                [key: string]: unknown;
            };
            error: string | null;
            directoryContents: components["schemas"]["WrittenFile"][];
        };
        DryRunStep: {
            id: string;
            name: string;
            action: string;
        };
        EntitiesOfRefs: {
            /** @description In the order of the references; null where there is none. */
            items: ({
                [key: string]: unknown;
            } | null)[];
        };
        /** @description An entity, with the relations that it and others declare. */
        Entity: {
            apiVersion: string;
            kind: string;
            metadata: components["schemas"]["EntityMetadata"];
            spec?: {
                [key: string]: unknown;
            };
            relations?: components["schemas"]["EntityRelation"][];
        } & {
            [key: string]: unknown;
        };
        EntityAncestry: {
            rootEntityRef: string;
            items: {
                entity: components["schemas"]["Entity"];
                parentEntityRefs: string[];
            }[];
        };
        EntityFacet: {
            value: string;
            count: number;
        };
        EntityFacetQuery: {
            /** @description Fields to count by. Those that have more than 100000 values together are refused. */
            facets: string[];
            /** @description Conditions: fields with a value or one of `$in`, `$exists`, `$hasPrefix`, `$contains`; `$all`, `$any` and `$not` around such conditions. Case does not matter. */
            query?: {
                [key: string]: unknown;
            };
        };
        EntityFacets: {
            facets: {
                [key: string]: components["schemas"]["EntityFacet"][];
            };
        };
        EntityForm: {
            templateRef: string;
            kind: components["schemas"]["EntityFormKind"];
            title: string;
            description?: string;
            entityRef: string;
            /** @description Commit that the values were read from; send it with the start of the edit. */
            revision: string;
            steps: components["schemas"]["EntityFormStep"][];
            /** @description What the entity has now, for the fields of the pages. */
            values: {
                [key: string]: unknown;
            };
            /** @description The same by environment, for pages with `environmentParameters`. */
            environmentOverrides: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            environments: string[];
        };
        /**
         * @description `edit`: an EditTemplate; `reverse`: a ReverseProvisioningTemplate.
         * @enum {unknown}
         */
        EntityFormKind: "edit" | "reverse";
        EntityFormList: {
            data: components["schemas"]["EntityFormSummary"][];
        };
        EntityFormStep: {
            title: string;
            description?: string;
            schema: {
                [key: string]: unknown;
            };
            /** @description Whether the page is asked for each environment; its values go into `environmentOverrides`. */
            environmentParameters: boolean;
        };
        EntityFormSummary: {
            templateRef: string;
            kind: components["schemas"]["EntityFormKind"];
            title: string;
            description?: string;
        };
        EntityMetadata: {
            name: string;
            namespace?: string;
            uid?: string;
        } & {
            [key: string]: unknown;
        };
        EntityOrder: {
            field: string;
            /**
             * @default asc
             * @enum {string}
             */
            order?: "asc" | "desc";
        };
        EntityPage: {
            items: {
                [key: string]: unknown;
            }[];
            totalItems: number;
            pageInfo: components["schemas"]["EntityPageInfo"];
        };
        EntityPageInfo: {
            /** @description Cursor of the next page, where there is one. */
            nextCursor?: string;
            /** @description Cursor of the previous page. */
            prevCursor?: string;
        };
        EntityQuery: {
            /** @description Conditions: fields with a value or one of `$in`, `$exists`, `$hasPrefix`, `$contains`; `$all`, `$any` and `$not` around such conditions. Case does not matter. */
            query?: {
                [key: string]: unknown;
            };
            /** @description `nextCursor` or `prevCursor` of an earlier answer; the other conditions come from it. */
            cursor?: string;
            /**
             * @description Entities of this answer.
             * @default 20
             */
            limit?: number;
            /**
             * @description Number of entities to skip.
             * @default 0
             */
            offset?: number;
            orderBy?: components["schemas"]["EntityOrder"][];
            fullTextFilter?: {
                /** @description Text that a field contains. */
                term?: string;
                fields?: string[];
            };
            fields?: string[];
            /** @default include */
            totalItems?: components["schemas"]["EntityTotal"];
        };
        EntityRefs: {
            entityRefs: string[];
            /** @description Conditions: fields with a value or one of `$in`, `$exists`, `$hasPrefix`, `$contains`; `$all`, `$any` and `$not` around such conditions. Case does not matter. */
            query?: {
                [key: string]: unknown;
            };
            fields?: string[];
        };
        EntityRelation: {
            type: string;
            targetRef: string;
        };
        EntityToRefresh: {
            entityRef: string;
        };
        EntityToValidate: {
            /** @description The document. */
            entity: unknown;
            /** @description `type:target` that it would come from. */
            location: string;
        };
        /**
         * @description Whether the entities are counted; `totalItems` of the answer is 0 otherwise.
         * @default include
         * @enum {string}
         */
        EntityTotal: "include" | "exclude";
        Error: {
            error: {
                name: string;
                message: string;
                code: string;
                problems?: {
                    /** @description JSON pointer into the input, or a file in the archive with line and column. */
                    where: string;
                    message: string;
                    solution?: string;
                }[];
            };
            request: {
                method: string;
                url: string;
            };
            response: {
                statusCode: number;
            };
        };
        GivenFile: {
            path: string;
            base64Content: string;
        };
        Hook: {
            hookId: string;
            hookName: string;
            actionId: string;
            actionName: string;
            creationAt: string;
            updateAt: string;
            status: components["schemas"]["HookStatusWord"];
            kind: components["schemas"]["HookKind"];
            requester: string;
            /** @description Who may answer a notification; operators may answer every hook. */
            owners: string[];
            /** @description What is asked for. */
            about: {
                /** @description The unit that it is about. */
                deploymentUnitId: string | null;
                /** @description Where. */
                environment: string | null;
                /** @description Of the action accessRequest. */
                accessRequestId: string | null;
                /** @description Of the action deployment: the plan that waits. */
                planId: string | null;
                /** @description Whether data is to be removed. */
                removeData: boolean;
            };
            expiresAt: string;
            /** @description Calls of the third party that were begun. */
            attempts: number;
            /** @description When the third party accepted the request. */
            sentAt: string | null;
            sentInfo: {
                [key: string]: unknown;
            } | null;
            /** @description Why the last call failed, or what was unexpected in its answer. */
            lastError: string | null;
            response: {
                [key: string]: unknown;
            } | null;
            /** @description Who answered it. */
            endedBy: string | null;
            /** @description Why it ended, when somebody said so. */
            reason: string | null;
            /** @description What it waits for at the moment. */
            waiting: string | null;
            /** @description Only of the action deployment, and of a single hook. */
            deployment?: {
                deploymentUnitId: string;
                environment: string;
                /** @description The plan that waits for the decision. */
                planId: string;
                /** @description As in its preview; empty for a resumption. */
                planHash: string;
                removeData: boolean;
                /** @description The rule by which somebody else decides. */
                rule: string;
                /** @description At most 200 of them. */
                changes: {
                    componentId: string;
                    action: string;
                    reason: string;
                }[];
                changeCount: number;
                /** @description Entity references of those who may decide; operators may too, the requester never. */
                approvers?: string[];
                /** @description What the plan's descriptor changes, as in `getUnitDiff`: `environment` is what is deployed now, `otherEnvironment` what the plan is to deploy. Only while the decision waits. */
                diff?: {
                    identical: boolean;
                    components: {
                        componentId: string;
                        /** @enum {unknown} */
                        result: "IDENTICAL" | "DIFFERENT" | "ONLY_IN_ENVIRONMENT" | "ONLY_IN_OTHER_ENVIRONMENT";
                        differences: ("STATUS" | "DESCRIPTOR_VERSION" | "FIELDS")[];
                        status: {
                            environment: string | null;
                            otherEnvironment: string | null;
                        };
                        descriptorVersion: {
                            environment: string;
                            otherEnvironment: string;
                        };
                        changedFields: {
                            /** @description JSON pointer into the component's descriptor. */
                            field: string;
                            environment?: unknown;
                            otherEnvironment?: unknown;
                        }[];
                        hasMoreChangedFields: boolean;
                    }[];
                };
                /** @description What the policies said when the plan was started; absent where they could not be asked. They are asked again when it begins. */
                policyResults?: {
                    componentId: string;
                    /**
                     * @description FAILED: they would stop the plan.
                     * @enum {unknown}
                     */
                    status: "COMPLETED" | "FAILED";
                    problems: string[];
                    /** @description What to do about the problems, as the policies advise. */
                    solutions?: string[];
                }[];
            };
        };
        HookAnswer: {
            status: components["schemas"]["HookDecision"];
            /**
             * @description For the requester.
             * @default
             */
            reason?: string;
        };
        /** @enum {unknown} */
        HookDecision: "OK" | "KO";
        /** @enum {unknown} */
        HookKind: "notification" | "remote";
        HookList: {
            data: components["schemas"]["Hook"][];
            meta: components["schemas"]["IdCursorPage"];
        };
        /** @enum {unknown} */
        HookStatusWord: "pending" | "OK" | "KO";
        HookSummary: {
            hookId: string;
            hookName: string;
            actionId: string;
            actionName: string;
            creationAt: string;
            updateAt: string;
            status: components["schemas"]["HookStatusWord"];
        };
        HookUpdate: {
            /** @description The decision of the third party. */
            status: components["schemas"]["HookDecision"];
            /** @description Kept as the response data of the hook. Its `reason`, `message` or `comment` is shown to the requester. */
            hookInfo?: {
                [key: string]: unknown;
            };
        };
        IdCursorPage: {
            pagination: {
                limit: number;
                next: string | null;
            };
        };
        Instantiation: {
            id: string;
            templateRef: string;
            /** @description Title of the template. */
            title: string;
            status: components["schemas"]["InstantiationStatusWord"];
            /** @description Entity reference of who started it. */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            endedAt: string | null;
            error: string | null;
            /** @description The entity that an edit or a reverse provisioning changes. */
            entityRef: string | null;
            /** @description Secret values are masked. */
            parameters: {
                [key: string]: unknown;
            };
            environmentOverrides: {
                [key: string]: unknown;
            };
            steps: components["schemas"]["InstantiationStep"][];
            output: {
                [key: string]: unknown;
            };
            /** @description Why it does not progress at the moment. */
            waiting: string | null;
        };
        InstantiationId: {
            id: string;
        };
        InstantiationList: {
            data: components["schemas"]["InstantiationSummary"][];
            meta: components["schemas"]["CursorPage"];
        };
        InstantiationRequest: {
            /** @description Reference of the template: `[template:][<namespace>/]<name>`. With `entityRef` it is an EditTemplate or a ReverseProvisioningTemplate, named with its kind. */
            templateRef: string;
            /** @description The system or component that is changed: `values` are then fields of it that get a new value; null takes one away, and fields that are left out stay. */
            entityRef?: string;
            /** @description `revision` of the form that was filled in; when the branch has moved on, the answer is 409. */
            revision?: string;
            /** @description Of a reverse provisioning: the environment that the adapter is asked about. */
            environment?: string;
            /** @description Values of the template's parameters. */
            values: {
                [key: string]: unknown;
            };
            /** @description By environment: values that replace some of `values` there. Templates know them as `environment.<name>`. */
            environmentOverrides?: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            /** @description Known to the template as `secrets.<name>`. Stored encrypted while the task goes on, and never shown. All secrets of a request, in `values` too, have 131,072 characters together at most. */
            secrets?: {
                [key: string]: string;
            };
        };
        InstantiationStatus: {
            status: components["schemas"]["InstantiationStatusWord"];
        };
        /** @enum {unknown} */
        InstantiationStatusWord: "open" | "processing" | "completed" | "failed" | "cancelled";
        InstantiationStep: {
            id: string;
            name: string;
            action: string;
            /** @enum {unknown} */
            status: "open" | "processing" | "completed" | "failed" | "skipped";
            output: {
                [key: string]: unknown;
            };
            error: string | null;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            endedAt: string | null;
        };
        InstantiationSummary: {
            id: string;
            templateRef: string;
            /** @description Title of the template. */
            title: string;
            status: components["schemas"]["InstantiationStatusWord"];
            /** @description Entity reference of who started it. */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            endedAt: string | null;
            error: string | null;
        };
        Location: {
            id: string;
            type: string;
            target: string;
            /** @description What was wrong when it was last read. */
            problems: components["schemas"]["LocationProblem"][];
            /** @description When it was last read well; null when it has not been yet. */
            refreshedAt: string | null;
        };
        LocationAnalysis: {
            /** @description Entities that stand at the address. */
            existingEntityFiles: {
                location: {
                    type: string;
                    target: string;
                };
                /** @description The catalogue has the location or the entity already. */
                isRegistered: boolean;
                entity: components["schemas"]["Entity"];
            }[];
            /** @description Where there is none: an entity to begin with. */
            generateEntities: {
                entity: {
                    [key: string]: unknown;
                };
                fields: {
                    field: string;
                    description: string;
                    value: string | null;
                    state: string;
                }[];
            }[];
        };
        LocationEntry: {
            data: components["schemas"]["Location"];
        };
        LocationPage: {
            items: components["schemas"]["Location"][];
            totalItems: number;
            pageInfo: {
                nextCursor?: string;
            };
        };
        LocationProblem: {
            /** @description File, line and column in the location. */
            where: string;
            message: string;
            solution?: string;
        };
        LocationQuery: {
            /** @description Conditions on `id`, `type` and `target`, as those on entities in `POST /entities/by-query`. */
            query?: {
                [key: string]: unknown;
            };
            /**
             * @description Locations of this answer.
             * @default 1000
             */
            limit?: number;
            /** @description `nextCursor` of an earlier answer; the other conditions come from it. */
            cursor?: string;
        };
        LocationToAnalyze: {
            location: components["schemas"]["LocationToRegister"];
            /** @description Only files of this name count. */
            catalogFileName?: string;
        };
        LocationToRegister: {
            /** @default url */
            type?: components["schemas"]["LocationType"];
            /** @description `url`: address of a file. `git`: `https://host/name.git#ref:path`. `file`: a path in a folder that the operator allows. */
            target: string;
        };
        /**
         * @description Kind of the target.
         * @default url
         * @enum {string}
         */
        LocationType: "url" | "git" | "file";
        RegisteredLocation: {
            location: components["schemas"]["Location"];
            /** @description Those that were taken in; none where a worker does that, which it does for more than 2,000. */
            entities: components["schemas"]["Entity"][];
            /** @description The location is registered already. */
            exists: boolean;
        };
        RetryRequest: {
            /** @description Known to the template as `secrets.<name>`. Stored encrypted while the task goes on, and never shown. All secrets of a request, in `values` too, have 131,072 characters together at most. */
            secrets?: {
                [key: string]: string;
            };
            /** @description Values of the template's secret fields by their pointer in the first request, e.g. `/values/password`. */
            secretValues?: {
                [key: string]: unknown;
            };
        };
        ScaffolderAction: {
            id: string;
            description: string;
            schema: {
                input: {
                    [key: string]: unknown;
                };
                output?: {
                    [key: string]: unknown;
                };
            };
            examples: {
                [key: string]: unknown;
            }[];
        };
        ScaffolderAutocompleteRequest: {
            /** @description Of the caller, for the host that is asked. */
            token: string;
            /** @default {} */
            context?: {
                [key: string]: string;
            };
        };
        ScaffolderAutocompleteResult: {
            results: {
                id: string;
                title?: string;
            }[];
        };
        ScaffolderDryRunRequest: {
            template: {
                [key: string]: unknown;
            };
            values: {
                [key: string]: unknown;
            };
            secrets?: {
                [key: string]: string;
            };
            /** @default [] */
            directoryContents?: components["schemas"]["GivenFile"][];
        };
        ScaffolderEvent: {
            id: number;
            taskId: string;
            /** @enum {unknown} */
            type: "log" | "recovered" | "cancelled" | "completion";
            body: {
                [key: string]: unknown;
            };
            isTaskRecoverable: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        ScaffolderParameterSchema: {
            title: string;
            description?: string;
            steps: {
                title: string;
                description?: string;
                schema: {
                    [key: string]: unknown;
                };
            }[];
        };
        ScaffolderStartRequest: {
            templateRef: string;
            values: {
                [key: string]: unknown;
            };
            secrets?: {
                [key: string]: string;
            };
        };
        ScaffolderTask: {
            id: string;
            spec: {
                [key: string]: unknown;
            };
            status: components["schemas"]["InstantiationStatusWord"];
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            /** Format: date-time */
            lastHeartbeatAt?: string;
        };
        ScaffolderTaskList: {
            tasks: components["schemas"]["ScaffolderTask"][];
            totalTasks: number;
        };
        /** @description Links an infrastructure template identifier to the address of its tech adapter. */
        TechAdapterRegistration: {
            /**
             * @description Identifier of the form urn:<namespace>:itm:<adapter-name>:<version>.
             * @example urn:dmb:itm:postgres-storage:1
             */
            id: string;
            /** @description Name for people. */
            name: string;
            /** @description What the adapter is for. */
            description: string;
            /** @description Equals the last segment of the id. */
            version: string;
            /** @description HTTP address of the adapter, as the provisioning coordinator reaches it. */
            url: string;
            /**
             * @description One of the configured environments.
             * @enum {string}
             */
            environment: "development" | "production";
            /**
             * @description Further properties of the infrastructure template.
             * @default {}
             */
            properties?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: {
                [key: string]: unknown;
            };
        };
        TemplateAction: {
            id: string;
            description: string;
            supportsDryRun: boolean;
            input: {
                [key: string]: unknown;
            };
            output: {
                [key: string]: unknown;
            };
        };
        TemplateProblem: {
            /** @description JSON pointer into the entity; in an expression with line and column. */
            where: string;
            message: string;
        };
        TemplateToValidate: {
            /** @description A Template entity. */
            template: {
                [key: string]: unknown;
            };
        };
        TemplateVerdict: {
            problems: components["schemas"]["TemplateProblem"][];
        };
        TemplatingExample: {
            description?: string;
            example: string;
            notes?: string;
        };
        TemplatingExtensions: {
            filters: {
                [key: string]: components["schemas"]["TemplatingFunction"];
            };
            globals: {
                functions: {
                    [key: string]: components["schemas"]["TemplatingFunction"];
                };
                values: {
                    [key: string]: {
                        description?: string;
                        value: unknown;
                    };
                };
            };
        };
        TemplatingFunction: {
            description: string;
            schema: {
                [key: string]: unknown;
            };
            examples: components["schemas"]["TemplatingExample"][];
        };
        WrittenFile: {
            path: string;
            base64Content: string;
            executable: boolean;
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
    registerTechAdapter: {
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
                 *       "id": "urn:dmb:itm:postgresql-view:1",
                 *       "name": "PostgreSQL views",
                 *       "description": "Makes views in a PostgreSQL database.",
                 *       "version": "1",
                 *       "url": "http://postgresql-adapter:4101",
                 *       "environment": "development",
                 *       "properties": {}
                 *     }
                 */
                "application/json": components["schemas"]["TechAdapterRegistration"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example OK */
                    "application/json": "OK";
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
    getHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description `hookId` of a record; not the request id.
                 * @example 7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10
                 */
                id: string;
            };
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
                     *       "hookId": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *       "hookName": "owner-approves",
                     *       "actionId": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *       "actionName": "accessRequest",
                     *       "creationAt": "2026-11-22T09:30:00.000Z",
                     *       "updateAt": "2026-11-22T09:30:04.250Z",
                     *       "status": "pending",
                     *       "kind": "notification",
                     *       "requester": "user:default/grace",
                     *       "owners": [
                     *         "user:default/ada"
                     *       ],
                     *       "about": {
                     *         "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *         "environment": "development",
                     *         "accessRequestId": null,
                     *         "planId": null,
                     *         "removeData": true
                     *       },
                     *       "expiresAt": "2026-11-29T09:30:00.000Z",
                     *       "attempts": 1,
                     *       "sentAt": "2026-11-22T09:30:00.000Z",
                     *       "sentInfo": null,
                     *       "lastError": null,
                     *       "response": null,
                     *       "endedBy": null,
                     *       "reason": null,
                     *       "waiting": null
                     *     }
                     */
                    "application/json": components["schemas"]["Hook"];
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
    updateHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example cap_n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "OK",
                 *       "hookInfo": {
                 *         "ticket": "FLEET-118"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["HookUpdate"];
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
                     *       "hookId": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *       "hookName": "owner-approves",
                     *       "actionId": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *       "actionName": "accessRequest",
                     *       "creationAt": "2026-11-22T09:30:00.000Z",
                     *       "updateAt": "2026-11-22T09:30:04.250Z",
                     *       "status": "OK"
                     *     }
                     */
                    "application/json": components["schemas"]["HookSummary"];
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
    listHooks: {
        parameters: {
            query?: {
                status?: components["schemas"]["HookStatusWord"];
                /** @example 20 */
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
                     *           "hookId": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *           "hookName": "owner-approves",
                     *           "actionId": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *           "actionName": "accessRequest",
                     *           "creationAt": "2026-11-22T09:30:00.000Z",
                     *           "updateAt": "2026-11-22T09:30:04.250Z",
                     *           "status": "pending",
                     *           "kind": "notification",
                     *           "requester": "user:default/grace",
                     *           "owners": [
                     *             "user:default/ada"
                     *           ],
                     *           "about": {
                     *             "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *             "environment": "development",
                     *             "accessRequestId": null,
                     *             "planId": null,
                     *             "removeData": true
                     *           },
                     *           "expiresAt": "2026-11-29T09:30:00.000Z",
                     *           "attempts": 1,
                     *           "sentAt": "2026-11-22T09:30:00.000Z",
                     *           "sentInfo": null,
                     *           "lastError": null,
                     *           "response": null,
                     *           "endedBy": null,
                     *           "reason": null,
                     *           "waiting": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "limit": 20,
                     *           "next": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["HookList"];
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
    answerHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description `hookId` of a record; not the request id.
                 * @example 7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "OK",
                 *       "reason": "The weekly report needs the last position of each vehicle."
                 *     }
                 */
                "application/json": components["schemas"]["HookAnswer"];
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
                     *       "hookId": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *       "hookName": "owner-approves",
                     *       "actionId": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *       "actionName": "accessRequest",
                     *       "creationAt": "2026-11-22T09:30:00.000Z",
                     *       "updateAt": "2026-11-22T09:30:04.250Z",
                     *       "status": "pending",
                     *       "kind": "notification",
                     *       "requester": "user:default/grace",
                     *       "owners": [
                     *         "user:default/ada"
                     *       ],
                     *       "about": {
                     *         "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *         "environment": "development",
                     *         "accessRequestId": null,
                     *         "planId": null,
                     *         "removeData": true
                     *       },
                     *       "expiresAt": "2026-11-29T09:30:00.000Z",
                     *       "attempts": 1,
                     *       "sentAt": "2026-11-22T09:30:00.000Z",
                     *       "sentInfo": null,
                     *       "lastError": null,
                     *       "response": null,
                     *       "endedBy": null,
                     *       "reason": null,
                     *       "waiting": null
                     *     }
                     */
                    "application/json": components["schemas"]["Hook"];
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
    listAccessRequests: {
        parameters: {
            query?: {
                status?: components["schemas"]["AccessRequestStatusWord"];
                /** @example 20 */
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
                     *           "id": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *           "operation": "GRANT",
                     *           "status": "PENDING",
                     *           "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *           "environment": "development",
                     *           "outputPorts": [
                     *             {
                     *               "urn": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *               "name": "latest-positions",
                     *               "status": "WAITING",
                     *               "executionPlanId": null,
                     *               "message": null,
                     *               "waiting": null,
                     *               "waitingSince": null
                     *             }
                     *           ],
                     *           "identities": [
                     *             "user:default/grace",
                     *             "group:default/analysts"
                     *           ],
                     *           "reason": "The weekly report needs the last position of each vehicle.",
                     *           "templateRef": "template:default/postgresql-view",
                     *           "accessControlFields": null,
                     *           "requester": "user:default/grace",
                     *           "owners": [
                     *             "user:default/ada"
                     *           ],
                     *           "message": null,
                     *           "waiting": null,
                     *           "attempt": 1,
                     *           "createdAt": "2026-11-22T09:30:00.000Z",
                     *           "updatedAt": "2026-11-22T09:30:04.250Z",
                     *           "endedAt": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "limit": 20,
                     *           "next": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccessRequestList"];
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
    requestAccess: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Printable ASCII. The same request under the same key is carried out once.
                 * @example view-latest-positions
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "operation": "GRANT",
                 *       "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                 *       "environment": "development",
                 *       "outputPortUrns": [
                 *         "urn:dmb:cmp:fleet:positions:0:latest-positions"
                 *       ],
                 *       "identities": [
                 *         "user:default/grace",
                 *         "group:default/analysts"
                 *       ],
                 *       "reason": "The weekly report needs the last position of each vehicle.",
                 *       "templateRef": "template:default/postgresql-view",
                 *       "accessControlFields": {
                 *         "purpose": "reporting"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AccessRequestToMake"];
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
                     *       "id": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *       "operation": "GRANT",
                     *       "status": "PENDING",
                     *       "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *       "environment": "development",
                     *       "outputPorts": [
                     *         {
                     *           "urn": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "name": "latest-positions",
                     *           "status": "WAITING",
                     *           "executionPlanId": null,
                     *           "message": null,
                     *           "waiting": null,
                     *           "waitingSince": null
                     *         }
                     *       ],
                     *       "identities": [
                     *         "user:default/grace",
                     *         "group:default/analysts"
                     *       ],
                     *       "reason": "The weekly report needs the last position of each vehicle.",
                     *       "templateRef": "template:default/postgresql-view",
                     *       "accessControlFields": null,
                     *       "requester": "user:default/grace",
                     *       "owners": [
                     *         "user:default/ada"
                     *       ],
                     *       "message": null,
                     *       "waiting": null,
                     *       "attempt": 1,
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "updatedAt": "2026-11-22T09:30:04.250Z",
                     *       "endedAt": null,
                     *       "hooks": [
                     *         {
                     *           "hookId": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *           "hookName": "owner-approves",
                     *           "kind": "notification",
                     *           "status": "pending",
                     *           "expiresAt": "2026-11-29T09:30:00.000Z",
                     *           "endedBy": null,
                     *           "reason": null,
                     *           "waiting": null
                     *         }
                     *       ],
                     *       "history": [
                     *         {
                     *           "at": "2026-11-22T09:30:00.000Z",
                     *           "status": "PENDING",
                     *           "by": "user:default/ada",
                     *           "message": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AccessRequest"];
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
    getAccessRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the access request.
                 * @example 7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10
                 */
                id: string;
            };
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
                     *       "id": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *       "operation": "GRANT",
                     *       "status": "PENDING",
                     *       "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *       "environment": "development",
                     *       "outputPorts": [
                     *         {
                     *           "urn": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "name": "latest-positions",
                     *           "status": "WAITING",
                     *           "executionPlanId": null,
                     *           "message": null,
                     *           "waiting": null,
                     *           "waitingSince": null
                     *         }
                     *       ],
                     *       "identities": [
                     *         "user:default/grace",
                     *         "group:default/analysts"
                     *       ],
                     *       "reason": "The weekly report needs the last position of each vehicle.",
                     *       "templateRef": "template:default/postgresql-view",
                     *       "accessControlFields": null,
                     *       "requester": "user:default/grace",
                     *       "owners": [
                     *         "user:default/ada"
                     *       ],
                     *       "message": null,
                     *       "waiting": null,
                     *       "attempt": 1,
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "updatedAt": "2026-11-22T09:30:04.250Z",
                     *       "endedAt": null,
                     *       "hooks": [
                     *         {
                     *           "hookId": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *           "hookName": "owner-approves",
                     *           "kind": "notification",
                     *           "status": "pending",
                     *           "expiresAt": "2026-11-29T09:30:00.000Z",
                     *           "endedBy": null,
                     *           "reason": null,
                     *           "waiting": null
                     *         }
                     *       ],
                     *       "history": [
                     *         {
                     *           "at": "2026-11-22T09:30:00.000Z",
                     *           "status": "PENDING",
                     *           "by": "user:default/ada",
                     *           "message": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AccessRequest"];
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
    retryAccessRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the access request.
                 * @example 7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10
                 */
                id: string;
            };
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
                     *       "id": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *       "operation": "GRANT",
                     *       "status": "PENDING",
                     *       "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *       "environment": "development",
                     *       "outputPorts": [
                     *         {
                     *           "urn": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "name": "latest-positions",
                     *           "status": "WAITING",
                     *           "executionPlanId": null,
                     *           "message": null,
                     *           "waiting": null,
                     *           "waitingSince": null
                     *         }
                     *       ],
                     *       "identities": [
                     *         "user:default/grace",
                     *         "group:default/analysts"
                     *       ],
                     *       "reason": "The weekly report needs the last position of each vehicle.",
                     *       "templateRef": "template:default/postgresql-view",
                     *       "accessControlFields": null,
                     *       "requester": "user:default/grace",
                     *       "owners": [
                     *         "user:default/ada"
                     *       ],
                     *       "message": null,
                     *       "waiting": null,
                     *       "attempt": 1,
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "updatedAt": "2026-11-22T09:30:04.250Z",
                     *       "endedAt": null,
                     *       "hooks": [
                     *         {
                     *           "hookId": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *           "hookName": "owner-approves",
                     *           "kind": "notification",
                     *           "status": "pending",
                     *           "expiresAt": "2026-11-29T09:30:00.000Z",
                     *           "endedBy": null,
                     *           "reason": null,
                     *           "waiting": null
                     *         }
                     *       ],
                     *       "history": [
                     *         {
                     *           "at": "2026-11-22T09:30:00.000Z",
                     *           "status": "PENDING",
                     *           "by": "user:default/ada",
                     *           "message": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AccessRequest"];
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
            /** @description In conflict with the present state */
            409: {
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
    withdrawAccessRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the access request.
                 * @example 7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10
                 */
                id: string;
            };
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
                     *       "id": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *       "operation": "GRANT",
                     *       "status": "PENDING",
                     *       "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *       "environment": "development",
                     *       "outputPorts": [
                     *         {
                     *           "urn": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "name": "latest-positions",
                     *           "status": "WAITING",
                     *           "executionPlanId": null,
                     *           "message": null,
                     *           "waiting": null,
                     *           "waitingSince": null
                     *         }
                     *       ],
                     *       "identities": [
                     *         "user:default/grace",
                     *         "group:default/analysts"
                     *       ],
                     *       "reason": "The weekly report needs the last position of each vehicle.",
                     *       "templateRef": "template:default/postgresql-view",
                     *       "accessControlFields": null,
                     *       "requester": "user:default/grace",
                     *       "owners": [
                     *         "user:default/ada"
                     *       ],
                     *       "message": null,
                     *       "waiting": null,
                     *       "attempt": 1,
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "updatedAt": "2026-11-22T09:30:04.250Z",
                     *       "endedAt": null,
                     *       "hooks": [
                     *         {
                     *           "hookId": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *           "hookName": "owner-approves",
                     *           "kind": "notification",
                     *           "status": "pending",
                     *           "expiresAt": "2026-11-29T09:30:00.000Z",
                     *           "endedBy": null,
                     *           "reason": null,
                     *           "waiting": null
                     *         }
                     *       ],
                     *       "history": [
                     *         {
                     *           "at": "2026-11-22T09:30:00.000Z",
                     *           "status": "PENDING",
                     *           "by": "user:default/ada",
                     *           "message": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AccessRequest"];
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
            /** @description In conflict with the present state */
            409: {
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
    advertiseRepository: {
        parameters: {
            query: {
                /**
                 * @description The git service; repositories can only be read.
                 * @example git-upload-pack
                 */
                service: "git-upload-pack";
            };
            header?: {
                /** @description Version of the protocol that the client wants. */
                "git-protocol"?: string;
            };
            path: {
                /**
                 * @description Name of the repository, with `.git` at its end.
                 * @example fleet.positions.0
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Branches */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example 001e# service=git-upload-pack
                     *     0000
                     */
                    "application/x-git-upload-pack-advertisement": string;
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
    cloneRepository: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the protocol that the client wants. */
                "git-protocol"?: string;
            };
            path: {
                /**
                 * @description Name of the repository, with `.git` at its end.
                 * @example fleet.positions.0
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Objects */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 0008NAK */
                    "application/x-git-upload-pack-result": string;
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
    getCustomView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description dataProductPage, outputPortPage
                 * @example dataProductPage
                 */
                pageId: string;
            };
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
                     *       "pageId": "dataProductPage",
                     *       "revision": 3,
                     *       "grid": [
                     *         {
                     *           "label": "Maturity",
                     *           "path": "spec.mesh.maturity",
                     *           "kind": "text"
                     *         }
                     *       ],
                     *       "side": [
                     *         {
                     *           "label": "Owner",
                     *           "path": "spec.owner",
                     *           "kind": "text"
                     *         }
                     *       ],
                     *       "isDefault": false,
                     *       "draft": null,
                     *       "updatedAt": "2026-11-22T09:30:00.000Z",
                     *       "updatedBy": "user:default/ada"
                     *     }
                     */
                    "application/json": components["schemas"]["CustomView"];
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
    putCustomView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description dataProductPage, outputPortPage
                 * @example dataProductPage
                 */
                pageId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grid": [
                 *         {
                 *           "label": "Maturity",
                 *           "path": "spec.mesh.maturity"
                 *         }
                 *       ],
                 *       "side": [
                 *         {
                 *           "label": "Owner",
                 *           "path": "spec.owner"
                 *         }
                 *       ],
                 *       "revision": 2
                 *     }
                 */
                "application/json": components["schemas"]["CustomViewToPublish"];
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
                     *       "pageId": "dataProductPage",
                     *       "revision": 3,
                     *       "grid": [
                     *         {
                     *           "label": "Maturity",
                     *           "path": "spec.mesh.maturity",
                     *           "kind": "text"
                     *         }
                     *       ],
                     *       "side": [
                     *         {
                     *           "label": "Owner",
                     *           "path": "spec.owner",
                     *           "kind": "text"
                     *         }
                     *       ],
                     *       "isDefault": false,
                     *       "draft": null,
                     *       "updatedAt": "2026-11-22T09:30:00.000Z",
                     *       "updatedBy": "user:default/ada"
                     *     }
                     */
                    "application/json": components["schemas"]["CustomView"];
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
    listDataContracts: {
        parameters: {
            query: {
                /**
                 * @description A configured environment.
                 * @example development
                 */
                environment: string;
                /** @description `next` of the page before. */
                after?: string;
                /**
                 * @description Data products on a page.
                 * @example 20
                 */
                limit?: number;
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
                     *           "dataProduct": {
                     *             "id": "urn:dmb:dp:fleet:positions:0",
                     *             "name": "positions",
                     *             "domain": "fleet",
                     *             "owner": "user:default/ada"
                     *           },
                     *           "outputPort": {
                     *             "id": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *             "name": "latest-positions",
                     *             "version": "1.2.0"
                     *           },
                     *           "environment": "development",
                     *           "contract": {
                     *             "schema": [
                     *               {
                     *                 "name": "ship",
                     *                 "dataType": "TEXT"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": components["schemas"]["DataContractPage"];
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
    listEntities: {
        parameters: {
            query?: {
                /** @description `key=value` or `key`, joined by commas when all must hold; repeated when any may. Case does not matter. A key is a path in dots, such as `metadata.name`, `spec.type` or `relations.ownedBy`. */
                filter?: string[];
                /** @description Dotted paths of the fields to return; all fields when left out. */
                fields?: string[];
                /**
                 * @description Entities of this answer; all of them when left out.
                 * @example 20
                 */
                limit?: number;
                /** @description Number of entities to skip. */
                offset?: number;
                /** @description Position at which an earlier answer ended, from the `after` of its Link header. */
                after?: string;
                /** @description `asc:field` or `desc:field`; repeatable. */
                order?: string[];
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
                     * @example [
                     *       {
                     *         "apiVersion": "backstage.io/v1alpha1",
                     *         "kind": "System",
                     *         "metadata": {
                     *           "name": "fleet.positions.0",
                     *           "namespace": "default",
                     *           "uid": "5b0a1d63-2f44-4d6a-9a4f-0f6a5b7c8d90"
                     *         },
                     *         "spec": {
                     *           "owner": "group:default/fleet",
                     *           "domain": "fleet"
                     *         },
                     *         "relations": [
                     *           {
                     *             "type": "ownedBy",
                     *             "targetRef": "group:default/fleet"
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": {
                        [key: string]: unknown;
                    }[];
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
    queryEntities: {
        parameters: {
            query?: {
                /** @description `key=value` or `key`, joined by commas when all must hold; repeated when any may. Case does not matter. A key is a path in dots, such as `metadata.name`, `spec.type` or `relations.ownedBy`. */
                filter?: string[];
                /** @description Dotted paths of the fields to return; all fields when left out. */
                fields?: string[];
                /**
                 * @description Entities of this answer.
                 * @example 20
                 */
                limit?: number;
                /** @description Number of entities to skip. */
                offset?: number;
                /** @description `nextCursor` or `prevCursor` of an earlier answer; the other conditions come from it. */
                cursor?: string;
                /** @description `field,asc` or `field,desc`; repeatable. */
                orderField?: string[];
                /** @description Text that a field contains. */
                fullTextFilterTerm?: string;
                /** @description Fields that are searched. */
                fullTextFilterFields?: string[];
                /** @description Whether the entities are counted; `totalItems` of the answer is 0 otherwise. */
                totalItems?: components["schemas"]["EntityTotal"];
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
                     *       "items": [
                     *         {
                     *           "apiVersion": "backstage.io/v1alpha1",
                     *           "kind": "System",
                     *           "metadata": {
                     *             "name": "fleet.positions.0",
                     *             "namespace": "default",
                     *             "uid": "5b0a1d63-2f44-4d6a-9a4f-0f6a5b7c8d90"
                     *           },
                     *           "spec": {
                     *             "owner": "group:default/fleet",
                     *             "domain": "fleet"
                     *           },
                     *           "relations": [
                     *             {
                     *               "type": "ownedBy",
                     *               "targetRef": "group:default/fleet"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "totalItems": 1,
                     *       "pageInfo": {}
                     *     }
                     */
                    "application/json": components["schemas"]["EntityPage"];
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
    queryEntitiesByPredicate: {
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
                 *       "query": {
                 *         "kind": "system"
                 *       },
                 *       "limit": 20,
                 *       "orderBy": [
                 *         {
                 *           "field": "metadata.name",
                 *           "order": "asc"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EntityQuery"];
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
                     *       "items": [
                     *         {
                     *           "apiVersion": "backstage.io/v1alpha1",
                     *           "kind": "System",
                     *           "metadata": {
                     *             "name": "fleet.positions.0",
                     *             "namespace": "default",
                     *             "uid": "5b0a1d63-2f44-4d6a-9a4f-0f6a5b7c8d90"
                     *           },
                     *           "spec": {
                     *             "owner": "group:default/fleet",
                     *             "domain": "fleet"
                     *           },
                     *           "relations": [
                     *             {
                     *               "type": "ownedBy",
                     *               "targetRef": "group:default/fleet"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "totalItems": 1,
                     *       "pageInfo": {}
                     *     }
                     */
                    "application/json": components["schemas"]["EntityPage"];
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
    getEntitiesByRefs: {
        parameters: {
            query?: {
                /** @description `key=value` or `key`, joined by commas when all must hold; repeated when any may. Case does not matter. A key is a path in dots, such as `metadata.name`, `spec.type` or `relations.ownedBy`. */
                filter?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entityRefs": [
                 *         "system:default/fleet.positions.0"
                 *       ],
                 *       "fields": [
                 *         "metadata.name"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EntityRefs"];
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
                     *       "items": [
                     *         {
                     *           "apiVersion": "backstage.io/v1alpha1",
                     *           "kind": "System",
                     *           "metadata": {
                     *             "name": "fleet.positions.0",
                     *             "namespace": "default",
                     *             "uid": "5b0a1d63-2f44-4d6a-9a4f-0f6a5b7c8d90"
                     *           },
                     *           "spec": {
                     *             "owner": "group:default/fleet",
                     *             "domain": "fleet"
                     *           },
                     *           "relations": [
                     *             {
                     *               "type": "ownedBy",
                     *               "targetRef": "group:default/fleet"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EntitiesOfRefs"];
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
    getEntityByName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example system */
                kind: string;
                /** @example default */
                namespace: string;
                /** @example fleet.positions.0 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An entity, with the relations that it and others declare. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiVersion": "backstage.io/v1alpha1",
                     *       "kind": "System",
                     *       "metadata": {
                     *         "name": "fleet.positions.0",
                     *         "namespace": "default",
                     *         "uid": "5b0a1d63-2f44-4d6a-9a4f-0f6a5b7c8d90"
                     *       },
                     *       "spec": {
                     *         "owner": "group:default/fleet",
                     *         "domain": "fleet"
                     *       },
                     *       "relations": [
                     *         {
                     *           "type": "ownedBy",
                     *           "targetRef": "group:default/fleet"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Entity"];
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
    getEntityAncestry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example system */
                kind: string;
                /** @example default */
                namespace: string;
                /** @example fleet.positions.0 */
                name: string;
            };
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
                     *       "rootEntityRef": "system:default/fleet.positions.0",
                     *       "items": [
                     *         {
                     *           "entity": {
                     *             "apiVersion": "backstage.io/v1alpha1",
                     *             "kind": "System",
                     *             "metadata": {
                     *               "name": "fleet.positions.0",
                     *               "namespace": "default",
                     *               "uid": "5b0a1d63-2f44-4d6a-9a4f-0f6a5b7c8d90"
                     *             },
                     *             "spec": {
                     *               "owner": "group:default/fleet",
                     *               "domain": "fleet"
                     *             },
                     *             "relations": [
                     *               {
                     *                 "type": "ownedBy",
                     *                 "targetRef": "group:default/fleet"
                     *               }
                     *             ]
                     *           },
                     *           "parentEntityRefs": [
                     *             "domain:default/fleet"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EntityAncestry"];
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
    getEntityByUid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 5b0a1d63-2f44-4d6a-9a4f-0f6a5b7c8d90 */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An entity, with the relations that it and others declare. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiVersion": "backstage.io/v1alpha1",
                     *       "kind": "System",
                     *       "metadata": {
                     *         "name": "fleet.positions.0",
                     *         "namespace": "default",
                     *         "uid": "5b0a1d63-2f44-4d6a-9a4f-0f6a5b7c8d90"
                     *       },
                     *       "spec": {
                     *         "owner": "group:default/fleet",
                     *         "domain": "fleet"
                     *       },
                     *       "relations": [
                     *         {
                     *           "type": "ownedBy",
                     *           "targetRef": "group:default/fleet"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Entity"];
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
    removeEntity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 5b0a1d63-2f44-4d6a-9a4f-0f6a5b7c8d90 */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is removed. */
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
    getEntityFacets: {
        parameters: {
            query: {
                /**
                 * @description Fields to count by. Those that have more than 100000 values together are refused.
                 * @example [
                 *       "kind"
                 *     ]
                 */
                facet: string[];
                /** @description `key=value` or `key`, joined by commas when all must hold; repeated when any may. Case does not matter. A key is a path in dots, such as `metadata.name`, `spec.type` or `relations.ownedBy`. */
                filter?: string[];
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
                     *       "facets": {
                     *         "kind": [
                     *           {
                     *             "value": "System",
                     *             "count": 4
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EntityFacets"];
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
    queryEntityFacets: {
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
                 *       "facets": [
                 *         "kind"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EntityFacetQuery"];
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
                     *       "facets": {
                     *         "kind": [
                     *           {
                     *             "value": "System",
                     *             "count": 4
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EntityFacets"];
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
    validateEntity: {
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
                 *       "entity": {
                 *         "apiVersion": "backstage.io/v1alpha1",
                 *         "kind": "System",
                 *         "metadata": {
                 *           "name": "fleet.positions.0",
                 *           "namespace": "default",
                 *           "uid": "5b0a1d63-2f44-4d6a-9a4f-0f6a5b7c8d90"
                 *         },
                 *         "spec": {
                 *           "owner": "group:default/fleet",
                 *           "domain": "fleet"
                 *         },
                 *         "relations": [
                 *           {
                 *             "type": "ownedBy",
                 *             "targetRef": "group:default/fleet"
                 *           }
                 *         ]
                 *       },
                 *       "location": "url:https://git.example.com/fleet/positions/catalog-info.yaml"
                 *     }
                 */
                "application/json": components["schemas"]["EntityToValidate"];
            };
        };
        responses: {
            /** @description The document is a valid entity. */
            200: {
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
    listLocations: {
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
                     * @example [
                     *       {
                     *         "data": {
                     *           "id": "3e2a4f9e-0c46-4a6f-9d0d-1a7b2f3c4d55",
                     *           "type": "url",
                     *           "target": "https://git.example.com/fleet/positions/catalog-info.yaml",
                     *           "problems": [],
                     *           "refreshedAt": "2026-11-22T09:30:00.000Z"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["LocationEntry"][];
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
    registerLocation: {
        parameters: {
            query?: {
                /** @description Only show what would be registered. */
                dryRun?: boolean;
                /** @description What becomes of a location that is registered already: a 409, or it is read again. */
                onConflict?: "reject" | "refresh";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "url",
                 *       "target": "https://git.example.com/fleet/positions/catalog-info.yaml"
                 *     }
                 */
                "application/json": components["schemas"]["LocationToRegister"];
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
                     *       "location": {
                     *         "id": "3e2a4f9e-0c46-4a6f-9d0d-1a7b2f3c4d55",
                     *         "type": "url",
                     *         "target": "https://git.example.com/fleet/positions/catalog-info.yaml",
                     *         "problems": [],
                     *         "refreshedAt": "2026-11-22T09:30:00.000Z"
                     *       },
                     *       "entities": [
                     *         {
                     *           "apiVersion": "backstage.io/v1alpha1",
                     *           "kind": "System",
                     *           "metadata": {
                     *             "name": "fleet.positions.0",
                     *             "namespace": "default",
                     *             "uid": "5b0a1d63-2f44-4d6a-9a4f-0f6a5b7c8d90"
                     *           },
                     *           "spec": {
                     *             "owner": "group:default/fleet",
                     *             "domain": "fleet"
                     *           },
                     *           "relations": [
                     *             {
                     *               "type": "ownedBy",
                     *               "targetRef": "group:default/fleet"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "exists": false
                     *     }
                     */
                    "application/json": components["schemas"]["RegisteredLocation"];
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
    queryLocations: {
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
                 *       "limit": 20
                 *     }
                 */
                "application/json": components["schemas"]["LocationQuery"];
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
                     *       "items": [
                     *         {
                     *           "id": "3e2a4f9e-0c46-4a6f-9d0d-1a7b2f3c4d55",
                     *           "type": "url",
                     *           "target": "https://git.example.com/fleet/positions/catalog-info.yaml",
                     *           "problems": [],
                     *           "refreshedAt": "2026-11-22T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "totalItems": 1,
                     *       "pageInfo": {}
                     *     }
                     */
                    "application/json": components["schemas"]["LocationPage"];
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
    analyzeLocation: {
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
                 *       "location": {
                 *         "type": "url",
                 *         "target": "https://git.example.com/fleet/positions/catalog-info.yaml"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LocationToAnalyze"];
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
                     *       "existingEntityFiles": [
                     *         {
                     *           "location": {
                     *             "type": "url",
                     *             "target": "https://git.example.com/fleet/positions/catalog-info.yaml"
                     *           },
                     *           "isRegistered": false,
                     *           "entity": {
                     *             "apiVersion": "backstage.io/v1alpha1",
                     *             "kind": "System",
                     *             "metadata": {
                     *               "name": "fleet.positions.0",
                     *               "namespace": "default",
                     *               "uid": "5b0a1d63-2f44-4d6a-9a4f-0f6a5b7c8d90"
                     *             },
                     *             "spec": {
                     *               "owner": "group:default/fleet",
                     *               "domain": "fleet"
                     *             },
                     *             "relations": [
                     *               {
                     *                 "type": "ownedBy",
                     *                 "targetRef": "group:default/fleet"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "generateEntities": []
                     *     }
                     */
                    "application/json": components["schemas"]["LocationAnalysis"];
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
    getLocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 3e2a4f9e-0c46-4a6f-9d0d-1a7b2f3c4d55 */
                id: string;
            };
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
                     *       "id": "3e2a4f9e-0c46-4a6f-9d0d-1a7b2f3c4d55",
                     *       "type": "url",
                     *       "target": "https://git.example.com/fleet/positions/catalog-info.yaml",
                     *       "problems": [],
                     *       "refreshedAt": "2026-11-22T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Location"];
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
    updateLocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 3e2a4f9e-0c46-4a6f-9d0d-1a7b2f3c4d55 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "url",
                 *       "target": "https://git.example.com/fleet/positions/catalog-info.yaml"
                 *     }
                 */
                "application/json": components["schemas"]["LocationToRegister"];
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
                     *       "id": "3e2a4f9e-0c46-4a6f-9d0d-1a7b2f3c4d55",
                     *       "type": "url",
                     *       "target": "https://git.example.com/fleet/positions/catalog-info.yaml",
                     *       "problems": [],
                     *       "refreshedAt": "2026-11-22T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Location"];
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
    unregisterLocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 3e2a4f9e-0c46-4a6f-9d0d-1a7b2f3c4d55 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is unregistered. */
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
    getLocationByEntity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example system */
                kind: string;
                /** @example default */
                namespace: string;
                /** @example fleet.positions.0 */
                name: string;
            };
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
                     *       "id": "3e2a4f9e-0c46-4a6f-9d0d-1a7b2f3c4d55",
                     *       "type": "url",
                     *       "target": "https://git.example.com/fleet/positions/catalog-info.yaml",
                     *       "problems": [],
                     *       "refreshedAt": "2026-11-22T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Location"];
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
    refreshEntity: {
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
                 *       "entityRef": "system:default/fleet.positions.0"
                 *     }
                 */
                "application/json": components["schemas"]["EntityToRefresh"];
            };
        };
        responses: {
            /** @description It will be read soon. */
            200: {
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
    instantiateTemplate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Printable ASCII. The same request under the same key is carried out once.
                 * @example view-latest-positions
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "templateRef": "template:default/postgresql-view",
                 *       "values": {
                 *         "name": "latest-positions"
                 *       },
                 *       "environmentOverrides": {
                 *         "production": {
                 *           "schema": "fleet"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InstantiationRequest"];
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
                     *       "id": "9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20"
                     *     }
                     */
                    "application/json": components["schemas"]["InstantiationId"];
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
            /** @description A service that is needed answered wrongly */
            502: {
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
    dryRunTemplate: {
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
                 *       "templateRef": "template:default/postgresql-view",
                 *       "values": {
                 *         "name": "latest-positions"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DryRunRequest"];
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
                     *       "status": "completed",
                     *       "log": [
                     *         {
                     *           "body": {
                     *             "message": "Wrote 2 files.",
                     *             "stepId": "fetch"
                     *           },
                     *           "createdAt": "2026-11-22T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "steps": [
                     *         {
                     *           "id": "fetch",
                     *           "name": "Write the files",
                     *           "action": "fetch:template"
                     *         }
                     *       ],
                     *       "output": {},
                     *       "error": null,
                     *       "directoryContents": [
                     *         {
                     *           "path": "catalog-info.yaml",
                     *           "base64Content": "a2luZDogQ29tcG9uZW50Cg==",
                     *           "executable": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DryRunResult"];
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
    validateTemplate: {
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
                 *       "template": {
                 *         "apiVersion": "scaffolder.backstage.io/v1beta3",
                 *         "kind": "Template",
                 *         "metadata": {
                 *           "name": "postgresql-view",
                 *           "title": "A view in PostgreSQL"
                 *         },
                 *         "spec": {
                 *           "type": "component",
                 *           "parameters": [
                 *             {
                 *               "title": "View",
                 *               "required": [
                 *                 "name"
                 *               ],
                 *               "properties": {
                 *                 "name": {
                 *                   "type": "string"
                 *                 }
                 *               }
                 *             }
                 *           ],
                 *           "steps": [
                 *             {
                 *               "id": "fetch",
                 *               "name": "Write the files",
                 *               "action": "fetch:template",
                 *               "input": {
                 *                 "url": "./skeleton"
                 *               }
                 *             }
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TemplateToValidate"];
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
                     *       "problems": []
                     *     }
                     */
                    "application/json": components["schemas"]["TemplateVerdict"];
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
    getInstantiationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20 */
                taskId: string;
            };
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
                     *       "status": "open"
                     *     }
                     */
                    "application/json": components["schemas"]["InstantiationStatus"];
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
    streamInstantiationEvents: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: {
                "last-event-id"?: string;
            };
            path: {
                /** @example 9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20 */
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 17
                     *     event: log
                     *     data: {"message":"Wrote 2 files.","createdAt":"2026-11-22T09:30:00.000Z"}
                     *
                     *     id: 18
                     *     event: completion
                     *     data: {"message":"The instantiation has completed.","createdAt":"2026-11-22T09:30:04.250Z"}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description The task has ended and the caller has its last event. */
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
    getInstantiation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20 */
                taskId: string;
            };
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
                     *       "id": "9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20",
                     *       "templateRef": "template:default/postgresql-view",
                     *       "title": "A view in PostgreSQL",
                     *       "status": "open",
                     *       "createdBy": "user:default/ada",
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "startedAt": "2026-11-22T09:30:00.000Z",
                     *       "endedAt": null,
                     *       "error": null,
                     *       "entityRef": "system:default/fleet.positions.0",
                     *       "parameters": {
                     *         "name": "latest-positions"
                     *       },
                     *       "environmentOverrides": {},
                     *       "steps": [
                     *         {
                     *           "id": "fetch",
                     *           "name": "Write the files",
                     *           "action": "fetch:template",
                     *           "status": "completed",
                     *           "output": {},
                     *           "error": null,
                     *           "startedAt": "2026-11-22T09:30:00.000Z",
                     *           "endedAt": null
                     *         }
                     *       ],
                     *       "output": {},
                     *       "waiting": null
                     *     }
                     */
                    "application/json": components["schemas"]["Instantiation"];
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
    listInstantiations: {
        parameters: {
            query?: {
                /** @description `all` is for operators. */
                owner?: "me" | "all";
                /** @description Comma-separated. */
                status?: components["schemas"]["InstantiationStatusWord"][];
                /** @example 20 */
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
                     *           "id": "9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20",
                     *           "templateRef": "template:default/postgresql-view",
                     *           "title": "A view in PostgreSQL",
                     *           "status": "open",
                     *           "createdBy": "user:default/ada",
                     *           "createdAt": "2026-11-22T09:30:00.000Z",
                     *           "startedAt": "2026-11-22T09:30:00.000Z",
                     *           "endedAt": null,
                     *           "error": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "limit": 20,
                     *           "next": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["InstantiationList"];
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
    cancelInstantiation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20 */
                taskId: string;
            };
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
                     *       "status": "open"
                     *     }
                     */
                    "application/json": components["schemas"]["InstantiationStatus"];
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
            /** @description In conflict with the present state */
            409: {
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
    retryInstantiation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20 */
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["RetryRequest"];
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
                     *       "id": "9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20"
                     *     }
                     */
                    "application/json": components["schemas"]["InstantiationId"];
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
    listActions: {
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
                     * @example [
                     *       {
                     *         "id": "fetch:template",
                     *         "description": "Writes the files of a folder, each filled in with values.",
                     *         "supportsDryRun": true,
                     *         "input": {
                     *           "type": "object",
                     *           "required": [
                     *             "url"
                     *           ],
                     *           "properties": {
                     *             "url": {
                     *               "type": "string"
                     *             }
                     *           }
                     *         },
                     *         "output": {
                     *           "type": "object"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["TemplateAction"][];
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
    listEntityForms: {
        parameters: {
            query: {
                /**
                 * @description Reference of a system or component: `kind:[namespace/]name`.
                 * @example system:default/fleet.positions.0
                 */
                entityRef: string;
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
                     *           "templateRef": "template:default/postgresql-view",
                     *           "kind": "edit",
                     *           "title": "A view in PostgreSQL"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EntityFormList"];
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
    getEntityForm: {
        parameters: {
            query: {
                /**
                 * @description Reference of a system or component: `kind:[namespace/]name`.
                 * @example system:default/fleet.positions.0
                 */
                entityRef: string;
                /**
                 * @description Reference of one of the templates that the list names.
                 * @example template:default/postgresql-view
                 */
                templateRef: string;
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
                     *       "templateRef": "template:default/postgresql-view",
                     *       "kind": "edit",
                     *       "title": "A view in PostgreSQL",
                     *       "entityRef": "system:default/fleet.positions.0",
                     *       "revision": "4f1d2c3b",
                     *       "steps": [
                     *         {
                     *           "title": "View",
                     *           "schema": {
                     *             "type": "object",
                     *             "required": [
                     *               "name"
                     *             ],
                     *             "properties": {
                     *               "name": {
                     *                 "type": "string",
                     *                 "title": "Name of the view"
                     *               }
                     *             }
                     *           },
                     *           "environmentParameters": false
                     *         }
                     *       ],
                     *       "values": {
                     *         "name": "latest-positions"
                     *       },
                     *       "environmentOverrides": {},
                     *       "environments": [
                     *         "development",
                     *         "production"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EntityForm"];
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
            /** @description A service that is needed answered wrongly */
            502: {
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
    acceptEdit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20 */
                taskId: string;
            };
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
                     *       "entityRef": "system:default/fleet.positions.0",
                     *       "branch": "edit-latest-positions",
                     *       "commitHash": "6c1e0f5a9b8d7c6e5f4a3b2c1d0e9f8a7b6c5d4e"
                     *     }
                     */
                    "application/json": components["schemas"]["AcceptedEdit"];
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
            /** @description In conflict with the present state */
            409: {
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
            /** @description A service that is needed answered wrongly */
            502: {
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
    scaffolderTasks: {
        parameters: {
            query?: {
                /** @description Tasks of that user; without it all that the caller may see. */
                createdBy?: string[];
                status?: components["schemas"]["InstantiationStatusWord"][];
                /** @description The newest come first in any case. */
                order?: ("desc:created_at" | "-created_at")[];
                /** @example 20 */
                limit?: number;
                offset?: number;
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
                     *       "tasks": [
                     *         {
                     *           "id": "9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20",
                     *           "spec": {
                     *             "templateInfo": {
                     *               "entityRef": "template:default/postgresql-view"
                     *             },
                     *             "parameters": {
                     *               "name": "latest-positions"
                     *             }
                     *           },
                     *           "status": "open",
                     *           "createdAt": "2026-11-22T09:30:00.000Z",
                     *           "createdBy": "user:default/ada",
                     *           "lastHeartbeatAt": "2026-11-22T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "totalTasks": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ScaffolderTaskList"];
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
    scaffolderStart: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Printable ASCII. The same request under the same key is carried out once.
                 * @example view-latest-positions
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "templateRef": "template:default/postgresql-view",
                 *       "values": {
                 *         "name": "latest-positions"
                 *       },
                 *       "secrets": {}
                 *     }
                 */
                "application/json": components["schemas"]["ScaffolderStartRequest"];
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
                     *       "id": "9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20"
                     *     }
                     */
                    "application/json": components["schemas"]["InstantiationId"];
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
    scaffolderTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20 */
                taskId: string;
            };
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
                     *       "id": "9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20",
                     *       "spec": {
                     *         "templateInfo": {
                     *           "entityRef": "template:default/postgresql-view"
                     *         },
                     *         "parameters": {
                     *           "name": "latest-positions"
                     *         }
                     *       },
                     *       "status": "open",
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "createdBy": "user:default/ada",
                     *       "lastHeartbeatAt": "2026-11-22T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ScaffolderTask"];
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
    scaffolderCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20 */
                taskId: string;
            };
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
                     *       "status": "open"
                     *     }
                     */
                    "application/json": components["schemas"]["InstantiationStatus"];
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
            /** @description In conflict with the present state */
            409: {
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
    scaffolderRetry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20 */
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["RetryRequest"];
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
                     *       "id": "9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20"
                     *     }
                     */
                    "application/json": components["schemas"]["InstantiationId"];
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
    scaffolderEvents: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: never;
            path: {
                /** @example 9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20 */
                taskId: string;
            };
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
                     * @example [
                     *       {
                     *         "id": 17,
                     *         "taskId": "9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20",
                     *         "type": "log",
                     *         "body": {
                     *           "message": "Wrote 2 files.",
                     *           "stepId": "fetch",
                     *           "status": "completed"
                     *         },
                     *         "isTaskRecoverable": true,
                     *         "createdAt": "2026-11-22T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ScaffolderEvent"][];
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
    scaffolderEventStream: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: {
                "last-event-id"?: string;
            };
            path: {
                /** @example 9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20 */
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 17
                     *     event: log
                     *     data: {"id":17,"taskId":"9d1e7a52-1f0b-4a0e-8c11-0d5c1d1a7b20","type":"log","body":{"message":"Wrote 2 files.","stepId":"fetch"},"isTaskRecoverable":true,"createdAt":"2026-11-22T09:30:00.000Z"}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description The task has ended and the caller has its last event. */
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
    scaffolderDryRun: {
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
                 *       "template": {
                 *         "apiVersion": "scaffolder.backstage.io/v1beta3",
                 *         "kind": "Template",
                 *         "metadata": {
                 *           "name": "postgresql-view",
                 *           "title": "A view in PostgreSQL"
                 *         },
                 *         "spec": {
                 *           "type": "component",
                 *           "parameters": [
                 *             {
                 *               "title": "View",
                 *               "required": [
                 *                 "name"
                 *               ],
                 *               "properties": {
                 *                 "name": {
                 *                   "type": "string"
                 *                 }
                 *               }
                 *             }
                 *           ],
                 *           "steps": [
                 *             {
                 *               "id": "fetch",
                 *               "name": "Write the files",
                 *               "action": "fetch:template",
                 *               "input": {
                 *                 "url": "./skeleton"
                 *               }
                 *             }
                 *           ]
                 *         }
                 *       },
                 *       "values": {
                 *         "name": "latest-positions"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ScaffolderDryRunRequest"];
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
                     *       "status": "completed",
                     *       "log": [
                     *         {
                     *           "body": {
                     *             "message": "Wrote 2 files.",
                     *             "stepId": "fetch"
                     *           },
                     *           "createdAt": "2026-11-22T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "steps": [
                     *         {
                     *           "id": "fetch",
                     *           "name": "Write the files",
                     *           "action": "fetch:template"
                     *         }
                     *       ],
                     *       "output": {},
                     *       "error": null,
                     *       "directoryContents": [
                     *         {
                     *           "path": "catalog-info.yaml",
                     *           "base64Content": "a2luZDogQ29tcG9uZW50Cg==",
                     *           "executable": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DryRunResult"];
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
    scaffolderActions: {
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
                     * @example [
                     *       {
                     *         "id": "fetch:template",
                     *         "description": "Writes the files of a folder, each filled in with values.",
                     *         "schema": {
                     *           "input": {
                     *             "type": "object",
                     *             "required": [
                     *               "url"
                     *             ],
                     *             "properties": {
                     *               "url": {
                     *                 "type": "string"
                     *               }
                     *             }
                     *           }
                     *         },
                     *         "examples": []
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ScaffolderAction"][];
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
    scaffolderParameterSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example default */
                namespace: string;
                /** @example system */
                kind: string;
                /** @example fleet.positions.0 */
                name: string;
            };
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
                     *       "title": "A view in PostgreSQL",
                     *       "steps": [
                     *         {
                     *           "title": "A view in PostgreSQL",
                     *           "schema": {
                     *             "type": "object",
                     *             "required": [
                     *               "name"
                     *             ],
                     *             "properties": {
                     *               "name": {
                     *                 "type": "string",
                     *                 "title": "Name of the view"
                     *               }
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ScaffolderParameterSchema"];
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
    scaffolderAutocomplete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example git */
                provider: string;
                /** @example branches */
                resource: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "example-not-a-real-token",
                 *       "context": {
                 *         "repository": "positions"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ScaffolderAutocompleteRequest"];
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
                     *       "results": [
                     *         {
                     *           "id": "main"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ScaffolderAutocompleteResult"];
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
            /** @description A service that is needed answered wrongly */
            502: {
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
    scaffolderExtensions: {
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
                     *       "filters": {
                     *         "lower": {
                     *           "description": "Small letters.",
                     *           "schema": {
                     *             "output": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "examples": [
                     *             {
                     *               "example": "${{ 'Fleet' | lower }}"
                     *             }
                     *           ]
                     *         }
                     *       },
                     *       "globals": {
                     *         "functions": {},
                     *         "values": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TemplatingExtensions"];
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
    buildDescriptor: {
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
                 *       "archive": "positions.tar.gz",
                 *       "environment": "development"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["DescriptorArchive"];
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
                     *       "descriptor": {
                     *         "id": "urn:dmb:dp:fleet:positions:0",
                     *         "name": "positions",
                     *         "version": "1.2.0",
                     *         "environment": "development",
                     *         "projectKind": "system",
                     *         "kind": "dataproduct",
                     *         "domain": "fleet",
                     *         "dataProductOwner": "user:default/ada",
                     *         "metadata": {
                     *           "name": "fleet.positions.0"
                     *         },
                     *         "components": [
                     *           {
                     *             "id": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *             "name": "latest-positions",
                     *             "kind": "outputport"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DescriptorResult"];
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
    previewDescriptor: {
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
                 *       "systemRef": "system:default/fleet.positions.0",
                 *       "environment": "development"
                 *     }
                 */
                "application/json": components["schemas"]["DescriptorOfSystemRequest"];
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
                     *       "descriptor": {
                     *         "id": "urn:dmb:dp:fleet:positions:0",
                     *         "name": "positions",
                     *         "version": "1.2.0",
                     *         "environment": "development",
                     *         "projectKind": "system",
                     *         "kind": "dataproduct",
                     *         "domain": "fleet",
                     *         "dataProductOwner": "user:default/ada",
                     *         "metadata": {
                     *           "name": "fleet.positions.0"
                     *         },
                     *         "components": [
                     *           {
                     *             "id": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *             "name": "latest-positions",
                     *             "kind": "outputport"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DescriptorResult"];
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
