/** Generated from openapi/coordinator.json (sha256 fa26b59512002007327ad491e75b2c2969ef4cc9fced884f54246c114a437325) by scripts/client-types.ts; do not edit. */
export interface paths {
    "/api/coordinator/v1/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate descriptor
         * @description Also asks the tech adapter of each component, and waits for them at most `coordinator.validation.syncTimeoutMs` (30 s); what was not answered by then is a failed phase that says so.
         */
        post: operations["validateDescriptor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v2/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start asynchronous validation
         * @description The same validation without waiting for it. The token is one of an execution plan as well, which changes no unit.
         */
        post: operations["startValidation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v2/validate/{token}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get validation status */
        get: operations["getValidationStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/deployment-units/{deployment-unit-id}/provisioning-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get deployment unit status */
        get: operations["getUnitStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/deployment-units/{deployment-unit-id}/components/{component-id}/provisioning-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get component status */
        get: operations["getComponentStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v2/deployment-units/{deployment-unit-id}/provisioning/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview provisioning plan
         * @description Says what a start would do, and why. Changes nothing.
         */
        post: operations["previewProvisioning"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v2/deployment-units/{deployment-unit-id}/provisioning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start provisioning
         * @description Answers the token of the execution plan at once; follow it with the execution plan operations.
         */
        post: operations["startProvisioning"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v2/deployment-units/{deployment-unit-id}/provisioning/rollback/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a rollback
         * @description Says what a rollback to an earlier successful operation would do. Changes nothing.
         */
        post: operations["previewRollback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v2/deployment-units/{deployment-unit-id}/provisioning/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll a unit back
         * @description Starts the unit with the descriptor and the statuses of an earlier successful operation.
         */
        post: operations["rollBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v2/deployment-units/{deployment-unit-id}/provisioning/terminate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Terminate provisioning on a deployment unit */
        post: operations["terminateUnitProvisioning"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/execution-plans/{token}/termination": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview the termination of an execution plan
         * @description For each mode and each task that has not ended: whether it finishes, is stopped, is cut off or never begins; which components may end CORRUPT, and what stays as it is. Nothing is ended.
         */
        get: operations["getTerminationPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v2/deployment-units/{deployment-unit-id}/provisioning/termination": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview the termination of a deployment unit's operation
         * @description For each mode and each task that has not ended: whether it finishes, is stopped, is cut off or never begins; which components may end CORRUPT, and what stays as it is. Nothing is ended.
         */
        get: operations["getUnitTerminationPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/deployment-units": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deployment units
         * @description Every unit on which an operation was started, in each environment, with its status; in the order of their ids.
         */
        get: operations["listUnits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List environments
         * @description The configured environments, in the order of the configuration.
         */
        get: operations["listEnvironments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/deployment-units/{deployment-unit-id}/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a deployment unit in all environments
         * @description The status of the unit and of its components in every environment: what is deployed, since when, what works on it, what the last drift check found, and what made it CORRUPT.
         */
        get: operations["getUnitEnvironments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/deployment-unit-facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count deployment units by facet
         * @description How many units `listUnits` would list for each value of its filters.
         */
        get: operations["getUnitFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/deployment-units/{deployment-unit-id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who has access to a deployment unit
         * @description Which user or group may use which output port in which environment, since when and by which request, as adapters have confirmed it. Operators and the owners of the unit see all, others what they and their groups have.
         */
        get: operations["listUnitAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v2/provisioning-operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List provisioning operations
         * @description What was started, by start time, with what became of each component.
         */
        get: operations["listOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/execution-plans/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get execution plan */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/execution-plans/{token}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get execution plan status */
        get: operations["getPlanStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/execution-plans/{token}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow an execution plan
         * @description Server-Sent Events `task`, `log` and `plan`; the stream ends with the plan. `Last-Event-ID` or `after` resumes.
         */
        get: operations["streamPlanEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/execution-plans/{token}/terminate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Terminate execution plan */
        post: operations["terminatePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/provisioning-plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List provisioning plans of a data product */
        get: operations["listPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/execution-plans/{token}/timing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the times of an execution plan
         * @description Where the time of each task went, which chain of tasks decides how long the plan takes, and how long the rest may take by what earlier tasks of the same adapters took.
         */
        get: operations["getPlanTiming"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/execution-plans/{token}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a plan
         * @description Starts a new plan, under a new token, for the tasks that a failed or terminated plan did not complete; `originPlan` names the old one.
         */
        post: operations["resumePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/logs/{provisioning_plan_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get provisioning plan logs
         * @description The lines in the order of their writing. Where there are more lines than one answer can contain, its `Link` header leads to the next lines (`rel="next"`).
         */
        get: operations["getPlanLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/deployment-units/{deployment-unit-id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare a deployment unit between two environments or versions
         * @description Says of each component what differs in what is deployed, or in what plans were to deploy: a plan is a version of the unit in its environment. Values of secrets are masked.
         */
        get: operations["getUnitDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List resources
         * @description Descriptors of the units of which something is deployed in the environment.
         */
        get: operations["listResources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/descriptors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get pre-deployed descriptors
         * @description Descriptors whose plans were accepted after a time, oldest first.
         */
        get: operations["listPreDeployedDescriptors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register template metadata
         * @description Stores the record and answers its id. With url and environment it also puts the tech adapter's deployment there.
         */
        post: operations["registerTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/provision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start provisioning of all components
         * @deprecated
         * @description Replaced by `POST /v2/deployment-units/{deployment-unit-id}/provisioning`.
         */
        post: operations["provisionDescriptor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/unprovision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start unprovisioning of all components
         * @deprecated
         * @description Replaced by `POST /v2/deployment-units/{deployment-unit-id}/provisioning`.
         */
        post: operations["unprovisionDescriptor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/provision/{token}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get status
         * @deprecated
         * @description Replaced by `GET /v1/execution-plans/{token}/status`. It shows private information of the adapters, so it is for the control plane and operators.
         */
        get: operations["getProvisionStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/tech-adapters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tech adapters */
        get: operations["listTechAdapters"];
        put?: never;
        /** Create tech adapter */
        post: operations["createTechAdapter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/tech-adapters/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get tech adapter */
        get: operations["getTechAdapter"];
        put?: never;
        post?: never;
        /** Delete tech adapter */
        delete: operations["deleteTechAdapter"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/tech-adapters/{id}/deployments/{environment}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get tech adapter deployment */
        get: operations["getAdapterDeployment"];
        /** Create or update tech adapter deployment in an environment */
        put: operations["upsertAdapterDeployment"];
        post?: never;
        /** Delete tech adapter deployment */
        delete: operations["deleteAdapterDeployment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/tech-adapters/{id}/deployments/{environment}/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calls of a tech adapter
         * @description Tasks that have ended with what became of their calls, the last one first, and whether the adapter answers by them.
         */
        get: operations["listAdapterCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/adapter-health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List whether tech adapters answer
         * @description Of each address of an adapter, by the calls that happened; nothing is called for it. In the order of adapters and environments.
         */
        get: operations["listAdapterHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/updateacl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send access request
         * @description Gives access to a deployed component to exactly these identities. Requests on one component are carried out one after the other.
         */
        post: operations["sendAccessRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/reverse-provisioning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start reverse provisioning
         * @description Has an adapter read what exists. The token is an execution plan of one task, whose result is the updates.
         */
        post: operations["startReverseProvisioning"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/unknown-outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List unknown outcomes
         * @description Tasks whose adapter call may have acted while its outcome is not known, the oldest first.
         */
        get: operations["listUnknownOutcomes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/unknown-outcomes/{plan}/{task}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle an unknown outcome
         * @description With the outcome that somebody has found out in the target system. Sets the component's status; audited.
         */
        post: operations["settleUnknownOutcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/unknown-outcomes/{plan}/{task}/poll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Poll an unknown outcome
         * @description Asks the adapter once more under the task's token; a final answer settles it.
         */
        post: operations["pollUnknownOutcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Those of the configuration, with how many deliveries of each are pending or were given up.
         */
        get: operations["listWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook deliveries
         * @description Deliveries that were sent, are pending or were given up; the latest first.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/webhook-deliveries/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events to a webhook again
         * @description One event by its delivery, or those of a period. Their ids stay the same. Audited.
         */
        post: operations["replayWebhookDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notices
         * @description Mails and chat messages that were sent, are pending or were given up; the latest first.
         */
        get: operations["listNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/notices/{notice-id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a notice
         * @description Its attempts, the last error and when the next attempt is.
         */
        get: operations["getNotice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/notice-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List where notices are sent
         * @description Mail and the chats of the configuration, with how many messages are pending or were given up.
         */
        get: operations["listNoticeChannels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/notices/{notice-id}/send-again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a notice again
         * @description One that was sent or given up, with what of it still waits, under the same id. Audited.
         */
        post: operations["sendNoticeAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/notices/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample
         * @description A mail or a chat message that says that it is a sample, sent like every other. Audited.
         */
        post: operations["sendTestNotice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/notice-choices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the caller is told about
         * @description By kind, and where mails to the caller go.
         */
        get: operations["getNoticeChoices"];
        /**
         * Choose what the caller is told about
         * @description For mails to the caller. Those to a group that has an address of its own are sent all the same.
         */
        put: operations["putNoticeChoices"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/deployment-units/{deployment-unit-id}/drift-checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List drift checks of a unit
         * @description The latest first; the last 100 that have ended are kept.
         */
        get: operations["listDriftChecks"];
        put?: never;
        /**
         * Check a unit for drift
         * @description Answers the id of the check at once. It reports, and repairs nothing.
         */
        post: operations["startDriftCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/drift-checks/{drift-check-id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a drift check */
        get: operations["getDriftCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/drift-schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List schedules of drift checks
         * @description What the configuration has checked when, with the last and the next run.
         */
        get: operations["listDriftSchedules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/reconciles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plans that repair drift
         * @description Those that wait, those that were started and how they ended; the latest first.
         */
        get: operations["listReconciles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/reconciles/{reconcile-id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a plan that repairs drift
         * @description With what it would do.
         */
        get: operations["getReconcile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/reconciles/{reconcile-id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a plan that repairs drift
         * @description Starts exactly the plan that was previewed. What holds for the caller's starts holds here; the rules may ask for a further approval.
         */
        post: operations["approveReconcile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/reconciles/{reconcile-id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse a plan that repairs drift
         * @description A later check that finds drift asks again.
         */
        post: operations["refuseReconcile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/maintenance-windows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List maintenance windows
         * @description Of each environment: its windows, and whether operations may begin now or from when.
         */
        get: operations["listMaintenanceWindows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/maintenance-windows/{environment}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the maintenance windows of an environment
         * @description What is under way goes on; plans that wait begin when the new windows let them. Audited.
         */
        put: operations["putMaintenanceWindows"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what waits for the caller
         * @description Hooks that the caller may answer (access requests, approvals of deployments and of the removal of data), tool calls of the caller's runs, exceptions from policies, plans that would repair drift, unknown outcomes to settle, units whose last operation failed, and plans that wait for their environment to open: those that the caller started or may decide about, for operators all. Each says why it waits, who may act, and until when. Only of the kinds that the caller's roles and scopes let it read.
         */
        get: operations["listWaiting"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search everything
         * @description Units, plans, adapters, entities and templates of the catalogue, policies, agents and pages of the documentation, while somebody types. Finds what the caller may read. A kind that could not be searched says why, and the others are answered.
         */
        get: operations["searchEverything"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is deleted when
         * @description The rules by which old rows of all areas are deleted, how far each has come, and what would go now.
         */
        get: operations["readRetention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the installation
         * @description Looks whether everything is as it should be, and says what to do where it is not: the databases, workers, plans, adapters, models, keys, messages to others, and the process that answers. A check that fails is a problem of the answer, which is 200 all the same. Requests at the same time get the same answer.
         */
        get: operations["checkInstallation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who did what
         * @description Changes that people and services asked for, in all areas; the latest first.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export who did what
         * @description One JSON object a line, chain by chain in the order of the chain. `hash` is the SHA-256 of the line without it, in the form of RFC 8785; `previousHash` is that of the line before.
         */
        get: operations["getAuditExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/audit/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the chains of the audit
         * @description Where each of them begins and ends, and how many rows are not sealed yet.
         */
        get: operations["listAuditChains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coordinator/v1/audit/chains/{chain}/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify a chain of the audit
         * @description Compares rows with what was sealed and says which were changed, deleted or inserted. A long chain takes several requests.
         */
        get: operations["getAuditVerification"];
        put?: never;
        post?: never;
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
        AccessChange: {
            dataProductUrn: string;
            /** @description The caller's own number of the port; passed on, not used. */
            outputPortId: number;
            /** @description Id of the component or subcomponent. */
            outputPortUrn: string;
            /** @description The same request under the same id is carried out once. */
            requestId: string;
            /** @description All identities that have access afterwards, as user:… and group:…; an empty list revokes all. */
            identities: string[];
            /** @description A configured environment. */
            environment: string;
            /** @description Passed on to the adapter. */
            accessControlFields?: {
                [key: string]: unknown;
            };
        };
        /** @description null where the request is no longer stored. */
        AccessOfRequest: {
            /** @description Under which the coordinator took the change. */
            id: string;
            /** @description The access request of the builder; null where a program set the access. */
            accessRequestId: string | null;
            /** @description Token of the plan that granted it. */
            executionPlanId: string;
            requestedBy: string;
            /** Format: date-time */
            requestedAt: string;
        };
        ActionDurations: {
            /** @description Null for the evaluation of policies. */
            adapterId: string | null;
            action: string;
            samples: number;
            medianMs: number;
            p90Ms: number;
        };
        ActiveOperation: {
            operationId: string;
            /** @description Token of its plan. */
            executionPlanId: string;
            provisioningAction: components["schemas"]["UnitAction"];
            status: components["schemas"]["OperationStatusWord"];
            originatorUri: string;
            /** Format: date-time */
            startTime: string;
        };
        AdapterCall: {
            /** @description Token of its plan. */
            executionPlanId: string;
            taskId: string;
            deploymentUnitId: string | null;
            componentId: string | null;
            action: string;
            outcome: components["schemas"]["AdapterCallOutcome"];
            attempts: number;
            /** @description The adapter gave a token, which was polled. */
            wasPolled: boolean;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            stoppedAt: string;
            /** @description With all attempts and polls. */
            durationMs: number;
            /** @description How it ended, shortened; null for one that completed. */
            message: string | null;
        };
        AdapterCallList: {
            /** @description The last one first. A page may have fewer than its limit and still a next one. */
            data: components["schemas"]["AdapterCall"][];
            health: components["schemas"]["AdapterHealth"];
            meta: components["schemas"]["LimitedCursorPage"];
        };
        /**
         * @description FAILED: the adapter answered that it failed, or refused. UNANSWERED: it gave no usable answer. UNKNOWN: it may have acted all the same. TERMINATED: somebody ended the plan.
         * @enum {unknown}
         */
        AdapterCallOutcome: "COMPLETED" | "FAILED" | "UNANSWERED" | "UNKNOWN" | "TERMINATED";
        AdapterDeployment: {
            environment: string;
            enabled: boolean;
            url: string;
            properties: {
                [key: string]: unknown;
            };
            createdAt: string;
            updatedAt: string;
        };
        AdapterDeploymentToPut: {
            /** @description Prefix of every path of the adapter; http or https. */
            url: string;
            /** @default true */
            enabled?: boolean;
            properties?: components["schemas"]["AdapterProperties"];
        };
        AdapterError: {
            executionPlanId: string;
            taskId: string;
            action: string;
            outcome: components["schemas"]["AdapterCallOutcome"];
            /** Format: date-time */
            at: string;
            message: string;
        };
        AdapterHealth: {
            adapterId: string;
            name: string;
            environment: string;
            enabled: boolean;
            health: components["schemas"]["AdapterHealthWord"];
            /**
             * Format: date-time
             * @description Null where no call is known.
             */
            since: string | null;
            /** @description In one sentence. */
            reason: string;
            /** @description How the last calls ended. */
            calls: {
                completed: number;
                failed: number;
                /** @description With those whose outcome is unknown. */
                unanswered: number;
                terminated: number;
            };
            /** @description Calls at work now. */
            atWork: number;
            /** @description Of those that completed; null without any. */
            medianMs: number | null;
            p90Ms: number | null;
            /** Format: date-time */
            lastCallAt: string | null;
            lastError: components["schemas"]["AdapterError"] | null;
        };
        AdapterHealthList: {
            data: components["schemas"]["AdapterHealth"][];
            meta: components["schemas"]["LimitedCursorPage"];
        };
        /**
         * @description Of the calls that happened: FAILING when the last one was not answered, or one waits for its answer to be tried again; SLOW when the last ones took more than three times as long as those before; UNKNOWN without a call in the last day.
         * @enum {unknown}
         */
        AdapterHealthWord: "ANSWERING" | "SLOW" | "FAILING" | "UNKNOWN";
        AdapterProperties: {
            dataContractGuardian?: components["schemas"]["DataContractGuardian"];
            /** @description Whether an identical call under the same idempotency key may be repeated at any time: calls without a token whose outcome is unknown are then repeated by the clock. */
            safeToRepeat?: boolean;
            /** @description Whether the adapter is asked by POST /v2/validate; without, by /v1/validate. */
            asyncValidation?: boolean;
        } & {
            [key: string]: unknown;
        };
        /** @enum {unknown} */
        AuditArea: "builder" | "assistant" | "coordinator" | "governance" | "data-layer" | "auth";
        AuditChain: {
            /** @description Rows of governance are in its own database, all others in that of the platform. */
            chain: components["schemas"]["AuditChainName"];
            /** @description The last place that is sealed. */
            seq: number;
            /** @description SHA-256, in hexadecimal. */
            hash: string;
            /** Format: date-time */
            sealedAt: string | null;
            /** @description Whether the ends of the chain are those that this installation has signed. */
            isSigned: boolean;
            /** @description The last row that was deleted because of its age; the chain begins after it. */
            pruned: {
                seq: number;
                /** @description SHA-256, in hexadecimal. */
                hash: string;
                /** Format: date-time */
                at: string;
            } | null;
            /** @description Rows that are not sealed yet. */
            open: {
                rows: number;
                /** Format: date-time */
                oldestAt: string | null;
            };
        };
        AuditChainList: {
            data: components["schemas"]["AuditChain"][];
        };
        /** @enum {unknown} */
        AuditChainName: "platform" | "governance";
        AuditProblem: {
            /** @enum {unknown} */
            kind: "CHANGED" | "DELETED" | "GAP" | "INSERTED" | "TRUNCATED" | "HEAD_CHANGED" | "HEAD_UNSIGNED" | "HEAD_WAS_UNSIGNED" | "HEAD_MISSING" | "ANCHOR_MISSING" | "ANCHOR_DIFFERS" | "ANCHOR_PRUNED";
            /** @description Place in the chain; null for a row that has none. */
            seq: number | null;
            /** @description Of the row; null where it is not known. */
            id: number | null;
            message: string;
        };
        AuditRecord: {
            /** @description Rows of governance are in its own database, all others in that of the platform. */
            chain: components["schemas"]["AuditChainName"];
            /** @description Of the row, within its chain. */
            id: number;
            /** Format: date-time */
            at: string;
            /** @description Null in rows of older releases. */
            area: string | null;
            /** @description Entity reference of who did it. */
            actor: string;
            /** @description Name of the operation. */
            action: string;
            /** @description What was acted on. */
            resource: string;
            requestId: string | null;
            /** @description Null for work that a process does by itself. */
            clientAddress: string | null;
            detail: {
                [key: string]: unknown;
            };
            /** @description Place in the chain; null while the row is not sealed. */
            seq: number | null;
            /** @description SHA-256, in hexadecimal. */
            hash: string | null;
        };
        AuditRecordList: {
            data: components["schemas"]["AuditRecord"][];
            meta: components["schemas"]["IdCursorPage"];
        };
        AuditVerification: {
            /** @description Rows of governance are in its own database, all others in that of the platform. */
            chain: components["schemas"]["AuditChainName"];
            /** @description Rows that this answer is about. */
            checked: number;
            /** @description Of these rows, and of the chain's ends. */
            problems: components["schemas"]["AuditProblem"][];
            /** @description `after` of the next request; null at the end of the chain. */
            next: number | null;
        };
        ChangedField: {
            /** @description JSON pointer into the component's descriptor. */
            field: string;
            /** @description Absent where there is no such field; secrets are ***. */
            environment?: unknown;
            otherEnvironment?: unknown;
        };
        /** @description The environment's maintenance windows let nothing begin now; absent where they do. */
        ClosedEnvironment: {
            reason: string;
            /** @description Name of the freeze; null outside of all windows. */
            freeze: string | null;
            /** Format: date-time */
            opensAt: string | null;
        };
        /**
         * @description Null where a plan is named: its descriptor has no status.
         * @enum {unknown}
         */
        ComparedStatusWord: "DEPLOYED" | "NOT_DEPLOYED" | "CORRUPT";
        /** @enum {unknown} */
        ComponentAction: "DEPLOY" | "REDEPLOY" | "UNDEPLOY" | "NONE";
        ComponentDiff: {
            componentId: string;
            /** @enum {unknown} */
            result: "IDENTICAL" | "DIFFERENT" | "ONLY_IN_ENVIRONMENT" | "ONLY_IN_OTHER_ENVIRONMENT";
            differences: ("STATUS" | "DESCRIPTOR_VERSION" | "FIELDS")[];
            status: {
                environment: components["schemas"]["ComparedStatusWord"] | null;
                otherEnvironment: components["schemas"]["ComparedStatusWord"] | null;
            };
            descriptorVersion: {
                environment: string;
                otherEnvironment: string;
            };
            changedFields: components["schemas"]["ChangedField"][];
            hasMoreChangedFields: boolean;
        };
        ComponentInAllEnvironments: {
            componentId: string;
            /** @description Those in which it is known, in the same order. */
            environments: components["schemas"]["ComponentInEnvironment"][];
        };
        ComponentInEnvironment: {
            environment: string;
            status: components["schemas"]["UnitStatusWord"];
            descriptorVersion: string;
            /**
             * Format: date-time
             * @description Null for one that was never changed.
             */
            since: string | null;
            /** @description Token of the plan that changed it last. */
            executionPlanId: string | null;
            drift: components["schemas"]["DriftResult"] | null;
            failure: components["schemas"]["UnitFailure"] | null;
        };
        ComponentOfOperation: {
            componentId: string;
            provisioningAction: components["schemas"]["ComponentAction"];
            operationStatus: components["schemas"]["OperationStatusWord"];
        };
        ComponentOfUnitStatus: {
            componentId: string;
            descriptorVersion: string;
            status: components["schemas"]["UnitStatusWord"];
            failure?: components["schemas"]["UnitFailure"];
        };
        ComponentStatus: {
            status: components["schemas"]["UnitStatusWord"];
            /** @description false where no operation was ever started on the unit in the environment; absent otherwise. */
            known?: boolean;
            failure?: components["schemas"]["UnitFailure"];
            provisioningDetails: {
                descriptorVersion: string;
                descriptor?: {
                    [key: string]: unknown;
                };
            };
        };
        ComponentTarget: {
            componentId: string;
            targetStatus: components["schemas"]["TargetStatusWord"];
            action?: components["schemas"]["ComponentAction"];
        };
        CountedPage: {
            offset: number;
            limit: number;
            /** @description How many there are in all. */
            count: number;
        };
        CursorPage: {
            pagination: {
                /** @description Of this page; less than was asked for where that is too much. */
                limit: number;
                next: string | null;
            };
        };
        DataContractGuardian: {
            policies?: components["schemas"]["DataContractPolicy"][];
        } & {
            [key: string]: unknown;
        };
        DataContractPolicy: {
            resourceType: string;
            spec?: {
                id: string;
                name?: string;
                description?: string;
            } & {
                [key: string]: unknown;
            };
            id?: string;
        } & {
            [key: string]: unknown;
        };
        DescriptorList: {
            descriptors: components["schemas"]["DescriptorOfOperation"][];
            /**
             * Format: date-time
             * @description Of the last descriptor; what was asked for where there is none.
             */
            lastDeploymentTime: string;
        };
        DescriptorOfOperation: {
            /** @description YAML. */
            descriptor: string;
            /** @enum {unknown} */
            operation: "Provision" | "Unprovision";
        };
        DescriptorToProvision: {
            /** @description YAML of the deployment unit, which names its environment. */
            descriptor: string;
            /** @default false */
            removeData?: boolean;
        };
        DescriptorToValidate: {
            /** @description YAML. */
            descriptor: string;
            /** @default false */
            removeData?: boolean;
        };
        DoctorCheck: {
            name: string;
            outcome: components["schemas"]["DoctorCheckOutcome"];
            /** @description What was found, for people. */
            found: string;
            /** @description What to do, for people; null where nothing is to be done. */
            advice: string | null;
            /** @description The page, and its section, of the documentation that says more. */
            guide: string;
            /** @description How long the check took, in milliseconds. */
            ms: number;
        };
        /**
         * @description `warning`: somebody should look at it some time; `problem`: now; `skipped`: it needs what another check has found missing.
         * @enum {unknown}
         */
        DoctorCheckOutcome: "ok" | "warning" | "problem" | "skipped";
        /**
         * @description The worst of all checks.
         * @enum {unknown}
         */
        DoctorOutcome: "ok" | "warning" | "problem";
        DoctorReport: {
            outcome: components["schemas"]["DoctorOutcome"];
            /**
             * Format: date-time
             * @description When the checks began.
             */
            at: string;
            /** @description Of the program that made them. */
            version: string;
            checks: components["schemas"]["DoctorCheck"][];
        };
        DriftCheck: {
            id: string;
            deploymentUnitId: string;
            environment: string;
            status: components["schemas"]["DriftCheckStatusWord"];
            trigger: components["schemas"]["DriftCheckTrigger"];
            requestedBy: string;
            /** @description DRIFTED when any component is, else UNKNOWN when any is, else NO_DRIFT. */
            result: components["schemas"]["DriftResult"] | null;
            /** @description Why it has not been made: an operation is active on the unit, or an attempt has failed. It stays where the check has ended for that. */
            waiting: components["schemas"]["DriftWaiting"] | null;
            createdAt: string;
            startedAt: string | null;
            stoppedAt: string | null;
            components: components["schemas"]["DriftOfComponent"][];
        };
        DriftCheckList: {
            data: components["schemas"]["DriftCheckSummary"][];
            meta: components["schemas"]["IdCursorPage"];
        };
        /** @enum {unknown} */
        DriftCheckStatusWord: "SCHEDULED" | "RUNNING" | "COMPLETED";
        DriftCheckSummary: {
            id: string;
            deploymentUnitId: string;
            environment: string;
            status: components["schemas"]["DriftCheckStatusWord"];
            trigger: components["schemas"]["DriftCheckTrigger"];
            requestedBy: string;
            /** @description DRIFTED when any component is, else UNKNOWN when any is, else NO_DRIFT. */
            result: components["schemas"]["DriftResult"] | null;
            /** @description Why it has not been made: an operation is active on the unit, or an attempt has failed. It stays where the check has ended for that. */
            waiting: components["schemas"]["DriftWaiting"] | null;
            createdAt: string;
            startedAt: string | null;
            stoppedAt: string | null;
        };
        /**
         * @description Started by a request or by the schedule.
         * @enum {unknown}
         */
        DriftCheckTrigger: "REQUESTED" | "SCHEDULED";
        DriftOfComponent: {
            componentId: string;
            result: components["schemas"]["DriftResult"];
            /** @description In one sentence. */
            why: string;
            /** @description JSON pointers into the deployed component descriptor where the live state differs. */
            pointers: string[];
            /** @description What the adapter's validation found. */
            problems: string[];
            checkedBy: ("VALIDATION" | "REVERSE_PROVISIONING")[];
        };
        /** @enum {unknown} */
        DriftResult: "NO_DRIFT" | "DRIFTED" | "UNKNOWN";
        DriftSchedule: {
            environment: string;
            /** @description How often each deployed unit is checked; null by `cron`. */
            everyMinutes: number | null;
            cron: string | null;
            /** @description Of the cron expression. */
            timeZone: string;
            /** @description Units with something deployed there. */
            deploymentUnits: number;
            /** @description Of those, how many are to be checked now; 20 begin in a round. */
            due: number;
            /** @description Of those, how many had drifted at their last check. */
            drifted: number;
            /** @description When the schedule last began a check. */
            lastRunAt: string | null;
            /** @description When it has something to check next; null while nothing is deployed there. */
            nextRunAt: string | null;
            /**
             * @description What is done about drift.
             * @enum {unknown}
             */
            reconcile: "off" | "ask" | "auto";
        };
        DriftScheduleList: {
            /** @description In the order of the configuration; environments without a schedule are not in it. */
            data: components["schemas"]["DriftSchedule"][];
        };
        DriftWaiting: {
            reason: string;
            since: string;
        };
        Environment: {
            name: string;
            /** @description Units on which an operation was started there. */
            deploymentUnits: number;
            activeOperations: number;
        };
        EnvironmentList: {
            data: components["schemas"]["Environment"][];
        };
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
        ExecutionPlan: {
            environment: string;
            originatorUri: string;
            /** @description The plan that this one resumes. */
            originPlan?: string;
            dag: components["schemas"]["TaskGraph"];
        };
        ExecutionPlanList: {
            /** @description Very long ones make a page shorter: go on at offset + the number given. */
            provisioningPlans: components["schemas"]["ExecutionPlan"][];
            page: components["schemas"]["CountedPage"];
        };
        ExecutionPlanStatus: {
            environment: string;
            originatorUri: string;
            /** @description The plan that this one resumes. */
            originPlan?: string;
            dag: components["schemas"]["TaskGraphStatus"];
        };
        FacetValue: {
            value: string;
            count: number;
        };
        IdCursorPage: {
            pagination: {
                limit: number;
                next: string | null;
            };
        };
        /** @description The last drift check that has ended; null where none has. */
        LastDriftCheck: {
            driftCheckId: string;
            result: components["schemas"]["DriftResult"];
            /** Format: date-time */
            checkedAt: string;
            /** @description The unit has been changed since. */
            isOutdated: boolean;
        };
        LimitedCursor: {
            limit: number;
            next: string | null;
        };
        LimitedCursorPage: {
            pagination: components["schemas"]["LimitedCursor"];
        };
        LogLine: {
            timestamp: string;
            severity: components["schemas"]["LogSeverity"];
            task: string | null;
            message: string;
            phase: string;
            /** @description When the adapter wrote the line, by its own clock. */
            adapterTimestamp?: string;
            /** @description Part of the adapter's work, in the adapter's words. */
            adapterPhase?: string;
        };
        /** @enum {unknown} */
        LogSeverity: "DEBUG" | "INFO" | "WARNING" | "ERROR";
        MaintenanceWindow: {
            /** @description What refusals call it. */
            name: string;
            kind: components["schemas"]["MaintenanceWindowKind"];
            /**
             * @description Of the cron expression, such as Europe/Rome.
             * @default UTC
             */
            timeZone?: string;
            /** @description When it begins, as five fields: minute, hour, day, month, day of the week. */
            cron?: string;
            /** @description How long it lasts by the clocks there, when it begins by a cron expression. */
            durationMinutes?: number;
            /**
             * Format: date-time
             * @description When it begins, once.
             */
            from?: string;
            /**
             * Format: date-time
             * @description When it ends, once.
             */
            until?: string;
        };
        /**
         * @description In a freeze nothing begins. Where an environment has windows, operations begin only within one.
         * @enum {unknown}
         */
        MaintenanceWindowKind: "freeze" | "window";
        MaintenanceWindowList: {
            data: components["schemas"]["MaintenanceWindowsOfEnvironment"][];
        };
        MaintenanceWindowsOfEnvironment: {
            environment: string;
            /** @description Raised by each change. */
            version: number;
            windows: {
                /** @description What refusals call it. */
                name: string;
                kind: components["schemas"]["MaintenanceWindowKind"];
                /**
                 * @description Of the cron expression, such as Europe/Rome.
                 * @default UTC
                 */
                timeZone: string;
                /** @description When it begins, as five fields: minute, hour, day, month, day of the week. */
                cron?: string;
                /** @description How long it lasts by the clocks there, when it begins by a cron expression. */
                durationMinutes?: number;
                /**
                 * Format: date-time
                 * @description When it begins, once.
                 */
                from?: string;
                /**
                 * Format: date-time
                 * @description When it ends, once.
                 */
                until?: string;
            }[];
            /** @description Whether operations may begin now. */
            isOpen: boolean;
            /** @description Why they may not. */
            reason: string | null;
            /**
             * Format: date-time
             * @description From when they may; null where that is not within a year.
             */
            opensAt: string | null;
            /** @description Plans that begin when it opens. */
            waitingPlans: number;
            /** Format: date-time */
            updatedAt: string | null;
            updatedBy: string | null;
        };
        MaintenanceWindowsToPut: {
            /** @description The version that was read; 0 before the first. */
            version: number;
            windows: components["schemas"]["MaintenanceWindow"][];
        };
        Notice: {
            /** @description Of the message; its Message-ID contains it. */
            id: string;
            /** @description `mail`, or the name of a chat. */
            channel: string;
            /** @description A reference of the catalogue, an address, or empty for a chat. */
            recipient: string;
            status: components["schemas"]["NoticeStatusWord"];
            isTest: boolean;
            attempts: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastAttemptAt: string | null;
            lastError: string | null;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            endedAt: string | null;
            /** @description Why it is not sent yet. */
            waiting: string | null;
            /** @description What it is about, at most 100. */
            notices: components["schemas"]["NoticeSubject"][];
        };
        NoticeChannel: {
            /** @description `mail`, or the name of a chat. */
            name: string;
            /** @description Messages that wait to be sent. */
            pending: number;
            /** @description Messages that were given up. */
            dead: number;
            /** Format: date-time */
            oldestPendingAt: string | null;
        };
        NoticeChannelList: {
            /** @description Mail first, where a mail server is configured; empty where nothing is sent. */
            data: components["schemas"]["NoticeChannel"][];
        };
        NoticeChoice: {
            kind: components["schemas"]["NoticeKind"];
            wanted: boolean;
            /** @description Whether this server sends mails about it at all. */
            sent: boolean;
        };
        NoticeChoiceChange: {
            kind: components["schemas"]["NoticeKind"];
            wanted: boolean;
        };
        NoticeChoices: {
            /** @description The caller. */
            ref: string;
            /** @description Where mails go, as the catalogue has it. */
            email: string | null;
            choices: components["schemas"]["NoticeChoice"][];
        };
        NoticeChoicesChange: {
            /** @description Kinds that are not named stay as they are. */
            choices: components["schemas"]["NoticeChoiceChange"][];
        };
        /**
         * @description What it is about.
         * @enum {unknown}
         */
        NoticeKind: "ACCESS_REQUEST" | "DEPLOYMENT_APPROVAL" | "DATA_REMOVAL_APPROVAL" | "HOOK" | "TOOL_APPROVAL" | "EXCEPTION" | "RECONCILE" | "UNKNOWN_OUTCOME" | "PLAN_FAILED" | "PLAN_ENDED";
        NoticeList: {
            data: components["schemas"]["Notice"][];
            meta: components["schemas"]["IdCursorPage"];
        };
        /**
         * @description DEAD: given up, and not sent again by itself. WITHDRAWN: nothing of it waited any more before it was sent.
         * @enum {unknown}
         */
        NoticeStatusWord: "PENDING" | "SENT" | "DEAD" | "WITHDRAWN";
        NoticeSubject: {
            kind: components["schemas"]["NoticeKind"];
            id: string;
        };
        NoticeTest: {
            /** @description `mail`, or the name of a chat. */
            channel: string;
            /** @description For mails: a user or group of the catalogue, or an address; the caller when not given. */
            to?: string;
        };
        OffsetPage: {
            pagination: {
                offset: number;
                limit: number;
                total: number;
            };
        };
        Operation: {
            operationId: string;
            provisioningAction: components["schemas"]["UnitAction"];
            deploymentUnitId: string;
            environment: string;
            descriptorVersion: string;
            status: components["schemas"]["OperationStatusWord"];
            /** @description Token of the execution plan. */
            executionPlanId: string;
            /** @description Entity reference of the user who started it. */
            originatorUri: string;
            /** Format: date-time */
            startTime: string;
            /** Format: date-time */
            stopTime: string | null;
            waiting: components["schemas"]["OperationWaiting"] | null;
        };
        OperationList: {
            data: components["schemas"]["OperationWithComponents"][];
            meta: components["schemas"]["StartTimePage"];
        };
        /** @enum {unknown} */
        OperationStatusWord: "SCHEDULED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "TERMINATING" | "TERMINATED";
        /** @description Why an operation that is queued does not begin; null for one that is not. */
        OperationWaiting: {
            reason: string;
            /** Format: date-time */
            since: string;
            /** @description Position in the queue of its unit. */
            position: number;
            /** @description What comes next. */
            next: string;
        };
        OperationWithComponents: {
            operation: components["schemas"]["Operation"];
            /** @description Present when asked for. */
            descriptor?: {
                [key: string]: unknown;
            };
            components: components["schemas"]["ComponentOfOperation"][];
            progress?: components["schemas"]["TaskCounts"];
            /** @description Why the plan did not complete. */
            failure?: string | null;
            waitsFor?: components["schemas"]["WaitOfOperation"] | null;
        };
        /** @description What is known. */
        OutcomeEvidence: {
            lastCallAt: string | null;
            endedAt: string | null;
            lastAnswer: string | null;
            /** @description The adapter's token for polling. */
            token: string | null;
            /** @description Times that the adapter was asked since the plan ended, on demand or by the clock. */
            polls: number;
            lastPollAt: string | null;
            lastPollAnswer: string | null;
            /** @description How often the adapter was asked by the clock since the plan ended. */
            retries: number;
            /** @description When it is asked by the clock next. */
            nextRetryAt: string | null;
        };
        OutcomeSettlement: {
            outcome: string;
            by: string;
            /** @description ISO 8601 in UTC. */
            at: string;
            reason: string;
        };
        PlanTiming: {
            executionPlanId: string;
            status: string;
            /** Format: date-time */
            asOf: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            stoppedAt: string | null;
            /** @description From its acceptance until a worker took it: its approval, its environment, its turn. */
            beforeStartMs: number;
            /** @description Of that, the wait for an approval. */
            approvalMs: number;
            /** @description In the order of the plan; `remaining` is null of those that have ended. */
            tasks: components["schemas"]["TaskTiming"][];
            /** @description The longest chain of tasks by the time that they took, or will take by the median; first to last. */
            criticalPath: {
                taskIds: string[];
                ms: number;
            };
            remaining: components["schemas"]["RemainingTime"];
            /** @description What the estimates are made of: the last tasks of the plan's adapters that completed. */
            statistics: components["schemas"]["ActionDurations"][];
        };
        PlannedChange: {
            componentId: string;
            targetStatus: components["schemas"]["TargetStatusWord"];
            action: components["schemas"]["ComponentAction"];
            reason: string;
            additionalReasons: string[];
            dependencyOf: string[];
            dependantOn: string[];
        };
        /** @enum {unknown} */
        PreviewOutcome: "OK" | "KO";
        ProvisionStatus: {
            /** @enum {unknown} */
            status: "RUNNING" | "COMPLETED" | "FAILED" | "TERMINATING" | "TERMINATED";
            /** @description Why it failed; otherwise the result of its only task, if any. */
            result: string;
            info: {
                /** @description What the adapters returned for everybody, by component id. */
                publicInfo: {
                    [key: string]: unknown;
                };
                /** @description What the adapters returned for the platform, by component id. */
                privateInfo: {
                    [key: string]: unknown;
                };
            };
        };
        ProvisioningPreview: {
            outcome: components["schemas"]["PreviewOutcome"];
            operations: components["schemas"]["PlannedChange"][];
            conflictingOperations: components["schemas"]["PlannedChange"][];
            /** @description Hash of this plan; a start that sends it carries out exactly this plan. */
            planHash: string;
            /** @description What the policies say of the unit, and of each component to be deployed that they find something wrong with. FAILED: a start would end before anything is touched. */
            policyResults?: {
                /** @enum {unknown} */
                validationPhaseKind: "POLICY_COMPONENT_VALIDATION_PHASE";
                /** @description Id of the component, or of the unit itself. */
                componentId: string;
                errors: components["schemas"]["Error"];
                /** @enum {unknown} */
                status: "COMPLETED" | "FAILED";
            }[];
            /** @description A start by the caller would wait for an approval, or be refused; absent where neither is so. */
            permission?: {
                /** @enum {unknown} */
                verdict: "approval" | "deny";
                /** @description The rule about whose units the caller may touch. */
                rule: string;
                owners: string[];
                /** @description Whose approval it needs; or who may start it instead. */
                whoMay: string[];
            };
            closed?: components["schemas"]["ClosedEnvironment"];
            /** @description Components whose data a start would remove only if `confirmDataRemoval` names them. */
            protectedData?: string[];
        };
        ProvisioningRequest: {
            /** @description Deployment unit descriptor: id, name, version, components (id, name, dependsOn, …). */
            descriptor: {
                [key: string]: unknown;
            };
            targetStatus: components["schemas"]["ComponentTarget"][];
            /** @default false */
            removeData?: boolean;
            /** @default false */
            preventRedeploy?: boolean;
            /** @description Components with `deletionProtection` whose data may be removed all the same. */
            confirmDataRemoval?: string[];
            /** @description Of a preview: a start is refused with 409 when its plan would be another one by now. */
            planHash?: string;
        };
        Reconcile: {
            id: string;
            deploymentUnitId: string;
            environment: string;
            driftCheckId: string;
            /** @description Ids of what has drifted. */
            components: string[];
            status: components["schemas"]["ReconcileStatusWord"];
            /** @description Whether its plan was started by itself. */
            automatic: boolean;
            planId: string | null;
            /** @description Why it waits, why somebody is asked about it, or why it has ended so. */
            reason: string | null;
            decidedBy: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            endedAt: string | null;
            /** @description Of the preview; exactly that plan is started. */
            planHash: string | null;
            /** @description What the plan does, the first 200 components. */
            changes: components["schemas"]["ReconcileChange"][];
            changeCount: number;
        };
        ReconcileChange: {
            componentId: string;
            action: string;
            reason: string;
        };
        ReconcileList: {
            data: components["schemas"]["ReconcileSummary"][];
            meta: components["schemas"]["IdCursorPage"];
        };
        ReconcileRefusal: {
            /** @description Stored in the audit. */
            reason: string;
        };
        /**
         * @description FOUND: what a plan would do is not known yet. ASKED: waits for a person. DUE: starts by itself when it may. DROPPED: the unit has changed, or no plan can repair it.
         * @enum {unknown}
         */
        ReconcileStatusWord: "FOUND" | "ASKED" | "DUE" | "STARTED" | "SUCCEEDED" | "FAILED" | "REFUSED" | "EXPIRED" | "DROPPED";
        ReconcileSummary: {
            id: string;
            deploymentUnitId: string;
            environment: string;
            driftCheckId: string;
            /** @description Ids of what has drifted. */
            components: string[];
            status: components["schemas"]["ReconcileStatusWord"];
            /** @description Whether its plan was started by itself. */
            automatic: boolean;
            planId: string | null;
            /** @description Why it waits, why somebody is asked about it, or why it has ended so. */
            reason: string | null;
            decidedBy: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            endedAt: string | null;
        };
        /** @description What is left, by earlier tasks of the same adapter and action, as if each task found a free place at once. */
        RemainingTime: {
            /** @description Null without earlier tasks. */
            medianMs: number | null;
            /** @description Where each task takes as long as nine of ten. */
            p90Ms: number | null;
            /** @description Why there is no estimate. */
            reason: string | null;
        };
        ReplayRequest: {
            webhook: string;
            /** @description Sends that one's event again. */
            deliveryId?: number;
            /**
             * Format: date-time
             * @description Start of the period; sends the webhook's events from then on.
             */
            from?: string;
            /**
             * Format: date-time
             * @description Up to then, exclusive; without it, up to now.
             */
            to?: string;
            /**
             * @description Whether events that were delivered are sent again too. An event that is named by its id always is.
             * @default false
             */
            includeDelivered?: boolean;
        };
        ReplayResult: {
            /** @description How many events wait to be sent again. */
            replayed: number;
        };
        ResourceList: {
            /** @description Descriptors as YAML. Very long ones make a page shorter: go on at offset + the number given. */
            content: string[];
            page: components["schemas"]["CountedPage"];
        };
        RetentionRule: {
            /** @description Name of the rule. */
            rule: string;
            /** @description The setting that says how long its rows are kept. */
            setting: string;
            /** @description 0 keeps them for ever. */
            keepDays: number;
            /** @description Rows from before this time are old; null where they are kept for ever. */
            before: string | null;
            /** @description Rows that would go now: plans without what goes with them. Null where nothing was counted. */
            wouldDelete: number | null;
            /** @description There are more: counting stopped at that number. */
            isMore: boolean;
            /** @description Rows that were deleted so far. */
            deleted: number;
            /** @description When all old rows had last been looked at; null before that. */
            lastPassAt: string | null;
            /** @description Why the last batch failed. */
            failure: string | null;
        };
        RetentionRuleList: {
            data: components["schemas"]["RetentionRule"][];
        };
        ReverseProvisioningRequest: {
            useCaseTemplateId: string;
            /** @description The first with an enabled deployment in the environment is asked. */
            infrastructureTemplateIds: string[];
            /** @description A configured environment. */
            environment: string;
            /** @description What the adapter needs to find the resource. */
            params?: {
                [key: string]: unknown;
            };
            /** @description The entity that is to be updated. */
            catalogInfo?: {
                [key: string]: unknown;
            };
        };
        /** @description An earlier operation that SUCCEEDED, by one of its two names. */
        RollbackRequest: {
            operationId?: string;
            executionPlanId?: string;
            /** @default false */
            removeData?: boolean;
            /**
             * @description Leaves components alone that are deployed as they were then.
             * @default true
             */
            preventRedeploy?: boolean;
            /** @description Components with `deletionProtection` whose data may be removed all the same. */
            confirmDataRemoval?: string[];
            /** @description Of a preview: a start is refused with 409 when its plan would be another one by now. */
            planHash?: string;
        };
        SearchGroup: {
            kind: components["schemas"]["SearchKind"];
            /** @description The best first. */
            items: components["schemas"]["SearchItem"][];
            /** @description Whether more fit than the group has. */
            more: boolean;
            /** @description Why this kind could not be searched. */
            unavailable: string | null;
        };
        SearchGroups: {
            /** @description One group for each kind, also where nothing was found, in an order that stays the same. */
            data: components["schemas"]["SearchGroup"][];
            meta: {
                limit: number;
            };
        };
        SearchItem: {
            /** @description Unique within the kind. */
            id: string;
            title: string;
            subtitle: string | null;
            /** @description The only one that it is in; null where it is in several, or in none. */
            environment: string | null;
            /** @description From 0 to 1; orders the items of its group. */
            score: number;
            link: components["schemas"]["SearchLink"];
        };
        /** @enum {unknown} */
        SearchKind: "UNIT" | "PLAN" | "ADAPTER" | "ENTITY" | "TEMPLATE" | "POLICY" | "AGENT" | "PAGE";
        /** @description What a link to it is made of. */
        SearchLink: {
            unitId?: string;
            planId?: string;
            adapterId?: string;
            entityRef?: string;
            policyId?: string;
            agentId?: string;
            /** @description File of the documentation, with its heading. */
            page?: string;
        };
        SettlementRequest: {
            /**
             * @description What is true of the component: DEPLOYED, NOT_DEPLOYED or CORRUPT. Of other tasks: APPLIED or NOT_APPLIED.
             * @enum {unknown}
             */
            outcome: "DEPLOYED" | "NOT_DEPLOYED" | "CORRUPT" | "APPLIED" | "NOT_APPLIED";
            /** @description How the outcome was found out; stored in the audit. */
            reason: string;
            /** @description With DEPLOYED: what the adapter would have returned, `{publicInfo?, privateInfo?}`. */
            info?: {
                [key: string]: unknown;
            };
        };
        /**
         * @default desc
         * @enum {unknown}
         */
        SortOrder: "asc" | "desc";
        StartTimePage: {
            pagination: {
                limit: number;
                /** Format: date-time */
                minStartTime: string | null;
                /** Format: date-time */
                maxStartTime: string | null;
            };
        };
        /** @enum {unknown} */
        TargetStatusWord: "DEPLOYED" | "NOT_DEPLOYED";
        /** @description Tasks of the plan; 0 in all of one that is queued, which is planned at its turn. */
        TaskCounts: {
            total: number;
            completed: number;
            /** @description Failed, skipped or terminated. */
            failed: number;
            running: number;
            waiting: number;
        };
        TaskGraph: {
            id: string;
            displayName: string;
            name: string;
            status: components["schemas"]["TaskStatusWord"];
            startTime: string | null;
            stopTime: string | null;
            waiting?: components["schemas"]["TaskWaiting"];
            componentName: string;
            /** @description YAML; empty when descriptors are not included. */
            descriptor: string;
            version: string;
            action: string;
            result: string;
            subPlanId: string;
            /** @description Each task is written out with its dependencies where it is first met; met again, it has none. Join by id. */
            dependsOnTasks: components["schemas"]["TaskGraph"][];
        };
        TaskGraphStatus: {
            id: string;
            displayName: string;
            name: string;
            status: components["schemas"]["TaskStatusWord"];
            startTime: string | null;
            stopTime: string | null;
            waiting?: components["schemas"]["TaskWaiting"];
            result: {
                message: string;
            } & {
                [key: string]: unknown;
            };
            /** @description Each task is written out with its dependencies where it is first met; met again, it has none. Join by id. */
            dependsOnTasks: components["schemas"]["TaskGraphStatus"][];
        };
        /** @enum {unknown} */
        TaskStatusWord: "WAITING" | "RUNNING" | "COMPLETED" | "FAILED" | "SKIPPED" | "TERMINATING" | "TERMINATED";
        /** @description Milliseconds, until the task ended or until now. */
        TaskTimeSplit: {
            /** @description Waited for its predecessors, since the plan began. */
            predecessorsMs: number;
            /** @description Was ready and waited for a place among the tasks at work. */
            queueMs: number;
            /** @description Attempts before the last one, with the pauses between them. */
            retriesMs: number;
            /** @description The call of the adapter, until it answered. */
            callMs: number;
            /** @description The adapter was at work and its token was polled. */
            pollMs: number;
        };
        TaskTiming: {
            taskId: string;
            action: string;
            componentId: string | null;
            adapterId: string | null;
            status: string;
            /** @description Is on the critical path. */
            isCritical: boolean;
            split: components["schemas"]["TaskTimeSplit"];
            remaining: components["schemas"]["RemainingTime"] | null;
        };
        /** @description Why the task does not progress at the moment. */
        TaskWaiting: {
            reason: string;
            since: string;
            nextAttemptAt?: string;
            attempts?: number;
            /** @description What comes next. */
            next?: string;
            /** @description Position in its queue, from 1. */
            position?: number;
            /** @description The plan at the head of that queue. */
            waitsForPlan?: string;
            /** @description Ids of tasks that have to end first; of many, some. */
            blockedBy?: string[];
            /** @description The setting whose limit is reached. */
            limit?: string;
        };
        TechAdapter: {
            id: string;
            version: string;
            name: string;
            description?: string;
            labels: string[];
            deployments: {
                environments: {
                    environment: string;
                    enabled: boolean;
                }[];
            };
        };
        TechAdapterList: {
            data: components["schemas"]["TechAdapter"][];
            meta: components["schemas"]["OffsetPage"];
        };
        TechAdapterToCreate: {
            id: string;
            /** @description Equals the last segment of the id. */
            version: string;
            name: string;
            description?: string;
            /**
             * @description Filterable, each in the form key=value.
             * @default []
             */
            labels?: string[];
        };
        TemplateRegistration: {
            /** @description Identifier of the template. */
            id: string;
            /** @description Name for people. */
            name: string;
            description: string;
            /** @description For display only. */
            version: string;
            /** @description Infrastructure template whose adapter is meant; the template's own id when left out. */
            infrastructureIdRef?: string;
            /** @description Address of the adapter; makes its deployment in the environment. */
            url?: string;
            /** @description A configured environment. */
            environment?: string;
            properties?: components["schemas"]["AdapterProperties"];
        };
        /**
         * @default safe
         * @enum {unknown}
         */
        TerminationMode: "safe" | "forced";
        TerminationOfMode: {
            mode: components["schemas"]["TerminationMode"];
            summary: string;
            /** @description Those that have not ended, in the order of the plan. */
            tasks: components["schemas"]["TerminationOfTask"][];
            /** @description Components that the termination itself may leave CORRUPT. */
            mayBecomeCorrupt: string[];
            /** @description Components that keep the state that they had before the plan. */
            untouched: string[];
        };
        TerminationOfTask: {
            taskId: string;
            action: string;
            componentId: string | null;
            /** @description At present. */
            status: string;
            /**
             * @description FINISHES: runs to its own end. STOPPED: its adapter is asked to stop the work. ABORTED: its call is given up, and what the adapter does with it is not known. NEVER_BEGUN: does not begin.
             * @enum {unknown}
             */
            effect: "FINISHES" | "STOPPED" | "ABORTED" | "NEVER_BEGUN";
            why: string;
        };
        TerminationPreview: {
            executionPlanId: string;
            /** @description Of the plan, at present. */
            status: string;
            requestedMode: components["schemas"]["TerminationMode"] | null;
            /** @description Whether the caller may call `terminatePlan`. */
            mayTerminate: boolean;
            /** @description Roles that may. */
            whoMay: string[];
            /** @description Components that the plan has changed already: that stays, nothing is rolled back. */
            done: string[];
            modes: components["schemas"]["TerminationOfMode"][];
        };
        Unit: {
            deploymentUnitId: string;
            environment: string;
            name: string | null;
            kind: string | null;
            owner: string | null;
            domain: string | null;
            status: components["schemas"]["UnitStatusWord"];
            descriptorVersion: string;
            /** @description Token of its last plan. */
            executionPlanId: string | null;
            executionPlanStatus: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        UnitAccess: {
            environment: string;
            /** @description Id of the component or subcomponent. */
            outputPortUrn: string;
            /** @description As deployed. */
            outputPortName: string | null;
            /** @description A user or a group, as it was requested. */
            identity: string;
            /** Format: date-time */
            grantedAt: string;
            request: components["schemas"]["AccessOfRequest"] | null;
        };
        UnitAccessList: {
            /** @description In the order of environment, output port and identity. */
            data: components["schemas"]["UnitAccess"][];
            meta: {
                /**
                 * @description ALL: everybody's access. OWN: of units that the caller does not own only what the caller and the caller's groups have.
                 * @enum {unknown}
                 */
                visible: "ALL" | "OWN";
                pagination: components["schemas"]["LimitedCursor"];
            };
        };
        /** @enum {unknown} */
        UnitAction: "DEPLOY" | "UNDEPLOY";
        UnitDiff: {
            deploymentUnitId: string;
            environment: string;
            otherEnvironment: string;
            /** @description Only where a plan is named: this side's; null for what is deployed. */
            executionPlanId?: string | null;
            otherExecutionPlanId?: string | null;
            identical: boolean;
            components: components["schemas"]["ComponentDiff"][];
        };
        UnitFacets: {
            /** @description Units that match all filters. */
            total: number;
            /** @description Each is counted with all filters but its own. Units without a value are not in it. */
            facets: {
                status: components["schemas"]["FacetValue"][];
                environment: components["schemas"]["FacetValue"][];
                owner: components["schemas"]["FacetValue"][];
                domain: components["schemas"]["FacetValue"][];
                kind: components["schemas"]["FacetValue"][];
            };
        };
        /** @description Only with CORRUPT: the operation and its task that made it so. */
        UnitFailure: {
            /** @description Token of the plan. */
            executionPlanId: string;
            operationId: string;
            provisioningAction: components["schemas"]["UnitAction"];
            taskId: string;
            /** @description Of the task. */
            action: string;
            componentId: string | null;
            /** @description How the task ended. */
            message: string;
            at: string | null;
        };
        UnitInAllEnvironments: {
            deploymentUnitId: string;
            name: string | null;
            kind: string | null;
            owner: string | null;
            domain: string | null;
            /** @description Every configured environment, in the order of the configuration. */
            environments: components["schemas"]["UnitInEnvironment"][];
            /** @description Every component of the unit in any environment. */
            components: components["schemas"]["ComponentInAllEnvironments"][];
        };
        UnitInEnvironment: {
            environment: string;
            /** @description False where no operation was ever started on the unit there. */
            known: boolean;
            status: components["schemas"]["UnitStatusWord"];
            descriptorVersion: string;
            /**
             * Format: date-time
             * @description Since when it has this status.
             */
            since: string | null;
            /** @description Token of its last plan. */
            executionPlanId: string | null;
            executionPlanStatus: string | null;
            active: components["schemas"]["ActiveOperation"] | null;
            /** @description Operations that wait for their turn. */
            queuedOperations: number;
            drift: components["schemas"]["LastDriftCheck"] | null;
            failure: components["schemas"]["UnitFailure"] | null;
        };
        UnitList: {
            data: components["schemas"]["Unit"][];
            meta: components["schemas"]["CursorPage"];
        };
        UnitStatus: {
            status: components["schemas"]["UnitStatusWord"];
            /** @description false where no operation was ever started on the unit in the environment; absent otherwise. */
            known?: boolean;
            failure?: components["schemas"]["UnitFailure"];
            provisioningDetails: {
                descriptorVersion: string;
                descriptor?: {
                    [key: string]: unknown;
                };
                provisioningInfo: {
                    [key: string]: unknown;
                };
                componentsStatus: components["schemas"]["ComponentOfUnitStatus"][];
            };
        };
        /** @enum {unknown} */
        UnitStatusWord: "DEPLOYED" | "NOT_DEPLOYED" | "PARTIALLY_DEPLOYED" | "CORRUPT" | "PROVISIONING_IN_PROGRESS";
        UnknownOutcome: {
            planId: string;
            taskId: string;
            deploymentUnitId: string | null;
            environment: string;
            componentId: string | null;
            adapterId: string | null;
            action: string;
            taskStatus: string;
            state: components["schemas"]["UnknownOutcomeState"];
            /** @description ISO 8601 in UTC. */
            since: string;
            /** @description Since the task began, up to now or its settlement. */
            ageSeconds: number;
            /** @description How often the call was made, always under one idempotency key. */
            attempts: number;
            evidence: components["schemas"]["OutcomeEvidence"];
            /** @description What happens next, or who can do what. */
            next: string;
            settlement: components["schemas"]["OutcomeSettlement"] | null;
        };
        UnknownOutcomeList: {
            data: components["schemas"]["UnknownOutcome"][];
            meta: components["schemas"]["IdCursorPage"];
        };
        /**
         * @description IN_PROGRESS: its plan is still polling. OPEN: it waits for a poll or a settlement on request.
         * @enum {unknown}
         */
        UnknownOutcomeState: "IN_PROGRESS" | "OPEN" | "SETTLED";
        /** @enum {unknown} */
        ValidationPhase: "INTERNAL_VALIDATION_PHASE" | "POLICY_COMPONENT_VALIDATION_PHASE" | "COMPONENT_VALIDATION_PHASE" | "DATAPRODUCT_VALIDATION_PHASE";
        ValidationResult: {
            validationPhaseKind: components["schemas"]["ValidationPhase"];
            validatedDescriptor: string;
            errors: components["schemas"]["Error"];
            status: components["schemas"]["ValidationStatusWord"];
            /** @description What does not make it invalid. */
            warnings?: string[];
        };
        ValidationStatus: {
            status: components["schemas"]["ValidationStatusWord"];
            validationSummaryStatus: components["schemas"]["ValidationSummary"];
        };
        /** @enum {unknown} */
        ValidationStatusWord: "RUNNING" | "COMPLETED" | "FAILED";
        ValidationSummary: {
            results: components["schemas"]["ValidationResult"][];
        };
        /** @description Why it does not go on; null while its tasks are at work, and for one that has ended. */
        WaitOfOperation: {
            /**
             * @description Its turn on the unit; a person; its environment, to open; a worker; or an adapter that is called again.
             * @enum {unknown}
             */
            kind: "QUEUE" | "APPROVAL" | "WINDOW" | "WORKER" | "ADAPTER";
            reason: string;
            /** Format: date-time */
            since: string;
            /** @description Entity references of those who can act; operators can in any case. */
            who: string[];
            /** @description When the waiting ends by itself, if that is known. */
            until: string | null;
            /** @description What comes next. */
            next: string;
        };
        WaitingItem: {
            kind: components["schemas"]["WaitingKind"];
            /** @description Unique together with the kind. */
            id: string;
            /**
             * @description What a hook decides about; otherwise the kind.
             * @enum {unknown}
             */
            subject: "HOOK" | "APPROVAL" | "EXCEPTION" | "FAILED_OPERATION" | "HELD_PLAN" | "RECONCILE" | "UNKNOWN_OUTCOME" | "ACCESS_REQUEST" | "DEPLOYMENT_APPROVAL" | "DATA_REMOVAL_APPROVAL";
            title: string;
            /** @description Why it waits. */
            reason: string;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** @description What happens when it expires. */
            atDeadline: string | null;
            environment: string | null;
            deploymentUnitId: string | null;
            /** @description Who asked for it or started it. */
            requester: string | null;
            whoMayAct: components["schemas"]["WhoMayAct"];
            link: components["schemas"]["WaitingLink"];
            /** @description Path of the operation with its details, on this server. */
            path: string;
        };
        /** @enum {unknown} */
        WaitingKind: "HOOK" | "APPROVAL" | "EXCEPTION" | "FAILED_OPERATION" | "HELD_PLAN" | "RECONCILE" | "UNKNOWN_OUTCOME";
        /** @description What a link to it is made of. */
        WaitingLink: {
            hookId?: string;
            accessRequestId?: string;
            planId?: string;
            taskId?: string;
            runId?: string;
            sessionId?: string;
            approvalId?: string;
            exceptionId?: string;
            policyId?: string;
            reconcileId?: string;
        };
        WaitingList: {
            /** @description The oldest first. */
            data: components["schemas"]["WaitingItem"][];
            meta: {
                pagination: {
                    limit: number;
                    /** @description Whether there are more than the list contains. */
                    more: boolean;
                    /** @description The cursor of the next page. */
                    next: string | null;
                };
                /** @description Kinds that could not be listed, and why. */
                unavailable: {
                    kind: components["schemas"]["WaitingKind"];
                    reason: string;
                }[];
            };
        };
        Webhook: {
            name: string;
            /** @description Of its address, with the port where one is given. */
            host: string;
            /** @description Null for every type. */
            events: string[] | null;
            /** @description Null for all. */
            environments: string[] | null;
            /** @description Deliveries that wait to be sent. */
            pending: number;
            /** @description Deliveries that were given up. */
            dead: number;
            oldestPendingAt: string | null;
            /** @description When its receiver answered 410; nothing is sent until a replay, or another address. */
            stoppedAt: string | null;
        };
        WebhookDelivery: {
            id: number;
            webhook: string;
            /** @description The CloudEvents `id` and the `webhook-id` header. */
            eventId: string;
            type: string;
            subject: string;
            environment: string;
            status: components["schemas"]["WebhookDeliveryStatusWord"];
            isReplay: boolean;
            attempts: number;
            createdAt: string;
            lastAttemptAt: string | null;
            /** @description HTTP status of the last answer. */
            lastStatus: number | null;
            lastError: string | null;
            nextAttemptAt: string | null;
            endedAt: string | null;
            /** @description Why it is not sent yet. */
            waiting: string | null;
        };
        WebhookDeliveryList: {
            data: components["schemas"]["WebhookDelivery"][];
            meta: components["schemas"]["IdCursorPage"];
        };
        /** @enum {unknown} */
        WebhookDeliveryStatusWord: "PENDING" | "DELIVERED" | "DEAD";
        WebhookList: {
            /** @description In the order of the configuration. */
            data: components["schemas"]["Webhook"][];
        };
        /**
         * @default refuse
         * @enum {unknown}
         */
        WhenClosed: "refuse" | "wait" | "override";
        WhoMayAct: {
            /** @description References of users and groups. */
            refs: string[];
            /** @description Whether operators may. */
            operators: boolean;
            /** @description The rule of ownership by which they may. */
            rule: string | null;
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
    validateDescriptor: {
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
                 *       "descriptor": "id: urn:dmb:dp:fleet:positions:0\nname: positions\nversion: 1.2.0\nenvironment: development\ncomponents:\n  - { id: \"urn:dmb:cmp:fleet:positions:0:latest-positions\", name: latest-positions, kind: outputport }\n",
                 *       "removeData": false
                 *     }
                 */
                "application/json": components["schemas"]["DescriptorToValidate"];
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
                     *           "validationPhaseKind": "INTERNAL_VALIDATION_PHASE",
                     *           "validatedDescriptor": "id: urn:dmb:dp:fleet:positions:0\nname: positions\nversion: 1.2.0\nenvironment: development\ncomponents:\n  - { id: \"urn:dmb:cmp:fleet:positions:0:latest-positions\", name: latest-positions, kind: outputport }\n",
                     *           "errors": {
                     *             "errors": [],
                     *             "code": "",
                     *             "userMessage": "",
                     *             "input": "",
                     *             "inputErrorField": "",
                     *             "moreInfo": {
                     *               "problems": [],
                     *               "solutions": []
                     *             }
                     *           },
                     *           "status": "COMPLETED"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationSummary"];
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
    startValidation: {
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
                 *       "descriptor": "id: urn:dmb:dp:fleet:positions:0\nname: positions\nversion: 1.2.0\nenvironment: development\ncomponents:\n  - { id: \"urn:dmb:cmp:fleet:positions:0:latest-positions\", name: latest-positions, kind: outputport }\n",
                 *       "removeData": false
                 *     }
                 */
                "application/json": components["schemas"]["DescriptorToValidate"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                    "application/json": string;
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
    getValidationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                token: string;
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
                     *       "status": "COMPLETED",
                     *       "validationSummaryStatus": {
                     *         "results": [
                     *           {
                     *             "validationPhaseKind": "INTERNAL_VALIDATION_PHASE",
                     *             "validatedDescriptor": "id: urn:dmb:dp:fleet:positions:0\nname: positions\nversion: 1.2.0\nenvironment: development\ncomponents:\n  - { id: \"urn:dmb:cmp:fleet:positions:0:latest-positions\", name: latest-positions, kind: outputport }\n",
                     *             "errors": {
                     *               "errors": [],
                     *               "code": "",
                     *               "userMessage": "",
                     *               "input": "",
                     *               "inputErrorField": "",
                     *               "moreInfo": {
                     *                 "problems": [],
                     *                 "solutions": []
                     *               }
                     *             },
                     *             "status": "COMPLETED"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationStatus"];
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
    getUnitStatus: {
        parameters: {
            query: {
                /**
                 * @description A configured environment.
                 * @example development
                 */
                environment: string;
                "include-descriptor"?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the deployment unit.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                "deployment-unit-id": string;
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
                     *       "status": "DEPLOYED",
                     *       "provisioningDetails": {
                     *         "descriptorVersion": "1.2.0",
                     *         "provisioningInfo": {},
                     *         "componentsStatus": [
                     *           {
                     *             "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *             "descriptorVersion": "1.2.0",
                     *             "status": "DEPLOYED"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UnitStatus"];
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
    getComponentStatus: {
        parameters: {
            query: {
                /**
                 * @description A configured environment.
                 * @example development
                 */
                environment: string;
                "include-descriptor"?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the deployment unit.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                "deployment-unit-id": string;
                /** @example urn:dmb:cmp:fleet:positions:0:latest-positions */
                "component-id": string;
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
                     *       "status": "DEPLOYED",
                     *       "provisioningDetails": {
                     *         "descriptorVersion": "1.2.0"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ComponentStatus"];
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
    previewProvisioning: {
        parameters: {
            query: {
                /**
                 * @description A configured environment.
                 * @example development
                 */
                environment: string;
                "autofill-target-status"?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the deployment unit.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                "deployment-unit-id": string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "descriptor": {
                 *         "id": "urn:dmb:dp:fleet:positions:0",
                 *         "name": "positions",
                 *         "version": "1.2.0",
                 *         "environment": "development",
                 *         "components": [
                 *           {
                 *             "id": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                 *             "name": "latest-positions",
                 *             "version": "1.2.0",
                 *             "kind": "outputport",
                 *             "dependsOn": []
                 *           }
                 *         ]
                 *       },
                 *       "targetStatus": [
                 *         {
                 *           "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                 *           "targetStatus": "DEPLOYED",
                 *           "action": "DEPLOY"
                 *         }
                 *       ],
                 *       "removeData": false,
                 *       "preventRedeploy": false
                 *     }
                 */
                "application/json": components["schemas"]["ProvisioningRequest"];
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
                     *       "outcome": "OK",
                     *       "operations": [
                     *         {
                     *           "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "targetStatus": "DEPLOYED",
                     *           "action": "REDEPLOY",
                     *           "reason": "DESCRIPTOR_CHANGED",
                     *           "additionalReasons": [],
                     *           "dependencyOf": [],
                     *           "dependantOn": []
                     *         }
                     *       ],
                     *       "conflictingOperations": [],
                     *       "planHash": "0f3a9c55d1be"
                     *     }
                     */
                    "application/json": components["schemas"]["ProvisioningPreview"];
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
    startProvisioning: {
        parameters: {
            query: {
                /**
                 * @description A configured environment.
                 * @example development
                 */
                environment: string;
                unsafe?: boolean;
                /** @description When the unit has an active operation, queue this one instead of refusing it. */
                queue?: boolean;
                /** @description While the environment's maintenance windows let nothing begin: refuse the start with 409, let its plan wait until they do, or begin all the same, which operators may. */
                "when-closed"?: components["schemas"]["WhenClosed"];
                /**
                 * @description Why it begins all the same; needed for `override`, and stored in the audit.
                 * @example the fix of an outage
                 */
                "override-reason"?: string;
            };
            header?: {
                /**
                 * @description Printable ASCII. A repeat under the same key with the same request answers the first token; another request is refused with 409.
                 * @example deploy-positions-1.2.0
                 */
                "idempotency-key"?: string;
                /** @description The ETag of the preview: refused with 409 when the plan would be another one by now. */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the deployment unit.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                "deployment-unit-id": string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "descriptor": {
                 *         "id": "urn:dmb:dp:fleet:positions:0",
                 *         "name": "positions",
                 *         "version": "1.2.0",
                 *         "environment": "development",
                 *         "components": [
                 *           {
                 *             "id": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                 *             "name": "latest-positions",
                 *             "version": "1.2.0",
                 *             "kind": "outputport",
                 *             "dependsOn": []
                 *           }
                 *         ]
                 *       },
                 *       "targetStatus": [
                 *         {
                 *           "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                 *           "targetStatus": "DEPLOYED",
                 *           "action": "DEPLOY"
                 *         }
                 *       ],
                 *       "removeData": false,
                 *       "preventRedeploy": false
                 *     }
                 */
                "application/json": components["schemas"]["ProvisioningRequest"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                    "application/json": string;
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
    previewRollback: {
        parameters: {
            query: {
                /**
                 * @description A configured environment.
                 * @example development
                 */
                environment: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the deployment unit.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                "deployment-unit-id": string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "executionPlanId": "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11",
                 *       "removeData": false
                 *     }
                 */
                "application/json": components["schemas"]["RollbackRequest"];
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
                     *       "outcome": "OK",
                     *       "operations": [
                     *         {
                     *           "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "targetStatus": "DEPLOYED",
                     *           "action": "REDEPLOY",
                     *           "reason": "DESCRIPTOR_CHANGED",
                     *           "additionalReasons": [],
                     *           "dependencyOf": [],
                     *           "dependantOn": []
                     *         }
                     *       ],
                     *       "conflictingOperations": [],
                     *       "planHash": "0f3a9c55d1be"
                     *     }
                     */
                    "application/json": components["schemas"]["ProvisioningPreview"];
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
    rollBack: {
        parameters: {
            query: {
                /**
                 * @description A configured environment.
                 * @example development
                 */
                environment: string;
                /** @description When the unit has an active operation, queue this one instead of refusing it. */
                queue?: boolean;
                /** @description While the environment's maintenance windows let nothing begin: refuse the start with 409, let its plan wait until they do, or begin all the same, which operators may. */
                "when-closed"?: components["schemas"]["WhenClosed"];
                /**
                 * @description Why it begins all the same; needed for `override`, and stored in the audit.
                 * @example the fix of an outage
                 */
                "override-reason"?: string;
            };
            header?: {
                /**
                 * @description Printable ASCII. A repeat under the same key with the same request answers the first token; another request is refused with 409.
                 * @example deploy-positions-1.2.0
                 */
                "idempotency-key"?: string;
                /** @description The ETag of the preview: refused with 409 when the plan would be another one by now. */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id of the deployment unit.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                "deployment-unit-id": string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "executionPlanId": "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11",
                 *       "removeData": false
                 *     }
                 */
                "application/json": components["schemas"]["RollbackRequest"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                    "application/json": string;
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
    terminateUnitProvisioning: {
        parameters: {
            query: {
                /**
                 * @description A configured environment.
                 * @example development
                 */
                environment: string;
                /** @description safe lets running tasks finish; forced also asks the adapters to stop them. */
                mode?: components["schemas"]["TerminationMode"];
            };
            header?: never;
            path: {
                /**
                 * @description Id of the deployment unit.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                "deployment-unit-id": string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The termination was accepted. */
            202: {
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
    getTerminationPreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                token: string;
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
                     *       "executionPlanId": "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11",
                     *       "status": "RUNNING",
                     *       "requestedMode": null,
                     *       "mayTerminate": true,
                     *       "whoMay": [
                     *         "operator",
                     *         "service",
                     *         "admin"
                     *       ],
                     *       "done": [],
                     *       "modes": [
                     *         {
                     *           "mode": "safe",
                     *           "summary": "1 task at work will finish; 0 tasks will not begin.",
                     *           "tasks": [
                     *             {
                     *               "taskId": "provision:urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *               "action": "PROVISION",
                     *               "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *               "status": "RUNNING",
                     *               "effect": "FINISHES",
                     *               "why": "It is at work and runs to its own end, at the latest the time limit of the operation."
                     *             }
                     *           ],
                     *           "mayBecomeCorrupt": [],
                     *           "untouched": []
                     *         },
                     *         {
                     *           "mode": "forced",
                     *           "summary": "1 task will be stopped by the adapters, 0 tasks cut off; 0 tasks will not begin.",
                     *           "tasks": [
                     *             {
                     *               "taskId": "provision:urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *               "action": "PROVISION",
                     *               "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *               "status": "RUNNING",
                     *               "effect": "STOPPED",
                     *               "why": "Its adapter is asked to stop, and has the grace time to do so; only where it completes after all is it done."
                     *             }
                     *           ],
                     *           "mayBecomeCorrupt": [
                     *             "urn:dmb:cmp:fleet:positions:0:latest-positions"
                     *           ],
                     *           "untouched": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TerminationPreview"];
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
    getUnitTerminationPreview: {
        parameters: {
            query: {
                /**
                 * @description A configured environment.
                 * @example development
                 */
                environment: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the deployment unit.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                "deployment-unit-id": string;
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
                     *       "executionPlanId": "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11",
                     *       "status": "RUNNING",
                     *       "requestedMode": null,
                     *       "mayTerminate": true,
                     *       "whoMay": [
                     *         "operator",
                     *         "service",
                     *         "admin"
                     *       ],
                     *       "done": [],
                     *       "modes": [
                     *         {
                     *           "mode": "safe",
                     *           "summary": "1 task at work will finish; 0 tasks will not begin.",
                     *           "tasks": [
                     *             {
                     *               "taskId": "provision:urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *               "action": "PROVISION",
                     *               "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *               "status": "RUNNING",
                     *               "effect": "FINISHES",
                     *               "why": "It is at work and runs to its own end, at the latest the time limit of the operation."
                     *             }
                     *           ],
                     *           "mayBecomeCorrupt": [],
                     *           "untouched": []
                     *         },
                     *         {
                     *           "mode": "forced",
                     *           "summary": "1 task will be stopped by the adapters, 0 tasks cut off; 0 tasks will not begin.",
                     *           "tasks": [
                     *             {
                     *               "taskId": "provision:urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *               "action": "PROVISION",
                     *               "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *               "status": "RUNNING",
                     *               "effect": "STOPPED",
                     *               "why": "Its adapter is asked to stop, and has the grace time to do so; only where it completes after all is it done."
                     *             }
                     *           ],
                     *           "mayBecomeCorrupt": [
                     *             "urn:dmb:cmp:fleet:positions:0:latest-positions"
                     *           ],
                     *           "untouched": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TerminationPreview"];
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
    listUnits: {
        parameters: {
            query?: {
                /** @description Comma-separated; units in any of these environments. */
                environment?: string[];
                /** @description Comma-separated; units in any of these states. */
                status?: components["schemas"]["UnitStatusWord"][];
                /** @description Part of the unit's id or name, in any case. */
                search?: string;
                /**
                 * @description Units whose descriptor has this `dataProductOwner`, or else this `projectOwner`.
                 * @example group:default/fleet
                 */
                owner?: string;
                /**
                 * @description Units whose descriptor has this `domain`.
                 * @example fleet
                 */
                domain?: string;
                /**
                 * @description Units whose descriptor has this `kind`, in any case.
                 * @example pre-deployed
                 */
                kind?: string;
                /**
                 * @description A page has at most 500.
                 * @example 20
                 */
                limit?: number;
                /** @description `meta.pagination.next` of the page before. */
                cursor?: string;
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
                     *           "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *           "environment": "development",
                     *           "name": "positions",
                     *           "kind": "dataproduct",
                     *           "owner": "group:default/fleet",
                     *           "domain": "fleet",
                     *           "status": "DEPLOYED",
                     *           "descriptorVersion": "1.2.0",
                     *           "executionPlanId": "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11",
                     *           "executionPlanStatus": "COMPLETED",
                     *           "updatedAt": "2026-11-22T09:30:04.250Z"
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
                    "application/json": components["schemas"]["UnitList"];
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
    listEnvironments: {
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
                     *           "name": "development",
                     *           "deploymentUnits": 12,
                     *           "activeOperations": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EnvironmentList"];
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
    getUnitEnvironments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the deployment unit.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                "deployment-unit-id": string;
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
                     *       "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *       "name": "positions",
                     *       "kind": "dataproduct",
                     *       "owner": "group:default/fleet",
                     *       "domain": "fleet",
                     *       "environments": [
                     *         {
                     *           "environment": "development",
                     *           "known": true,
                     *           "status": "DEPLOYED",
                     *           "descriptorVersion": "1.2.0",
                     *           "since": "2026-11-22T09:30:04.250Z",
                     *           "executionPlanId": "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11",
                     *           "executionPlanStatus": "COMPLETED",
                     *           "active": null,
                     *           "queuedOperations": 0,
                     *           "drift": {
                     *             "driftCheckId": "c3f0e1d2-8a54-4f6b-8f0c-6f1f9d2b7a01",
                     *             "result": "NO_DRIFT",
                     *             "checkedAt": "2026-11-23T04:00:02.000Z",
                     *             "isOutdated": false
                     *           },
                     *           "failure": null
                     *         }
                     *       ],
                     *       "components": [
                     *         {
                     *           "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "environments": [
                     *             {
                     *               "environment": "development",
                     *               "status": "DEPLOYED",
                     *               "descriptorVersion": "1.2.0",
                     *               "since": "2026-11-22T09:30:04.250Z",
                     *               "executionPlanId": "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11",
                     *               "drift": "NO_DRIFT",
                     *               "failure": null
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UnitInAllEnvironments"];
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
    getUnitFacets: {
        parameters: {
            query?: {
                /** @description Comma-separated; units in any of these environments. */
                environment?: string[];
                /** @description Comma-separated; units in any of these states. */
                status?: components["schemas"]["UnitStatusWord"][];
                /** @description Part of the unit's id or name, in any case. */
                search?: string;
                /**
                 * @description Units whose descriptor has this `dataProductOwner`, or else this `projectOwner`.
                 * @example group:default/fleet
                 */
                owner?: string;
                /**
                 * @description Units whose descriptor has this `domain`.
                 * @example fleet
                 */
                domain?: string;
                /**
                 * @description Units whose descriptor has this `kind`, in any case.
                 * @example pre-deployed
                 */
                kind?: string;
                /**
                 * @description Values of each facet, the most frequent first.
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
                     *       "total": 12,
                     *       "facets": {
                     *         "status": [
                     *           {
                     *             "value": "DEPLOYED",
                     *             "count": 11
                     *           },
                     *           {
                     *             "value": "CORRUPT",
                     *             "count": 1
                     *           }
                     *         ],
                     *         "environment": [
                     *           {
                     *             "value": "development",
                     *             "count": 12
                     *           }
                     *         ],
                     *         "owner": [
                     *           {
                     *             "value": "group:default/fleet",
                     *             "count": 7
                     *           }
                     *         ],
                     *         "domain": [
                     *           {
                     *             "value": "fleet",
                     *             "count": 12
                     *           }
                     *         ],
                     *         "kind": [
                     *           {
                     *             "value": "dataproduct",
                     *             "count": 12
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UnitFacets"];
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
    listUnitAccess: {
        parameters: {
            query?: {
                /**
                 * @description A configured environment; all without.
                 * @example development
                 */
                environment?: string;
                /** @description Only what this user or group has, in any case. */
                identity?: string;
                /** @example 20 */
                limit?: number;
                /** @description `meta.pagination.next` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the deployment unit.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                "deployment-unit-id": string;
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
                     *       "data": [
                     *         {
                     *           "environment": "development",
                     *           "outputPortUrn": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "outputPortName": "latest-positions",
                     *           "identity": "user:ada",
                     *           "grantedAt": "2026-11-22T09:30:04.250Z",
                     *           "request": {
                     *             "id": "2f1f8f8e-7d63-4c93-9a51-1f6f0d0a4b21:7:1",
                     *             "accessRequestId": "2f1f8f8e-7d63-4c93-9a51-1f6f0d0a4b21",
                     *             "executionPlanId": "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11",
                     *             "requestedBy": "user:default/ada",
                     *             "requestedAt": "2026-11-22T09:30:00.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "visible": "ALL",
                     *         "pagination": {
                     *           "limit": 20,
                     *           "next": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UnitAccessList"];
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
    listOperations: {
        parameters: {
            query?: {
                /** @description Comma-separated; operations in any of these environments. */
                environment?: string[];
                /** @description Comma-separated; operations in any of these states. */
                status?: components["schemas"]["OperationStatusWord"][];
                /**
                 * @description Operations of this unit.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                "deployment-unit-id"?: string;
                /** @description The operation of this plan alone. */
                "execution-plan-id"?: string;
                "include-descriptors"?: boolean;
                /** @description Whether each has `progress`, `failure` and `waitsFor`, for a list of what is at work. */
                "include-progress"?: boolean;
                /** @description By start time. */
                "sort-order"?: components["schemas"]["SortOrder"];
                /** @description Later than this; maxStartTime of a page leads to newer ones. */
                "start-time-after"?: string;
                /** @description Earlier than this; minStartTime of a page leads to older ones. */
                "start-time-before"?: string;
                /**
                 * @description Operations in a page, at most 100: `meta.pagination.limit` says how many. Those that began in the same millisecond as the last one come with it, so that times are cursors that lose nothing. Long descriptors make a page shorter; the list ends with an empty page.
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
                     *           "operation": {
                     *             "operationId": "operation-42",
                     *             "provisioningAction": "DEPLOY",
                     *             "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *             "environment": "development",
                     *             "descriptorVersion": "1.2.0",
                     *             "status": "SUCCEEDED",
                     *             "executionPlanId": "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11",
                     *             "originatorUri": "user:default/ada",
                     *             "startTime": "2026-11-22T09:30:00.000Z",
                     *             "stopTime": "2026-11-22T09:30:04.250Z",
                     *             "waiting": null
                     *           },
                     *           "descriptor": {
                     *             "id": "urn:dmb:dp:fleet:positions:0",
                     *             "name": "positions",
                     *             "version": "1.2.0",
                     *             "environment": "development",
                     *             "components": [
                     *               {
                     *                 "id": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *                 "name": "latest-positions",
                     *                 "version": "1.2.0",
                     *                 "kind": "outputport",
                     *                 "dependsOn": []
                     *               }
                     *             ]
                     *           },
                     *           "components": [
                     *             {
                     *               "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *               "provisioningAction": "DEPLOY",
                     *               "operationStatus": "SCHEDULED"
                     *             }
                     *           ],
                     *           "waitsFor": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "limit": 20,
                     *           "minStartTime": "2026-11-22T09:30:00.000Z",
                     *           "maxStartTime": "2026-11-22T09:30:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OperationList"];
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
    getPlan: {
        parameters: {
            query?: {
                "include-descriptors"?: boolean;
            };
            header?: never;
            path: {
                /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                token: string;
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
                     *       "environment": "development",
                     *       "originatorUri": "user:default/ada",
                     *       "dag": {
                     *         "id": "provision:urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *         "displayName": "provision latest-positions",
                     *         "name": "latest-positions",
                     *         "status": "COMPLETED",
                     *         "startTime": "2026-11-22T09:30:00.000Z",
                     *         "stopTime": "2026-11-22T09:30:04.250Z",
                     *         "componentName": "latest-positions",
                     *         "descriptor": "",
                     *         "version": "1.2.0",
                     *         "action": "PROVISION",
                     *         "result": "The view fleet_dev.latest_positions was made with 5 columns.",
                     *         "subPlanId": "",
                     *         "dependsOnTasks": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExecutionPlan"];
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
    getPlanStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                token: string;
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
                     *       "environment": "development",
                     *       "originatorUri": "user:default/ada",
                     *       "dag": {
                     *         "id": "provision:urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *         "displayName": "provision latest-positions",
                     *         "name": "latest-positions",
                     *         "status": "COMPLETED",
                     *         "startTime": "2026-11-22T09:30:00.000Z",
                     *         "stopTime": "2026-11-22T09:30:04.250Z",
                     *         "result": {
                     *           "message": "The view fleet_dev.latest_positions was made with 5 columns."
                     *         },
                     *         "dependsOnTasks": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExecutionPlanStatus"];
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
    streamPlanEvents: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: {
                "last-event-id"?: string;
            };
            path: {
                /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                token: string;
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
                     * @example id: 4711
                     *     event: task
                     *     data: {"id":"provision:urn:dmb:cmp:fleet:positions:0:latest-positions","status":"COMPLETED","action":"PROVISION","componentId":"urn:dmb:cmp:fleet:positions:0:latest-positions","stopTime":"2026-11-22T09:30:04.250Z"}
                     *
                     *     id: 4712
                     *     event: plan
                     *     data: {"id":"0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11","status":"COMPLETED","at":"2026-11-22T09:30:04.250Z"}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description The plan has ended and the caller has its last event. */
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
    terminatePlan: {
        parameters: {
            query?: {
                /** @description safe lets running tasks finish; forced also asks the adapters to stop them. */
                mode?: components["schemas"]["TerminationMode"];
            };
            header?: never;
            path: {
                /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                    "application/json": string;
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
    listPlans: {
        parameters: {
            query: {
                /**
                 * @description Id of the deployment unit.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                "data-product-id": string;
                /**
                 * @description Comma-separated.
                 * @example [
                 *       "development"
                 *     ]
                 */
                environments: string[];
                /**
                 * @description Of the descriptor, exactly.
                 * @example 1
                 */
                version?: string;
                /** @description Comma-separated actions of the plans. */
                operations?: ("PROVISION" | "UNPROVISION" | "VALIDATE_COMPONENT" | "POLICY_VALIDATE_COMPONENT" | "PUBLISH" | "UNPUBLISH" | "UPDATE_ACL" | "REVERSE_PROVISION")[];
                "include-descriptors"?: boolean;
                /** @description False leaves out plans of versions with a SNAPSHOT part, such as 1.2.0-SNAPSHOT-3. */
                "include-snapshot"?: boolean;
                /** @example 0 */
                offset?: number;
                /**
                 * @description A page has at most 50; `page.limit` says how many.
                 * @example 20
                 */
                limit?: number;
                /** @description By the time of acceptance. */
                ordering?: components["schemas"]["SortOrder"];
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
                     *       "provisioningPlans": [
                     *         {
                     *           "environment": "development",
                     *           "originatorUri": "user:default/ada",
                     *           "dag": {
                     *             "id": "provision:urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *             "displayName": "provision latest-positions",
                     *             "name": "latest-positions",
                     *             "status": "COMPLETED",
                     *             "startTime": "2026-11-22T09:30:00.000Z",
                     *             "stopTime": "2026-11-22T09:30:04.250Z",
                     *             "componentName": "latest-positions",
                     *             "descriptor": "",
                     *             "version": "1.2.0",
                     *             "action": "PROVISION",
                     *             "result": "The view fleet_dev.latest_positions was made with 5 columns.",
                     *             "subPlanId": "",
                     *             "dependsOnTasks": []
                     *           }
                     *         }
                     *       ],
                     *       "page": {
                     *         "offset": 0,
                     *         "limit": 20,
                     *         "count": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExecutionPlanList"];
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
    getPlanTiming: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                token: string;
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
                     *       "executionPlanId": "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11",
                     *       "status": "RUNNING",
                     *       "asOf": "2026-11-22T09:30:03.000Z",
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "startedAt": "2026-11-22T09:30:00.000Z",
                     *       "stoppedAt": null,
                     *       "beforeStartMs": 0,
                     *       "approvalMs": 0,
                     *       "tasks": [
                     *         {
                     *           "taskId": "provision:urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "action": "PROVISION",
                     *           "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "adapterId": "urn:dmb:itm:postgresql-view:1",
                     *           "status": "RUNNING",
                     *           "isCritical": true,
                     *           "split": {
                     *             "predecessorsMs": 210,
                     *             "queueMs": 5,
                     *             "retriesMs": 0,
                     *             "callMs": 35,
                     *             "pollMs": 2750
                     *           },
                     *           "remaining": {
                     *             "medianMs": 1250,
                     *             "p90Ms": 4100,
                     *             "reason": null
                     *           }
                     *         }
                     *       ],
                     *       "criticalPath": {
                     *         "taskIds": [
                     *           "provision:urn:dmb:cmp:fleet:positions:0:latest-positions"
                     *         ],
                     *         "ms": 4035
                     *       },
                     *       "remaining": {
                     *         "medianMs": 1250,
                     *         "p90Ms": 4100,
                     *         "reason": null
                     *       },
                     *       "statistics": [
                     *         {
                     *           "adapterId": "urn:dmb:itm:postgresql-view:1",
                     *           "action": "PROVISION",
                     *           "samples": 41,
                     *           "medianMs": 4035,
                     *           "p90Ms": 6885
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PlanTiming"];
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
    resumePlan: {
        parameters: {
            query?: {
                /** @description While the environment's maintenance windows let nothing begin: refuse the start with 409, let its plan wait until they do, or begin all the same, which operators may. */
                "when-closed"?: components["schemas"]["WhenClosed"];
                /**
                 * @description Why it begins all the same; needed for `override`, and stored in the audit.
                 * @example the fix of an outage
                 */
                "override-reason"?: string;
            };
            header?: {
                /**
                 * @description Printable ASCII. A repeat under the same key with the same request answers the first token; another request is refused with 409.
                 * @example deploy-positions-1.2.0
                 */
                "idempotency-key"?: string;
            };
            path: {
                /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                    "application/json": string;
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
    getPlanLogs: {
        parameters: {
            query?: {
                /** @description Lines of this severity and above. */
                level?: components["schemas"]["LogSeverity"];
                task_id?: string;
                /** @description Position at which an earlier answer ended, from its Link header. */
                after?: number;
                /** @example 20 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                provisioning_plan_id: string;
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
                     *         "timestamp": "2026-11-22T09:30:00.000Z",
                     *         "severity": "INFO",
                     *         "task": "provision:urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *         "message": "The view fleet_dev.latest_positions was made with 5 columns.",
                     *         "phase": "PROVISION:ADAPTER"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["LogLine"][];
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
    getUnitDiff: {
        parameters: {
            query: {
                /**
                 * @description A configured environment.
                 * @example development
                 */
                environment: string;
                /**
                 * @description Another configured environment; where a plan is named, without it the same one.
                 * @example production
                 */
                "other-environment"?: string;
                /**
                 * @description The environment's side is what this plan was to deploy, as its stored descriptor says; a token. Without it, what is deployed.
                 * @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11
                 */
                plan?: string;
                /** @description The other environment's side is what this plan was to deploy, as its stored descriptor says; a token. Without it, what is deployed. */
                "other-plan"?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the deployment unit.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                "deployment-unit-id": string;
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
                     *       "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *       "environment": "development",
                     *       "otherEnvironment": "production",
                     *       "executionPlanId": "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11",
                     *       "otherExecutionPlanId": null,
                     *       "identical": false,
                     *       "components": [
                     *         {
                     *           "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "result": "DIFFERENT",
                     *           "differences": [
                     *             "FIELDS"
                     *           ],
                     *           "status": {
                     *             "environment": "DEPLOYED",
                     *             "otherEnvironment": "DEPLOYED"
                     *           },
                     *           "descriptorVersion": {
                     *             "environment": "development",
                     *             "otherEnvironment": "production"
                     *           },
                     *           "changedFields": [
                     *             {
                     *               "field": "/specific/columns/4/name",
                     *               "environment": "depot",
                     *               "otherEnvironment": "station"
                     *             }
                     *           ],
                     *           "hasMoreChangedFields": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UnitDiff"];
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
    listResources: {
        parameters: {
            query: {
                /**
                 * @description A configured environment.
                 * @example development
                 */
                environment: string;
                /** @description Comma-separated kinds, as `kind` of the descriptors, in any case. */
                "resource-types"?: string[];
                /**
                 * @description Only this deployment unit.
                 * @example urn:dmb:itm:postgresql-view:1
                 */
                id?: string;
                /** @example 0 */
                offset?: number;
                /** @example 20 */
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
                     *       "content": [
                     *         "urn:dmb:cmp:fleet:positions:0:latest-positions"
                     *       ],
                     *       "page": {
                     *         "offset": 0,
                     *         "limit": 20,
                     *         "count": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ResourceList"];
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
    listPreDeployedDescriptors: {
        parameters: {
            query: {
                /**
                 * @description Descriptors without deploy and build information.
                 * @example pre-deployed
                 */
                kind: "pre-deployed";
                /**
                 * @description Only later ones; lastDeploymentTime of the page before.
                 * @example 2026-11-22T09:30:04.250Z
                 */
                lastDeploymentTime?: string;
                /**
                 * @description At most 100 come in one answer. Those of the last one's millisecond come with it; very long ones make a page shorter.
                 * @example 20
                 */
                limit: number;
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
                     *       "descriptors": [
                     *         {
                     *           "descriptor": "id: urn:dmb:dp:fleet:positions:0\nname: positions\nversion: 1.2.0\nenvironment: development\ncomponents:\n  - { id: \"urn:dmb:cmp:fleet:positions:0:latest-positions\", name: latest-positions, kind: outputport }\n",
                     *           "operation": "Provision"
                     *         }
                     *       ],
                     *       "lastDeploymentTime": "2026-11-22T09:30:04.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DescriptorList"];
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
    registerTemplate: {
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
                "application/json": components["schemas"]["TemplateRegistration"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example urn:dmb:itm:postgresql-view:1 */
                    "application/json": string;
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
    provisionDescriptor: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Printable ASCII. A repeat under the same key with the same request answers the first token; another request is refused with 409.
                 * @example deploy-positions-1.2.0
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
                 *       "descriptor": "id: urn:dmb:dp:fleet:positions:0\nname: positions\nversion: 1.2.0\nenvironment: development\ncomponents:\n  - { id: \"urn:dmb:cmp:fleet:positions:0:latest-positions\", name: latest-positions, kind: outputport }\n",
                 *       "removeData": false
                 *     }
                 */
                "application/json": components["schemas"]["DescriptorToProvision"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                    "application/json": string;
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
    unprovisionDescriptor: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Printable ASCII. A repeat under the same key with the same request answers the first token; another request is refused with 409.
                 * @example deploy-positions-1.2.0
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
                 *       "descriptor": "id: urn:dmb:dp:fleet:positions:0\nname: positions\nversion: 1.2.0\nenvironment: development\ncomponents:\n  - { id: \"urn:dmb:cmp:fleet:positions:0:latest-positions\", name: latest-positions, kind: outputport }\n",
                 *       "removeData": false
                 *     }
                 */
                "application/json": components["schemas"]["DescriptorToProvision"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                    "application/json": string;
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
    getProvisionStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                token: string;
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
                     *       "status": "COMPLETED",
                     *       "result": "The view fleet_dev.latest_positions was made with 5 columns.",
                     *       "info": {
                     *         "publicInfo": {},
                     *         "privateInfo": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProvisionStatus"];
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
    listTechAdapters: {
        parameters: {
            query?: {
                /** @description Part of the name, in any case. */
                search?: string;
                /**
                 * @description Comma-separated; all must match.
                 * @example [
                 *       "technology=postgresql"
                 *     ]
                 */
                labels?: string[];
                "sort-by"?: "name";
                "sort-order"?: components["schemas"]["SortOrder"];
                /**
                 * @description A page has at most 100; `meta.pagination.limit` says what it holds.
                 * @example 20
                 */
                limit?: number;
                /** @example 0 */
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
                     *       "data": [
                     *         {
                     *           "id": "urn:dmb:itm:postgresql-view:1",
                     *           "version": "1",
                     *           "name": "PostgreSQL views",
                     *           "description": "Makes views in a PostgreSQL database.",
                     *           "labels": [
                     *             "technology=postgresql"
                     *           ],
                     *           "deployments": {
                     *             "environments": [
                     *               {
                     *                 "environment": "development",
                     *                 "enabled": true
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "offset": 0,
                     *           "limit": 20,
                     *           "total": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TechAdapterList"];
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
    createTechAdapter: {
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
                 *       "version": "1",
                 *       "name": "PostgreSQL views",
                 *       "description": "Makes views in a PostgreSQL database.",
                 *       "labels": [
                 *         "technology=postgresql"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["TechAdapterToCreate"];
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
                     *       "id": "urn:dmb:itm:postgresql-view:1",
                     *       "version": "1",
                     *       "name": "PostgreSQL views",
                     *       "description": "Makes views in a PostgreSQL database.",
                     *       "labels": [
                     *         "technology=postgresql"
                     *       ],
                     *       "deployments": {
                     *         "environments": [
                     *           {
                     *             "environment": "development",
                     *             "enabled": true
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TechAdapter"];
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
    getTechAdapter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example urn:dmb:itm:postgresql-view:1 */
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
                     *       "id": "urn:dmb:itm:postgresql-view:1",
                     *       "version": "1",
                     *       "name": "PostgreSQL views",
                     *       "description": "Makes views in a PostgreSQL database.",
                     *       "labels": [
                     *         "technology=postgresql"
                     *       ],
                     *       "deployments": {
                     *         "environments": [
                     *           {
                     *             "environment": "development",
                     *             "enabled": true
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TechAdapter"];
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
    deleteTechAdapter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example urn:dmb:itm:postgresql-view:1 */
                id: string;
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
    getAdapterDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example urn:dmb:itm:postgresql-view:1 */
                id: string;
                /** @example development */
                environment: string;
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
                     *       "environment": "development",
                     *       "enabled": true,
                     *       "url": "http://postgresql-adapter:4101",
                     *       "properties": {},
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "updatedAt": "2026-11-22T09:30:04.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AdapterDeployment"];
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
    upsertAdapterDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example urn:dmb:itm:postgresql-view:1 */
                id: string;
                /** @example development */
                environment: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "http://postgresql-adapter:4101",
                 *       "enabled": true,
                 *       "properties": {}
                 *     }
                 */
                "application/json": components["schemas"]["AdapterDeploymentToPut"];
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
                     *       "environment": "development",
                     *       "enabled": true,
                     *       "url": "http://postgresql-adapter:4101",
                     *       "properties": {},
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "updatedAt": "2026-11-22T09:30:04.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AdapterDeployment"];
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
    deleteAdapterDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example urn:dmb:itm:postgresql-view:1 */
                id: string;
                /** @example development */
                environment: string;
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
    listAdapterCalls: {
        parameters: {
            query?: {
                /** @example 20 */
                limit?: number;
                /** @description `meta.pagination.next` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example urn:dmb:itm:postgresql-view:1 */
                id: string;
                /** @example development */
                environment: string;
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
                     *       "data": [
                     *         {
                     *           "executionPlanId": "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11",
                     *           "taskId": "provision:urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *           "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "action": "PROVISION",
                     *           "outcome": "COMPLETED",
                     *           "attempts": 1,
                     *           "wasPolled": true,
                     *           "startedAt": "2026-11-22T09:30:00.000Z",
                     *           "stoppedAt": "2026-11-22T09:30:04.250Z",
                     *           "durationMs": 4250,
                     *           "message": null
                     *         }
                     *       ],
                     *       "health": {
                     *         "adapterId": "urn:dmb:itm:postgresql-view:1",
                     *         "name": "PostgreSQL views",
                     *         "environment": "development",
                     *         "enabled": true,
                     *         "health": "ANSWERING",
                     *         "since": "2026-11-22T09:30:00.000Z",
                     *         "reason": "It answers.",
                     *         "calls": {
                     *           "completed": 41,
                     *           "failed": 2,
                     *           "unanswered": 0,
                     *           "terminated": 0
                     *         },
                     *         "atWork": 1,
                     *         "medianMs": 3900,
                     *         "p90Ms": 6200,
                     *         "lastCallAt": "2026-11-22T09:30:04.250Z",
                     *         "lastError": null
                     *       },
                     *       "meta": {
                     *         "pagination": {
                     *           "limit": 20,
                     *           "next": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AdapterCallList"];
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
    listAdapterHealth: {
        parameters: {
            query?: {
                /** @description Comma-separated; addresses in any of these environments. */
                environment?: string[];
                /** @example 20 */
                limit?: number;
                /** @description `meta.pagination.next` of the page before. */
                cursor?: string;
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
                     *           "adapterId": "urn:dmb:itm:postgresql-view:1",
                     *           "name": "PostgreSQL views",
                     *           "environment": "development",
                     *           "enabled": true,
                     *           "health": "ANSWERING",
                     *           "since": "2026-11-22T09:30:00.000Z",
                     *           "reason": "It answers.",
                     *           "calls": {
                     *             "completed": 41,
                     *             "failed": 2,
                     *             "unanswered": 0,
                     *             "terminated": 0
                     *           },
                     *           "atWork": 1,
                     *           "medianMs": 3900,
                     *           "p90Ms": 6200,
                     *           "lastCallAt": "2026-11-22T09:30:04.250Z",
                     *           "lastError": null
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
                    "application/json": components["schemas"]["AdapterHealthList"];
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
    sendAccessRequest: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Printable ASCII. A repeat under the same key with the same request answers the first token; another request is refused with 409.
                 * @example deploy-positions-1.2.0
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
                 *       "dataProductUrn": "urn:dmb:dp:fleet:positions:0",
                 *       "outputPortId": 1,
                 *       "outputPortUrn": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                 *       "requestId": "access-2026-118",
                 *       "identities": [
                 *         "user:default/grace",
                 *         "group:default/analysts"
                 *       ],
                 *       "environment": "development",
                 *       "accessControlFields": {}
                 *     }
                 */
                "application/json": components["schemas"]["AccessChange"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                    "application/json": string;
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
    startReverseProvisioning: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Printable ASCII. A repeat under the same key with the same request answers the first token; another request is refused with 409.
                 * @example deploy-positions-1.2.0
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
                 *       "useCaseTemplateId": "urn:dmb:utm:postgresql-view:1",
                 *       "infrastructureTemplateIds": [
                 *         "urn:dmb:itm:postgresql-view:1"
                 *       ],
                 *       "environment": "development",
                 *       "params": {
                 *         "view": "latest_positions"
                 *       },
                 *       "catalogInfo": {}
                 *     }
                 */
                "application/json": components["schemas"]["ReverseProvisioningRequest"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                    "application/json": string;
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
    listUnknownOutcomes: {
        parameters: {
            query?: {
                /** @example development */
                environment?: string;
                /** @example urn:dmb:dp:fleet:positions:0 */
                "deployment-unit-id"?: string;
                /** @description Lists those that are settled instead. */
                settled?: boolean;
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
                     *           "planId": "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11",
                     *           "taskId": "provision:urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *           "environment": "development",
                     *           "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "adapterId": "urn:dmb:itm:postgresql-view:1",
                     *           "action": "PROVISION",
                     *           "taskStatus": "FAILED",
                     *           "state": "IN_PROGRESS",
                     *           "since": "2026-11-22T09:30:00.000Z",
                     *           "ageSeconds": 95,
                     *           "attempts": 1,
                     *           "evidence": {
                     *             "lastCallAt": "2026-11-22T09:30:00.000Z",
                     *             "endedAt": null,
                     *             "lastAnswer": "no answer within 30 s",
                     *             "token": null,
                     *             "polls": 0,
                     *             "lastPollAt": null,
                     *             "lastPollAnswer": null,
                     *             "retries": 0,
                     *             "nextRetryAt": null
                     *           },
                     *           "next": "Settle it, or poll the adapter.",
                     *           "settlement": null
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
                    "application/json": components["schemas"]["UnknownOutcomeList"];
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
    settleUnknownOutcome: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Token of the execution plan.
                 * @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11
                 */
                plan: string;
                /**
                 * @description Id of the task in its graph.
                 * @example provision:urn:dmb:cmp:fleet:positions:0:latest-positions
                 */
                task: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "outcome": "DEPLOYED",
                 *       "reason": "The view is there.",
                 *       "info": {}
                 *     }
                 */
                "application/json": components["schemas"]["SettlementRequest"];
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
                     *       "planId": "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11",
                     *       "taskId": "provision:urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *       "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *       "environment": "development",
                     *       "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *       "adapterId": "urn:dmb:itm:postgresql-view:1",
                     *       "action": "PROVISION",
                     *       "taskStatus": "FAILED",
                     *       "state": "IN_PROGRESS",
                     *       "since": "2026-11-22T09:30:00.000Z",
                     *       "ageSeconds": 95,
                     *       "attempts": 1,
                     *       "evidence": {
                     *         "lastCallAt": "2026-11-22T09:30:00.000Z",
                     *         "endedAt": null,
                     *         "lastAnswer": "no answer within 30 s",
                     *         "token": null,
                     *         "polls": 0,
                     *         "lastPollAt": null,
                     *         "lastPollAnswer": null,
                     *         "retries": 0,
                     *         "nextRetryAt": null
                     *       },
                     *       "next": "Settle it, or poll the adapter.",
                     *       "settlement": null
                     *     }
                     */
                    "application/json": components["schemas"]["UnknownOutcome"];
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
    pollUnknownOutcome: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Token of the execution plan.
                 * @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11
                 */
                plan: string;
                /**
                 * @description Id of the task in its graph.
                 * @example provision:urn:dmb:cmp:fleet:positions:0:latest-positions
                 */
                task: string;
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
                     *       "planId": "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11",
                     *       "taskId": "provision:urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *       "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *       "environment": "development",
                     *       "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *       "adapterId": "urn:dmb:itm:postgresql-view:1",
                     *       "action": "PROVISION",
                     *       "taskStatus": "FAILED",
                     *       "state": "IN_PROGRESS",
                     *       "since": "2026-11-22T09:30:00.000Z",
                     *       "ageSeconds": 95,
                     *       "attempts": 1,
                     *       "evidence": {
                     *         "lastCallAt": "2026-11-22T09:30:00.000Z",
                     *         "endedAt": null,
                     *         "lastAnswer": "no answer within 30 s",
                     *         "token": null,
                     *         "polls": 0,
                     *         "lastPollAt": null,
                     *         "lastPollAnswer": null,
                     *         "retries": 0,
                     *         "nextRetryAt": null
                     *       },
                     *       "next": "Settle it, or poll the adapter.",
                     *       "settlement": null
                     *     }
                     */
                    "application/json": components["schemas"]["UnknownOutcome"];
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
    listWebhooks: {
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
                     *           "name": "warehouse",
                     *           "host": "warehouse.example",
                     *           "events": [
                     *             "plinth.unit.status-changed"
                     *           ],
                     *           "environments": null,
                     *           "pending": 2,
                     *           "dead": 1,
                     *           "oldestPendingAt": "2026-11-22T09:30:00.000Z",
                     *           "stoppedAt": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookList"];
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
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @example ledger */
                webhook?: string;
                status?: components["schemas"]["WebhookDeliveryStatusWord"];
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
                     *           "id": 91,
                     *           "webhook": "ledger",
                     *           "eventId": "evt-4712",
                     *           "type": "plinth.plan.status-changed",
                     *           "subject": "development/urn:dmb:dp:fleet:positions:0",
                     *           "environment": "development",
                     *           "status": "DELIVERED",
                     *           "isReplay": false,
                     *           "attempts": 1,
                     *           "createdAt": "2026-11-22T09:30:00.000Z",
                     *           "lastAttemptAt": "2026-11-22T09:30:00.000Z",
                     *           "lastStatus": 204,
                     *           "lastError": null,
                     *           "nextAttemptAt": null,
                     *           "endedAt": "2026-11-22T09:30:04.250Z",
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
                    "application/json": components["schemas"]["WebhookDeliveryList"];
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
    replayWebhookDeliveries: {
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
                 *       "webhook": "ledger",
                 *       "from": "2026-11-22T09:30:00.000Z",
                 *       "to": "2026-11-22T09:30:00.000Z",
                 *       "includeDelivered": false
                 *     }
                 */
                "application/json": components["schemas"]["ReplayRequest"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "replayed": 3
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayResult"];
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
    listNotices: {
        parameters: {
            query?: {
                /**
                 * @description `mail`, or the name of a chat.
                 * @example mail
                 */
                channel?: string;
                /** @description DEAD: given up, and not sent again by itself. WITHDRAWN: nothing of it waited any more before it was sent. */
                status?: components["schemas"]["NoticeStatusWord"];
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
                     *           "id": "6f0d1c52-6c6e-4b52-9f0e-7c6d2b1f9a10",
                     *           "channel": "mail",
                     *           "recipient": "user:default/ada",
                     *           "status": "SENT",
                     *           "isTest": false,
                     *           "attempts": 1,
                     *           "createdAt": "2026-11-22T09:30:00.000Z",
                     *           "lastAttemptAt": "2026-11-22T09:30:00.000Z",
                     *           "lastError": null,
                     *           "nextAttemptAt": null,
                     *           "endedAt": "2026-11-22T09:30:04.250Z",
                     *           "waiting": null,
                     *           "notices": [
                     *             {
                     *               "kind": "ACCESS_REQUEST",
                     *               "id": "0e3b1f8e-2f4b-4d39-a4c8-0d5c6f3b7e21"
                     *             }
                     *           ]
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
                    "application/json": components["schemas"]["NoticeList"];
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
    getNotice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6f0d1c52-6c6e-4b52-9f0e-7c6d2b1f9a10 */
                "notice-id": string;
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
                     *       "id": "6f0d1c52-6c6e-4b52-9f0e-7c6d2b1f9a10",
                     *       "channel": "mail",
                     *       "recipient": "user:default/ada",
                     *       "status": "SENT",
                     *       "isTest": false,
                     *       "attempts": 1,
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "lastAttemptAt": "2026-11-22T09:30:00.000Z",
                     *       "lastError": null,
                     *       "nextAttemptAt": null,
                     *       "endedAt": "2026-11-22T09:30:04.250Z",
                     *       "waiting": null,
                     *       "notices": [
                     *         {
                     *           "kind": "ACCESS_REQUEST",
                     *           "id": "0e3b1f8e-2f4b-4d39-a4c8-0d5c6f3b7e21"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Notice"];
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
    listNoticeChannels: {
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
                     *           "name": "operations",
                     *           "pending": 0,
                     *           "dead": 1,
                     *           "oldestPendingAt": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["NoticeChannelList"];
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
    sendNoticeAgain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6f0d1c52-6c6e-4b52-9f0e-7c6d2b1f9a10 */
                "notice-id": string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "6f0d1c52-6c6e-4b52-9f0e-7c6d2b1f9a10",
                     *       "channel": "mail",
                     *       "recipient": "user:default/ada",
                     *       "status": "SENT",
                     *       "isTest": false,
                     *       "attempts": 1,
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "lastAttemptAt": "2026-11-22T09:30:00.000Z",
                     *       "lastError": null,
                     *       "nextAttemptAt": null,
                     *       "endedAt": "2026-11-22T09:30:04.250Z",
                     *       "waiting": null,
                     *       "notices": [
                     *         {
                     *           "kind": "ACCESS_REQUEST",
                     *           "id": "0e3b1f8e-2f4b-4d39-a4c8-0d5c6f3b7e21"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Notice"];
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
    sendTestNotice: {
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
                 *       "channel": "mail",
                 *       "to": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["NoticeTest"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "6f0d1c52-6c6e-4b52-9f0e-7c6d2b1f9a10",
                     *       "channel": "mail",
                     *       "recipient": "user:default/ada",
                     *       "status": "SENT",
                     *       "isTest": false,
                     *       "attempts": 1,
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "lastAttemptAt": "2026-11-22T09:30:00.000Z",
                     *       "lastError": null,
                     *       "nextAttemptAt": null,
                     *       "endedAt": "2026-11-22T09:30:04.250Z",
                     *       "waiting": null,
                     *       "notices": [
                     *         {
                     *           "kind": "ACCESS_REQUEST",
                     *           "id": "0e3b1f8e-2f4b-4d39-a4c8-0d5c6f3b7e21"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Notice"];
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
    getNoticeChoices: {
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
                     *       "email": "ada@example.com",
                     *       "choices": [
                     *         {
                     *           "kind": "PLAN_FAILED",
                     *           "wanted": true,
                     *           "sent": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["NoticeChoices"];
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
    putNoticeChoices: {
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
                 *       "choices": [
                 *         {
                 *           "kind": "PLAN_FAILED",
                 *           "wanted": true
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NoticeChoicesChange"];
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
                     *       "ref": "user:default/ada",
                     *       "email": "ada@example.com",
                     *       "choices": [
                     *         {
                     *           "kind": "PLAN_FAILED",
                     *           "wanted": true,
                     *           "sent": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["NoticeChoices"];
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
    listDriftChecks: {
        parameters: {
            query: {
                /**
                 * @description A configured environment.
                 * @example development
                 */
                environment: string;
                /** @example 20 */
                limit?: number;
                /** @description `meta.pagination.next` of the page before. */
                after?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the deployment unit.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                "deployment-unit-id": string;
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
                     *       "data": [
                     *         {
                     *           "id": "c3f0e1d2-8a54-4f6b-8f0c-6f1f9d2b7a01",
                     *           "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *           "environment": "development",
                     *           "status": "COMPLETED",
                     *           "trigger": "REQUESTED",
                     *           "requestedBy": "user:default/ada",
                     *           "result": "NO_DRIFT",
                     *           "waiting": null,
                     *           "createdAt": "2026-11-22T09:30:00.000Z",
                     *           "startedAt": "2026-11-22T09:30:00.000Z",
                     *           "stoppedAt": "2026-11-22T09:30:04.250Z"
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
                    "application/json": components["schemas"]["DriftCheckList"];
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
    startDriftCheck: {
        parameters: {
            query: {
                /**
                 * @description A configured environment.
                 * @example development
                 */
                environment: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the deployment unit.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                "deployment-unit-id": string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11 */
                    "application/json": string;
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
    getDriftCheck: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example c3f0e1d2-8a54-4f6b-8f0c-6f1f9d2b7a01 */
                "drift-check-id": string;
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
                     *       "id": "c3f0e1d2-8a54-4f6b-8f0c-6f1f9d2b7a01",
                     *       "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *       "environment": "development",
                     *       "status": "COMPLETED",
                     *       "trigger": "REQUESTED",
                     *       "requestedBy": "user:default/ada",
                     *       "result": "NO_DRIFT",
                     *       "waiting": null,
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "startedAt": "2026-11-22T09:30:00.000Z",
                     *       "stoppedAt": "2026-11-22T09:30:04.250Z",
                     *       "components": [
                     *         {
                     *           "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "result": "NO_DRIFT",
                     *           "why": "The adapter finds what was deployed.",
                     *           "pointers": [],
                     *           "problems": [],
                     *           "checkedBy": [
                     *             "VALIDATION"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DriftCheck"];
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
    listDriftSchedules: {
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
                     *           "environment": "production",
                     *           "everyMinutes": null,
                     *           "cron": "0 4 * * *",
                     *           "timeZone": "Europe/Rome",
                     *           "deploymentUnits": 12,
                     *           "due": 0,
                     *           "drifted": 1,
                     *           "lastRunAt": "2026-11-22T03:00:05.000Z",
                     *           "nextRunAt": "2026-11-23T03:00:00.000Z",
                     *           "reconcile": "ask"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DriftScheduleList"];
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
    listReconciles: {
        parameters: {
            query?: {
                /** @example development */
                environment?: string;
                /** @example urn:dmb:dp:fleet:positions:0 */
                "deployment-unit-id"?: string;
                /** @description FOUND: what a plan would do is not known yet. ASKED: waits for a person. DUE: starts by itself when it may. DROPPED: the unit has changed, or no plan can repair it. */
                status?: components["schemas"]["ReconcileStatusWord"];
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
                     *           "id": "5a6ad0cd-1d4b-4e0c-9a53-0c6f6f6f2b11",
                     *           "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *           "environment": "development",
                     *           "driftCheckId": "c3f0e1d2-8a54-4f6b-8f0c-6f1f9d2b7a01",
                     *           "components": [
                     *             "urn:dmb:cmp:fleet:positions:0:latest-positions"
                     *           ],
                     *           "status": "ASKED",
                     *           "automatic": false,
                     *           "planId": null,
                     *           "reason": null,
                     *           "decidedBy": null,
                     *           "createdAt": "2026-11-22T09:30:00.000Z",
                     *           "expiresAt": "2026-11-22T09:30:04.250Z",
                     *           "startedAt": null,
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
                    "application/json": components["schemas"]["ReconcileList"];
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
    getReconcile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 5a6ad0cd-1d4b-4e0c-9a53-0c6f6f6f2b11 */
                "reconcile-id": string;
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
                     *       "id": "5a6ad0cd-1d4b-4e0c-9a53-0c6f6f6f2b11",
                     *       "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *       "environment": "development",
                     *       "driftCheckId": "c3f0e1d2-8a54-4f6b-8f0c-6f1f9d2b7a01",
                     *       "components": [
                     *         "urn:dmb:cmp:fleet:positions:0:latest-positions"
                     *       ],
                     *       "status": "ASKED",
                     *       "automatic": false,
                     *       "planId": null,
                     *       "reason": null,
                     *       "decidedBy": null,
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "expiresAt": "2026-11-22T09:30:04.250Z",
                     *       "startedAt": null,
                     *       "endedAt": null,
                     *       "planHash": null,
                     *       "changes": [
                     *         {
                     *           "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "action": "REDEPLOY",
                     *           "reason": "REQUESTED"
                     *         }
                     *       ],
                     *       "changeCount": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Reconcile"];
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
    approveReconcile: {
        parameters: {
            query?: {
                /** @description While the environment's maintenance windows let nothing begin: refuse the start with 409, let its plan wait until they do, or begin all the same, which operators may. */
                "when-closed"?: components["schemas"]["WhenClosed"];
                /**
                 * @description Why it begins all the same; needed for `override`, and stored in the audit.
                 * @example the fix of an outage
                 */
                "override-reason"?: string;
            };
            header?: never;
            path: {
                /** @example 5a6ad0cd-1d4b-4e0c-9a53-0c6f6f6f2b11 */
                "reconcile-id": string;
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
                     *       "id": "5a6ad0cd-1d4b-4e0c-9a53-0c6f6f6f2b11",
                     *       "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *       "environment": "development",
                     *       "driftCheckId": "c3f0e1d2-8a54-4f6b-8f0c-6f1f9d2b7a01",
                     *       "components": [
                     *         "urn:dmb:cmp:fleet:positions:0:latest-positions"
                     *       ],
                     *       "status": "ASKED",
                     *       "automatic": false,
                     *       "planId": null,
                     *       "reason": null,
                     *       "decidedBy": null,
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "expiresAt": "2026-11-22T09:30:04.250Z",
                     *       "startedAt": null,
                     *       "endedAt": null,
                     *       "planHash": null,
                     *       "changes": [
                     *         {
                     *           "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "action": "REDEPLOY",
                     *           "reason": "REQUESTED"
                     *         }
                     *       ],
                     *       "changeCount": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Reconcile"];
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
    refuseReconcile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 5a6ad0cd-1d4b-4e0c-9a53-0c6f6f6f2b11 */
                "reconcile-id": string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "It was changed on purpose."
                 *     }
                 */
                "application/json": components["schemas"]["ReconcileRefusal"];
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
                     *       "id": "5a6ad0cd-1d4b-4e0c-9a53-0c6f6f6f2b11",
                     *       "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *       "environment": "development",
                     *       "driftCheckId": "c3f0e1d2-8a54-4f6b-8f0c-6f1f9d2b7a01",
                     *       "components": [
                     *         "urn:dmb:cmp:fleet:positions:0:latest-positions"
                     *       ],
                     *       "status": "ASKED",
                     *       "automatic": false,
                     *       "planId": null,
                     *       "reason": null,
                     *       "decidedBy": null,
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "expiresAt": "2026-11-22T09:30:04.250Z",
                     *       "startedAt": null,
                     *       "endedAt": null,
                     *       "planHash": null,
                     *       "changes": [
                     *         {
                     *           "componentId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                     *           "action": "REDEPLOY",
                     *           "reason": "REQUESTED"
                     *         }
                     *       ],
                     *       "changeCount": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Reconcile"];
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
    listMaintenanceWindows: {
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
                     *           "environment": "development",
                     *           "version": 1,
                     *           "windows": [
                     *             {
                     *               "name": "Nights",
                     *               "kind": "window",
                     *               "timeZone": "Europe/Rome",
                     *               "cron": "0 22 * * *",
                     *               "durationMinutes": 480
                     *             }
                     *           ],
                     *           "isOpen": true,
                     *           "reason": null,
                     *           "opensAt": null,
                     *           "waitingPlans": 0,
                     *           "updatedAt": "2026-11-22T09:30:04.250Z",
                     *           "updatedBy": "user:default/ada"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceWindowList"];
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
    putMaintenanceWindows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example development */
                environment: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": 0,
                 *       "windows": [
                 *         {
                 *           "name": "Nights",
                 *           "kind": "window",
                 *           "timeZone": "Europe/Rome",
                 *           "cron": "0 22 * * *",
                 *           "durationMinutes": 480
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MaintenanceWindowsToPut"];
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
                     *       "environment": "development",
                     *       "version": 1,
                     *       "windows": [
                     *         {
                     *           "name": "Nights",
                     *           "kind": "window",
                     *           "timeZone": "Europe/Rome",
                     *           "cron": "0 22 * * *",
                     *           "durationMinutes": 480
                     *         }
                     *       ],
                     *       "isOpen": true,
                     *       "reason": null,
                     *       "opensAt": null,
                     *       "waitingPlans": 0,
                     *       "updatedAt": "2026-11-22T09:30:04.250Z",
                     *       "updatedBy": "user:default/ada"
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceWindowsOfEnvironment"];
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
    listWaiting: {
        parameters: {
            query?: {
                /**
                 * @description Only these kinds; all unless given.
                 * @example [
                 *       "HOOK"
                 *     ]
                 */
                kind?: components["schemas"]["WaitingKind"][];
                /**
                 * @description A page has at most 100.
                 * @example 20
                 */
                limit?: number;
                /** @description `meta.pagination.next` of the page before. */
                cursor?: string;
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
                     *           "kind": "HOOK",
                     *           "id": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *           "subject": "ACCESS_REQUEST",
                     *           "title": "Access to latest-positions for group:default/analysts",
                     *           "reason": "user:default/ada asks for access to the unit. Waits for the owner of the resource or an operator.",
                     *           "since": "2026-11-22T09:30:00.000Z",
                     *           "expiresAt": null,
                     *           "atDeadline": "It ends as EXPIRED: access is not changed.",
                     *           "environment": "development",
                     *           "deploymentUnitId": "urn:dmb:dp:fleet:positions:0",
                     *           "requester": "user:default/ada",
                     *           "whoMayAct": {
                     *             "refs": [
                     *               "group:default/fleet"
                     *             ],
                     *             "operators": true,
                     *             "rule": null
                     *           },
                     *           "link": {
                     *             "hookId": "7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10",
                     *             "accessRequestId": "2f1f8f8e-7d63-4c93-9a51-1f6f0d0a4b21"
                     *           },
                     *           "path": "/api/builder/access-requests/7a1c2f34-3c55-4a8e-9e0e-7a5d5d1b9c10"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "limit": 20,
                     *           "more": false,
                     *           "next": null
                     *         },
                     *         "unavailable": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WaitingList"];
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
    searchEverything: {
        parameters: {
            query: {
                /**
                 * @description Each word is the beginning of a word of a name, title or id. Plans are found by the first four characters of their token, or more.
                 * @example positions
                 */
                q: string;
                /**
                 * @description Only these kinds; all that the caller may read unless given.
                 * @example [
                 *       "UNIT"
                 *     ]
                 */
                kind?: components["schemas"]["SearchKind"][];
                /**
                 * @description Of each kind.
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
                     *           "kind": "UNIT",
                     *           "items": [
                     *             {
                     *               "id": "urn:dmb:dp:fleet:positions:0",
                     *               "title": "positions",
                     *               "subtitle": "dataproduct · fleet · development · urn:dmb:dp:fleet:positions:0",
                     *               "environment": "development",
                     *               "score": 0.9,
                     *               "link": {
                     *                 "unitId": "urn:dmb:dp:fleet:positions:0"
                     *               }
                     *             }
                     *           ],
                     *           "more": false,
                     *           "unavailable": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 20
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SearchGroups"];
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
    readRetention: {
        parameters: {
            query?: {
                /** @description Also counts the rows that would go now; that takes longer. */
                counted?: boolean;
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
                     *           "rule": "plans",
                     *           "setting": "retention.plansDays",
                     *           "keepDays": 365,
                     *           "before": "2026-11-22T09:30:00.000Z",
                     *           "wouldDelete": 1204,
                     *           "isMore": false,
                     *           "deleted": 18230,
                     *           "lastPassAt": "2026-11-22T09:30:00.000Z",
                     *           "failure": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RetentionRuleList"];
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
    checkInstallation: {
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
                     *       "outcome": "warning",
                     *       "at": "2026-11-22T09:30:00.000Z",
                     *       "version": "2.2.0",
                     *       "checks": [
                     *         {
                     *           "name": "adapters",
                     *           "outcome": "warning",
                     *           "found": "No adapter is registered and enabled, so nothing can be deployed.",
                     *           "advice": "Register one: `plinth register <id> <url> -e <environment>`.",
                     *           "guide": "docs/guides/monitoring.md#plinthadaptercallsfail",
                     *           "ms": 3
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DoctorReport"];
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
    listAudit: {
        parameters: {
            query?: {
                /**
                 * @description Entity reference of who did it.
                 * @example user:default/ada
                 */
                actor?: string;
                /**
                 * @description Name of the operation, such as `deletePolicy`.
                 * @example deletePolicy
                 */
                action?: string;
                /**
                 * @description What was acted on, such as `unit:fleet@production`; with `*` at its end, everything that begins so.
                 * @example policy:*
                 */
                resource?: string;
                area?: components["schemas"]["AuditArea"];
                "request-id"?: string;
                /** @description At this time or later. */
                from?: string;
                /** @description Before this time. */
                to?: string;
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
                     *           "chain": "governance",
                     *           "id": 1201,
                     *           "at": "2026-11-23T09:00:00.000Z",
                     *           "area": "governance",
                     *           "actor": "user:default/ada",
                     *           "action": "deletePolicy",
                     *           "resource": "policy:has-owner",
                     *           "requestId": "6f1c1c1e",
                     *           "clientAddress": "192.0.2.7",
                     *           "detail": {},
                     *           "seq": 1200,
                     *           "hash": "120725f1cbab6e4cd991708e96b9f38ef2b463c8e3a6d3be76c4d637b491d210"
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
                    "application/json": components["schemas"]["AuditRecordList"];
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
    getAuditExport: {
        parameters: {
            query?: {
                /** @description Entity reference of who did it. */
                actor?: string;
                /**
                 * @description Name of the operation, such as `deletePolicy`.
                 * @example PROVISION
                 */
                action?: string;
                /** @description What was acted on, such as `unit:fleet@production`; with `*` at its end, everything that begins so. */
                resource?: string;
                area?: components["schemas"]["AuditArea"];
                "request-id"?: string;
                /** @description At this time or later. */
                from?: string;
                /** @description Before this time. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lines. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"chain":"governance","id":1201,"at":"2026-11-23T09:00:00.000Z","area":"governance","actor":"user:default/ada","action":"deletePolicy","resource":"policy:has-owner","requestId":"6f1c1c1e","clientAddress":"192.0.2.7","detail":{},"seq":1200,"previousHash":"5f16f4c7f149ac4f9510d9cf8cf384038ad348b3bcdc01915f95de12df9d1b02","hash":"120725f1cbab6e4cd991708e96b9f38ef2b463c8e3a6d3be76c4d637b491d210"} */
                    "application/x-ndjson": string;
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
    listAuditChains: {
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
                     *           "chain": "governance",
                     *           "seq": 1200,
                     *           "hash": "120725f1cbab6e4cd991708e96b9f38ef2b463c8e3a6d3be76c4d637b491d210",
                     *           "sealedAt": "2026-11-23T09:00:01.000Z",
                     *           "isSigned": true,
                     *           "pruned": null,
                     *           "open": {
                     *             "rows": 0,
                     *             "oldestAt": null
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuditChainList"];
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
    getAuditVerification: {
        parameters: {
            query?: {
                /** @description `next` of the answer before; 0 begins at the front of the chain. */
                after?: number;
                /**
                 * @description A place and its hash that were noted elsewhere, `<seq>:<hash>`: whether the chain still has it.
                 * @example 1200:120725f1cbab6e4cd991708e96b9f38ef2b463c8e3a6d3be76c4d637b491d210
                 */
                anchor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Rows of governance are in its own database, all others in that of the platform.
                 * @example governance
                 */
                chain: components["schemas"]["AuditChainName"];
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
                     *       "chain": "governance",
                     *       "checked": 1200,
                     *       "problems": [
                     *         {
                     *           "kind": "CHANGED",
                     *           "seq": 17,
                     *           "id": 18,
                     *           "message": "The row, or its place in the chain, is not what was sealed."
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": components["schemas"]["AuditVerification"];
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
}
