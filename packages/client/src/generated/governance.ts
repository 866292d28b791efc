/** Generated from openapi/governance.json (sha256 4900e1f6692eedd431194223f1d0c33316b447d018af62e2001e98d9479f6c9a) by scripts/client-types.ts; do not edit. */
export interface paths {
    "/v1/computational-governance/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List policies and metrics */
        get: operations["listPolicies"];
        put?: never;
        /** Create a policy or metric, as a draft */
        post: operations["createPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/policies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a policy or metric */
        get: operations["getPolicy"];
        /** Change a policy or metric: a new version of it */
        put: operations["changePolicy"];
        post?: never;
        /** Delete a draft */
        delete: operations["deletePolicy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/policies/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a policy or metric, the newest first */
        get: operations["listPolicyVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/policies/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enable, disable or give grace to a policy */
        post: operations["setPolicyStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/exceptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List exceptions, the newest first */
        get: operations["listExceptions"];
        put?: never;
        /** Request an exception from a policy */
        post: operations["requestException"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/exceptions/{id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve or reject an exception that somebody else requested */
        post: operations["decideException"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/exceptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an exception */
        delete: operations["revokeException"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/policies/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a policy on a descriptor, or try it on everything that is deployed
         * @description On a descriptor it answers 200 with the results; with everything: true it answers 202 with the id of a report that lists who would be hit. Neither stores results.
         */
        post: operations["testPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate a resource
         * @description All active policies in force that are about the resource, and about its components where it is a unit. Answers the id of the report at once.
         */
        post: operations["startEvaluation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/evaluation-reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an evaluation report
         * @description It is pending until all of it was evaluated; reports are kept for governance.evaluations.reportDays.
         */
        get: operations["getEvaluationReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List results
         * @description The latest first.
         */
        get: operations["listResults"];
        put?: never;
        /**
         * Push a result of a passive policy
         * @description The same result may be sent again. One that is older than the last is not taken in.
         */
        post: operations["pushResult"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/results/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count results */
        get: operations["countResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/units/{id}/compliance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the compliance of a unit */
        get: operations["getCompliance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/ownership-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the rules about who may touch whose unit */
        get: operations["getOwnershipRules"];
        /** Replace the stored rules about who may touch whose unit */
        put: operations["putOwnershipRules"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/units/{id}/who-may": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Say whether the caller may touch a unit, and who may or decides otherwise */
        get: operations["getWhoMay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/governance/policies/{dataProduct}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the policies say of a data product
         * @description For clients of earlier products; others read the compliance of the unit.
         */
        get: operations["listDataProductPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/governance/approvals/{dataProduct}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the approvals of a data product's deployments
         * @description For clients of earlier products.
         */
        get: operations["listDataProductApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/evaluation-reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Removed in 2.2.0: use /results */
        get: operations["listEvaluationReportsRemoved"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/resources/{resource}/policy-violations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Removed in 2.2.0: use /results */
        get: operations["listViolationsRemoved"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/resources/policy-violations/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Removed in 2.2.0: use /results/count */
        get: operations["countViolationsRemoved"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/computational-governance/resources/{resource}/metric-results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Removed in 2.2.0: use /results */
        get: operations["listMetricResultsRemoved"];
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
        Acceptance: {
            /** @description False when a later result of the policy over the resource is there, or another one of the same time to the millisecond. */
            accepted: boolean;
        };
        ChangedOwnershipRules: {
            /** @description The version that is changed, as read; 0 where there is none. */
            version: number;
            /** @description All of them, in the order in which they are tried. */
            rules: components["schemas"]["NewOwnershipRule"][];
        };
        ChangedPolicy: {
            /** @description The version that is changed. */
            version: number;
            /** @default policy */
            kind?: components["schemas"]["EntityKind"];
            name: string;
            description?: string;
            /**
             * @description For finding it.
             * @default []
             */
            tags?: string[];
            advice?: string;
            /** @default error */
            severity?: components["schemas"]["Severity"];
            /** @default local */
            context?: components["schemas"]["PolicyScope"];
            resourceType?: string;
            /**
             * @description Empty for every environment.
             * @default []
             */
            environments?: string[];
            /** @description An expression over the resource; the policy applies where it is true. */
            select?: string;
            engine: components["schemas"]["EngineName"];
            /** @description As the engine takes it. */
            spec: {
                [key: string]: unknown;
            };
            /** @default default */
            strategy?: components["schemas"]["Strategy"];
            /** @default deployment */
            timing?: components["schemas"]["Timing"];
            /** @default active */
            trigger?: components["schemas"]["Trigger"];
            /** @description When runtime ones are evaluated: five fields of cron, UTC. */
            schedule?: string;
            /**
             * @description Of a metric.
             * @default []
             */
            thresholds?: components["schemas"]["Threshold"][];
            /** @default warn */
            onError?: components["schemas"]["OnError"];
            /** @description The same in CUE, for clients that evaluate it themselves. */
            cueScript?: string;
        };
        Compliance: {
            unitId: string;
            environment: string;
            summary: {
                /** @description Whether no result is an error, or failed and blocking. */
                isCompliant: boolean;
                ok: number;
                warning: number;
                error: number;
                failed: number;
                evaluatedAt: string | null;
            };
            /** @description The latest result of each policy over the unit and each of its deployed components. */
            policies: components["schemas"]["EvaluationResult"][];
            /** @description The last 50 evaluations of the unit, the latest first. */
            history: {
                /** Format: date-time */
                at: string;
                source: components["schemas"]["ResultSource"];
                ok: number;
                warning: number;
                error: number;
                failed: number;
            }[];
        };
        DataProductApproval: {
            approver: string;
            /** @enum {unknown} */
            status: "pending" | "approved" | "rejected";
            /** Format: date-time */
            timestamp: string;
            comment: string;
        };
        DataProductApprovals: {
            /** @description The latest first. */
            approvals: components["schemas"]["DataProductApproval"][];
        };
        DataProductPolicies: {
            /** @description Each policy once, with its worst result over the unit and its components. */
            policies: components["schemas"]["DataProductPolicy"][];
        };
        DataProductPolicy: {
            policyId: string;
            name: string;
            /** @enum {unknown} */
            status: "passed" | "warning" | "failed";
            /** @description What is wrong, and where; empty where the policy holds. */
            message: string;
            /** @description What to do about it. */
            remediation: string;
        };
        /** @enum {unknown} */
        EngineName: "cel" | "json-schema" | "remote" | "cue" | "model";
        /**
         * @default policy
         * @enum {unknown}
         */
        EntityKind: "policy" | "metric";
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
        Evaluation: {
            /** @description Id of the resource. */
            id: string;
            displayName?: string;
            version?: string;
            environment: string;
            /** @description For example dataproduct or outputport. */
            resourceType: string;
            /** @description An object, or a text in YAML or JSON. */
            descriptor: string | {
                [key: string]: unknown;
            };
            labels?: {
                [key: string]: string;
            };
        };
        EvaluationReport: {
            id: string;
            /** @enum {unknown} */
            status: "pending" | "completed" | "failed";
            /** @enum {unknown} */
            evaluationScope: "resource" | "unit" | "everything";
            environment: string;
            summary: components["schemas"]["OutcomeCounts"];
            /** @description Of everything that is deployed only what is not ok, and the values of a metric that is tried. Empty until the report is completed. */
            evaluationResults: components["schemas"]["ReportedResult"][];
            /** @description Why a failed report could not be completed. */
            failure?: string;
            /** Format: date-time */
            createdAt: string;
            endedAt: string | null;
        };
        EvaluationResult: {
            /** @description Id of the policy or metric. */
            governanceEntityId: string;
            /** @description The version that made this result. */
            governanceEntityVersion: number;
            governanceEntityName: string;
            /** @description When it was evaluated; grace past its date is `enabled`. */
            governanceEntityStatus: components["schemas"]["PolicyStatusWord"];
            governanceEntityType: components["schemas"]["EntityKind"];
            outcome: components["schemas"]["Outcome"];
            /** @description Whether it stops a deployment. */
            blocking: boolean;
            resource: components["schemas"]["GovernedResource"];
            result: components["schemas"]["ResultDetails"];
            /** @description What to do about it. */
            advice?: string;
            /** @description The exception that excuses it. */
            exceptionId?: string;
            /** Format: date-time */
            creationTime: string;
        };
        Exception: {
            id: string;
            policyId: string;
            resourceIds: string[];
            select?: string;
            environments: string[];
            reason: string;
            /** Format: date-time */
            until: string;
            status: components["schemas"]["ExceptionStatusWord"];
            requestedBy: string;
            /** Format: date-time */
            requestedAt: string;
            decidedBy?: string;
            /** Format: date-time */
            decidedAt?: string;
            decisionReason?: string;
        };
        ExceptionDecision: {
            approve: boolean;
            reason: string;
        };
        ExceptionList: {
            data: components["schemas"]["Exception"][];
            meta: components["schemas"]["OffsetPage"];
        };
        /** @enum {unknown} */
        ExceptionStatusWord: "pending" | "approved" | "rejected" | "revoked" | "expired";
        GovernedResource: {
            id: string;
            displayName: string;
            environment: string;
            resourceType: string;
        };
        NewException: {
            policyId: string;
            /**
             * @description The resources that are excused; either these or `select`.
             * @default []
             */
            resourceIds?: string[];
            /** @description An expression over the resource. */
            select?: string;
            /**
             * @description Empty for every environment.
             * @default []
             */
            environments?: string[];
            reason: string;
            /** Format: date-time */
            until: string;
        };
        NewOwnershipRule: {
            /** @description Named where the rule refuses somebody. */
            name: string;
            /**
             * @description Empty for every operation.
             * @default []
             */
            operations?: components["schemas"]["OwnedOperation"][];
            /**
             * @description Empty for every environment.
             * @default []
             */
            environments?: string[];
            /**
             * @description Empty for every domain.
             * @default []
             */
            domains?: string[];
            /**
             * @description `mine`: what the caller or a group of theirs owns; `any`; or references of owners.
             * @default any
             */
            owners?: ("mine" | "any") | string[];
            effect: components["schemas"]["OwnershipEffect"];
            /**
             * @description Who approves, never the requester; empty for the owners of the unit.
             * @default []
             */
            groups?: string[];
        };
        NewPolicy: {
            /** @description Letters, digits, dots, colons, hyphens and underscores. */
            id?: string;
            /** @default policy */
            kind?: components["schemas"]["EntityKind"];
            name: string;
            description?: string;
            /**
             * @description For finding it.
             * @default []
             */
            tags?: string[];
            advice?: string;
            /** @default error */
            severity?: components["schemas"]["Severity"];
            /** @default local */
            context?: components["schemas"]["PolicyScope"];
            resourceType?: string;
            /**
             * @description Empty for every environment.
             * @default []
             */
            environments?: string[];
            /** @description An expression over the resource; the policy applies where it is true. */
            select?: string;
            engine: components["schemas"]["EngineName"];
            /** @description As the engine takes it. */
            spec: {
                [key: string]: unknown;
            };
            /** @default default */
            strategy?: components["schemas"]["Strategy"];
            /** @default deployment */
            timing?: components["schemas"]["Timing"];
            /** @default active */
            trigger?: components["schemas"]["Trigger"];
            /** @description When runtime ones are evaluated: five fields of cron, UTC. */
            schedule?: string;
            /**
             * @description Of a metric.
             * @default []
             */
            thresholds?: components["schemas"]["Threshold"][];
            /** @default warn */
            onError?: components["schemas"]["OnError"];
            /** @description The same in CUE, for clients that evaluate it themselves. */
            cueScript?: string;
        };
        OffsetPage: {
            pagination: {
                offset: number;
                limit: number;
                total: number;
            };
        };
        /**
         * @description What a policy does that breaks, overruns or cannot be reached.
         * @default warn
         * @enum {unknown}
         */
        OnError: "warn" | "block";
        /**
         * @description `failed`: the policy's engine gave no answer.
         * @enum {unknown}
         */
        Outcome: "ok" | "warning" | "error" | "failed";
        OutcomeCounts: {
            ok: number;
            warning: number;
            error: number;
            failed: number;
        };
        /** @enum {unknown} */
        OwnedOperation: "start" | "undeploy" | "removeData" | "rollBack" | "resume";
        /** @enum {unknown} */
        OwnershipEffect: "allow" | "deny" | "approval";
        OwnershipRule: {
            name: string;
            operations: components["schemas"]["OwnedOperation"][];
            environments: string[];
            domains: string[];
            owners: string | string[];
            effect: components["schemas"]["OwnershipEffect"];
            groups: string[];
        };
        OwnershipRules: {
            /** @description 0 while none were stored. */
            version: number;
            /** @description Those that are stored; tried after the configured ones. */
            rules: components["schemas"]["OwnershipRule"][];
            /** @description Those of the configuration; tried first. */
            configured: components["schemas"]["OwnershipRule"][];
            /** @description Tried last. */
            defaults: components["schemas"]["OwnershipRule"][];
            /** Format: date-time */
            updatedAt?: string;
            updatedBy?: string;
        };
        Policy: {
            id: string;
            version: number;
            status: components["schemas"]["PolicyStatusWord"];
            /** Format: date-time */
            graceUntil?: string;
            /** @default policy */
            kind: components["schemas"]["EntityKind"];
            name: string;
            description?: string;
            /**
             * @description For finding it.
             * @default []
             */
            tags: string[];
            advice?: string;
            /** @default error */
            severity: components["schemas"]["Severity"];
            /** @default local */
            context: components["schemas"]["PolicyScope"];
            resourceType?: string;
            /**
             * @description Empty for every environment.
             * @default []
             */
            environments: string[];
            /** @description An expression over the resource; the policy applies where it is true. */
            select?: string;
            engine: components["schemas"]["EngineName"];
            /** @description As the engine takes it. */
            spec: {
                [key: string]: unknown;
            };
            /** @default default */
            strategy: components["schemas"]["Strategy"];
            /** @default deployment */
            timing: components["schemas"]["Timing"];
            /** @default active */
            trigger: components["schemas"]["Trigger"];
            /** @description When runtime ones are evaluated: five fields of cron, UTC. */
            schedule?: string;
            /**
             * @description Of a metric.
             * @default []
             */
            thresholds: components["schemas"]["Threshold"][];
            /** @default warn */
            onError: components["schemas"]["OnError"];
            /** @description The same in CUE, for clients that evaluate it themselves. */
            cueScript?: string;
            readonly environment: string | null;
            readonly interactionType: string;
            readonly externalUrl: string | null;
            readonly governanceAgentSpec: {
                prompt: string;
            } | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            /** Format: date-time */
            updatedAt: string;
            updatedBy: string;
        };
        PolicyContent: {
            /** @default policy */
            kind: components["schemas"]["EntityKind"];
            name: string;
            description?: string;
            /**
             * @description For finding it.
             * @default []
             */
            tags: string[];
            advice?: string;
            /** @default error */
            severity: components["schemas"]["Severity"];
            /** @default local */
            context: components["schemas"]["PolicyScope"];
            resourceType?: string;
            /**
             * @description Empty for every environment.
             * @default []
             */
            environments: string[];
            /** @description An expression over the resource; the policy applies where it is true. */
            select?: string;
            engine: components["schemas"]["EngineName"];
            /** @description As the engine takes it. */
            spec: {
                [key: string]: unknown;
            };
            /** @default default */
            strategy: components["schemas"]["Strategy"];
            /** @default deployment */
            timing: components["schemas"]["Timing"];
            /** @default active */
            trigger: components["schemas"]["Trigger"];
            /** @description When runtime ones are evaluated: five fields of cron, UTC. */
            schedule?: string;
            /**
             * @description Of a metric.
             * @default []
             */
            thresholds: components["schemas"]["Threshold"][];
            /** @default warn */
            onError: components["schemas"]["OnError"];
            /** @description The same in CUE, for clients that evaluate it themselves. */
            cueScript?: string;
        };
        PolicyList: {
            data: components["schemas"]["Policy"][];
            meta: components["schemas"]["OffsetPage"];
        };
        /**
         * @description `local` sees the resource, `global` also the unit that it belongs to.
         * @default local
         * @enum {unknown}
         */
        PolicyScope: "local" | "global";
        PolicyStatusChange: {
            status: components["schemas"]["PolicyStatusWord"];
            /** Format: date-time */
            graceUntil?: string;
            reason: string;
        };
        /** @enum {unknown} */
        PolicyStatusWord: "draft" | "grace" | "enabled" | "disabled";
        PolicyVersion: {
            version: number;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            policy: components["schemas"]["PolicyContent"];
        };
        PolicyVersions: {
            data: components["schemas"]["PolicyVersion"][];
        };
        PushedResult: {
            /** @description Id of a passive policy or metric. */
            policyId: string;
            /** @description Id of a resource that is deployed in the environment, or that was evaluated there. */
            resourceId: string;
            environment: string;
            outcome: components["schemas"]["Outcome"];
            /** @description Of a metric. */
            value?: number;
            /** @default [] */
            errors?: {
                path?: string;
                message: string;
            }[];
            /**
             * Format: date-time
             * @description When it was found; results are told apart by policy, resource, environment and this time.
             */
            at: string;
        };
        ReportedResult: {
            /** @description Id of the policy or metric. */
            governanceEntityId: string;
            /** @description The version that made this result. */
            governanceEntityVersion: number;
            governanceEntityName: string;
            /** @description When it was evaluated; grace past its date is `enabled`. */
            governanceEntityStatus: components["schemas"]["PolicyStatusWord"];
            governanceEntityType: components["schemas"]["EntityKind"];
            outcome: components["schemas"]["Outcome"];
            /** @description Whether it stops a deployment. */
            blocking: boolean;
            resource: components["schemas"]["GovernedResource"];
            result: components["schemas"]["ResultDetails"];
            /** @description What to do about it. */
            advice?: string;
            /** @description The exception that excuses it. */
            exceptionId?: string;
            /** Format: date-time */
            creationTime: string;
            unit?: {
                id: string;
                owner: string | null;
            };
        };
        ResultCount: {
            count: number;
        };
        ResultDetails: {
            isError: boolean;
            satisfiesPolicy: boolean;
            /** @description Of a metric. */
            value?: number;
            /** @description Of the metric's range that the value falls into. */
            label?: string;
            errors: components["schemas"]["Violation"][];
        };
        ResultList: {
            data: components["schemas"]["EvaluationResult"][];
            meta: {
                pagination: {
                    limit: number;
                    next: string | null;
                };
            };
        };
        /** @enum {unknown} */
        ResultSource: "plan" | "report" | "schedule" | "pushed";
        /**
         * @default error
         * @enum {unknown}
         */
        Severity: "info" | "warning" | "error";
        StartedReport: {
            reportId: string;
        };
        /**
         * @description `previous_vs_current` compares with what is deployed; `none` is for passive ones.
         * @default default
         * @enum {unknown}
         */
        Strategy: "default" | "previous_vs_current" | "none";
        /** @description A range of values, from its start up to but without its end. */
        Threshold: {
            label: string;
            from?: number | null;
            to?: number | null;
            colour?: string;
        };
        /**
         * @default deployment
         * @enum {unknown}
         */
        Timing: "deployment" | "runtime";
        Trial: {
            policy?: components["schemas"]["NewPolicy"];
            /** @description Letters, digits, dots, colons, hyphens and underscores. */
            policyId?: string;
            environment: string;
            /** @description An object, or a text in YAML or JSON. */
            descriptor?: string | {
                [key: string]: unknown;
            };
            /** @description An object, or a text in YAML or JSON. */
            previous?: string | {
                [key: string]: unknown;
            };
            /** @description Tries the policy on everything that is deployed in the environment, in a report. */
            everything?: boolean;
        };
        TrialResults: {
            summary: components["schemas"]["OutcomeCounts"];
            /** @description For the unit and each component that the policy is about; as if it were enabled. */
            results: components["schemas"]["EvaluationResult"][];
        };
        /**
         * @description Results of passive ones are pushed.
         * @default active
         * @enum {unknown}
         */
        Trigger: "active" | "passive";
        Violation: {
            /** @description Where it is in the resource's descriptor. */
            path?: string;
            message: string;
        };
        WhoMay: {
            id: string;
            environment: string;
            operations: components["schemas"]["OwnedOperation"][];
            /**
             * @description For the caller.
             * @enum {unknown}
             */
            verdict: "allow" | "approval" | "deny";
            /** @description The rule that decided; several that ask for an approval. */
            rule: string;
            /** @description Of the last descriptor of the unit there. */
            owners: string[];
            /** @description Whose approval it needs, or who may where the caller may not; empty where the caller may. */
            whoMay: string[];
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
    listPolicies: {
        parameters: {
            query?: {
                /** @description Statuses. Comma-separated; any may match. */
                status?: components["schemas"]["PolicyStatusWord"][];
                /** @description Who evaluates them. Comma-separated; any may match. */
                trigger?: components["schemas"]["Trigger"][];
                /** @description Kinds. Comma-separated; any may match. */
                kind?: components["schemas"]["EntityKind"][];
                /** @description Names of engines. Comma-separated; any may match. */
                engine?: components["schemas"]["EngineName"][];
                /** @description Types of resources. Comma-separated; any may match. */
                "resource-type"?: string[];
                /** @description Environments that they are evaluated in. Comma-separated; any may match. */
                env?: string[];
                /** @description Part of the name, description or a tag. */
                text?: string;
                /** @description Ids. Comma-separated; any may match. */
                "id-in"?: string[];
                /** @example 25 */
                limit?: number;
                /** @example 0 */
                offset?: number;
                "sort-by"?: "name" | "status" | "updatedAt";
                "sort-order"?: "asc" | "desc";
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
                     *           "id": "columns-are-described",
                     *           "version": 2,
                     *           "status": "enabled",
                     *           "graceUntil": "2027-01-31T00:00:00.000Z",
                     *           "kind": "policy",
                     *           "name": "Columns are described",
                     *           "description": "Every column of an output port says what it holds.",
                     *           "tags": [
                     *             "documentation"
                     *           ],
                     *           "advice": "Add a description to each column.",
                     *           "severity": "error",
                     *           "context": "local",
                     *           "resourceType": "outputport",
                     *           "environments": [
                     *             "production"
                     *           ],
                     *           "select": "resource.kind == 'outputport'",
                     *           "engine": "cel",
                     *           "spec": {
                     *             "assert": "resource.dataContract.schema.all(c, has(c.description))"
                     *           },
                     *           "strategy": "default",
                     *           "timing": "deployment",
                     *           "trigger": "active",
                     *           "schedule": "0 6 * * 1",
                     *           "thresholds": [],
                     *           "onError": "warn",
                     *           "cueScript": "name!: string",
                     *           "environment": "production",
                     *           "interactionType": "NATIVE",
                     *           "externalUrl": null,
                     *           "governanceAgentSpec": null,
                     *           "createdAt": "2026-11-22T09:30:00.000Z",
                     *           "createdBy": "user:default/ada",
                     *           "updatedAt": "2026-11-22T09:30:00.000Z",
                     *           "updatedBy": "user:default/ada"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "offset": 0,
                     *           "limit": 25,
                     *           "total": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PolicyList"];
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
    createPolicy: {
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
                 *       "id": "columns-are-described",
                 *       "kind": "policy",
                 *       "name": "Columns are described",
                 *       "description": "Every column of an output port says what it holds.",
                 *       "tags": [
                 *         "documentation"
                 *       ],
                 *       "advice": "Add a description to each column.",
                 *       "severity": "error",
                 *       "context": "local",
                 *       "resourceType": "outputport",
                 *       "environments": [
                 *         "production"
                 *       ],
                 *       "select": "resource.kind == 'outputport'",
                 *       "engine": "cel",
                 *       "spec": {
                 *         "assert": "resource.dataContract.schema.all(c, has(c.description))"
                 *       },
                 *       "strategy": "default",
                 *       "timing": "deployment",
                 *       "trigger": "active",
                 *       "schedule": "0 6 * * 1",
                 *       "thresholds": [],
                 *       "onError": "warn",
                 *       "cueScript": "name!: string"
                 *     }
                 */
                "application/json": components["schemas"]["NewPolicy"];
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
                     *       "id": "columns-are-described",
                     *       "version": 2,
                     *       "status": "enabled",
                     *       "graceUntil": "2027-01-31T00:00:00.000Z",
                     *       "kind": "policy",
                     *       "name": "Columns are described",
                     *       "description": "Every column of an output port says what it holds.",
                     *       "tags": [
                     *         "documentation"
                     *       ],
                     *       "advice": "Add a description to each column.",
                     *       "severity": "error",
                     *       "context": "local",
                     *       "resourceType": "outputport",
                     *       "environments": [
                     *         "production"
                     *       ],
                     *       "select": "resource.kind == 'outputport'",
                     *       "engine": "cel",
                     *       "spec": {
                     *         "assert": "resource.dataContract.schema.all(c, has(c.description))"
                     *       },
                     *       "strategy": "default",
                     *       "timing": "deployment",
                     *       "trigger": "active",
                     *       "schedule": "0 6 * * 1",
                     *       "thresholds": [],
                     *       "onError": "warn",
                     *       "cueScript": "name!: string",
                     *       "environment": "production",
                     *       "interactionType": "NATIVE",
                     *       "externalUrl": null,
                     *       "governanceAgentSpec": null,
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "createdBy": "user:default/ada",
                     *       "updatedAt": "2026-11-22T09:30:00.000Z",
                     *       "updatedBy": "user:default/ada"
                     *     }
                     */
                    "application/json": components["schemas"]["Policy"];
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
    getPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example columns-are-described */
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
                     *       "id": "columns-are-described",
                     *       "version": 2,
                     *       "status": "enabled",
                     *       "graceUntil": "2027-01-31T00:00:00.000Z",
                     *       "kind": "policy",
                     *       "name": "Columns are described",
                     *       "description": "Every column of an output port says what it holds.",
                     *       "tags": [
                     *         "documentation"
                     *       ],
                     *       "advice": "Add a description to each column.",
                     *       "severity": "error",
                     *       "context": "local",
                     *       "resourceType": "outputport",
                     *       "environments": [
                     *         "production"
                     *       ],
                     *       "select": "resource.kind == 'outputport'",
                     *       "engine": "cel",
                     *       "spec": {
                     *         "assert": "resource.dataContract.schema.all(c, has(c.description))"
                     *       },
                     *       "strategy": "default",
                     *       "timing": "deployment",
                     *       "trigger": "active",
                     *       "schedule": "0 6 * * 1",
                     *       "thresholds": [],
                     *       "onError": "warn",
                     *       "cueScript": "name!: string",
                     *       "environment": "production",
                     *       "interactionType": "NATIVE",
                     *       "externalUrl": null,
                     *       "governanceAgentSpec": null,
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "createdBy": "user:default/ada",
                     *       "updatedAt": "2026-11-22T09:30:00.000Z",
                     *       "updatedBy": "user:default/ada"
                     *     }
                     */
                    "application/json": components["schemas"]["Policy"];
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
    changePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example columns-are-described */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": 2,
                 *       "kind": "policy",
                 *       "name": "Columns are described",
                 *       "description": "Every column of an output port says what it holds.",
                 *       "tags": [
                 *         "documentation"
                 *       ],
                 *       "advice": "Add a description to each column.",
                 *       "severity": "error",
                 *       "context": "local",
                 *       "resourceType": "outputport",
                 *       "environments": [
                 *         "production"
                 *       ],
                 *       "select": "resource.kind == 'outputport'",
                 *       "engine": "cel",
                 *       "spec": {
                 *         "assert": "resource.dataContract.schema.all(c, has(c.description))"
                 *       },
                 *       "strategy": "default",
                 *       "timing": "deployment",
                 *       "trigger": "active",
                 *       "schedule": "0 6 * * 1",
                 *       "thresholds": [],
                 *       "onError": "warn",
                 *       "cueScript": "name!: string"
                 *     }
                 */
                "application/json": components["schemas"]["ChangedPolicy"];
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
                     *       "id": "columns-are-described",
                     *       "version": 2,
                     *       "status": "enabled",
                     *       "graceUntil": "2027-01-31T00:00:00.000Z",
                     *       "kind": "policy",
                     *       "name": "Columns are described",
                     *       "description": "Every column of an output port says what it holds.",
                     *       "tags": [
                     *         "documentation"
                     *       ],
                     *       "advice": "Add a description to each column.",
                     *       "severity": "error",
                     *       "context": "local",
                     *       "resourceType": "outputport",
                     *       "environments": [
                     *         "production"
                     *       ],
                     *       "select": "resource.kind == 'outputport'",
                     *       "engine": "cel",
                     *       "spec": {
                     *         "assert": "resource.dataContract.schema.all(c, has(c.description))"
                     *       },
                     *       "strategy": "default",
                     *       "timing": "deployment",
                     *       "trigger": "active",
                     *       "schedule": "0 6 * * 1",
                     *       "thresholds": [],
                     *       "onError": "warn",
                     *       "cueScript": "name!: string",
                     *       "environment": "production",
                     *       "interactionType": "NATIVE",
                     *       "externalUrl": null,
                     *       "governanceAgentSpec": null,
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "createdBy": "user:default/ada",
                     *       "updatedAt": "2026-11-22T09:30:00.000Z",
                     *       "updatedBy": "user:default/ada"
                     *     }
                     */
                    "application/json": components["schemas"]["Policy"];
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
    deletePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example columns-are-described */
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
    listPolicyVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example columns-are-described */
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
                     *       "data": [
                     *         {
                     *           "version": 2,
                     *           "createdAt": "2026-11-22T09:30:00.000Z",
                     *           "createdBy": "user:default/ada",
                     *           "policy": {
                     *             "kind": "policy",
                     *             "name": "Columns are described",
                     *             "description": "Every column of an output port says what it holds.",
                     *             "tags": [
                     *               "documentation"
                     *             ],
                     *             "advice": "Add a description to each column.",
                     *             "severity": "error",
                     *             "context": "local",
                     *             "resourceType": "outputport",
                     *             "environments": [
                     *               "production"
                     *             ],
                     *             "select": "resource.kind == 'outputport'",
                     *             "engine": "cel",
                     *             "spec": {
                     *               "assert": "resource.dataContract.schema.all(c, has(c.description))"
                     *             },
                     *             "strategy": "default",
                     *             "timing": "deployment",
                     *             "trigger": "active",
                     *             "schedule": "0 6 * * 1",
                     *             "thresholds": [],
                     *             "onError": "warn",
                     *             "cueScript": "name!: string"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PolicyVersions"];
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
    setPolicyStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example columns-are-described */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "enabled",
                 *       "graceUntil": "2027-01-31T00:00:00.000Z",
                 *       "reason": "Agreed with the domains."
                 *     }
                 */
                "application/json": components["schemas"]["PolicyStatusChange"];
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
                     *       "id": "columns-are-described",
                     *       "version": 2,
                     *       "status": "enabled",
                     *       "graceUntil": "2027-01-31T00:00:00.000Z",
                     *       "kind": "policy",
                     *       "name": "Columns are described",
                     *       "description": "Every column of an output port says what it holds.",
                     *       "tags": [
                     *         "documentation"
                     *       ],
                     *       "advice": "Add a description to each column.",
                     *       "severity": "error",
                     *       "context": "local",
                     *       "resourceType": "outputport",
                     *       "environments": [
                     *         "production"
                     *       ],
                     *       "select": "resource.kind == 'outputport'",
                     *       "engine": "cel",
                     *       "spec": {
                     *         "assert": "resource.dataContract.schema.all(c, has(c.description))"
                     *       },
                     *       "strategy": "default",
                     *       "timing": "deployment",
                     *       "trigger": "active",
                     *       "schedule": "0 6 * * 1",
                     *       "thresholds": [],
                     *       "onError": "warn",
                     *       "cueScript": "name!: string",
                     *       "environment": "production",
                     *       "interactionType": "NATIVE",
                     *       "externalUrl": null,
                     *       "governanceAgentSpec": null,
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "createdBy": "user:default/ada",
                     *       "updatedAt": "2026-11-22T09:30:00.000Z",
                     *       "updatedBy": "user:default/ada"
                     *     }
                     */
                    "application/json": components["schemas"]["Policy"];
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
    listExceptions: {
        parameters: {
            query?: {
                /** @example columns-are-described */
                policy?: string;
                /** @example urn:dmb:cmp:fleet:positions:0:latest-positions */
                resource?: string;
                /** @description Comma-separated; any may match. */
                status?: components["schemas"]["ExceptionStatusWord"][];
                /** @example 25 */
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
                     *           "id": "columns-are-described",
                     *           "policyId": "columns-are-described",
                     *           "resourceIds": [
                     *             "urn:dmb:cmp:fleet:positions:0:latest-positions"
                     *           ],
                     *           "select": "resource.kind == 'outputport'",
                     *           "environments": [
                     *             "production"
                     *           ],
                     *           "reason": "Agreed with the domains.",
                     *           "until": "2027-01-31T00:00:00.000Z",
                     *           "status": "pending",
                     *           "requestedBy": "user:default/ada",
                     *           "requestedAt": "2026-11-22T09:30:00.000Z",
                     *           "decidedBy": "user:default/grace",
                     *           "decidedAt": "2026-11-22T09:30:00.000Z",
                     *           "decisionReason": "The owner of the source describes them until January."
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "offset": 0,
                     *           "limit": 25,
                     *           "total": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExceptionList"];
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
    requestException: {
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
                 *       "policyId": "columns-are-described",
                 *       "resourceIds": [
                 *         "urn:dmb:cmp:fleet:positions:0:latest-positions"
                 *       ],
                 *       "select": "resource.kind == 'outputport'",
                 *       "environments": [
                 *         "production"
                 *       ],
                 *       "reason": "Agreed with the domains.",
                 *       "until": "2027-01-31T00:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["NewException"];
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
                     *       "id": "columns-are-described",
                     *       "policyId": "columns-are-described",
                     *       "resourceIds": [
                     *         "urn:dmb:cmp:fleet:positions:0:latest-positions"
                     *       ],
                     *       "select": "resource.kind == 'outputport'",
                     *       "environments": [
                     *         "production"
                     *       ],
                     *       "reason": "Agreed with the domains.",
                     *       "until": "2027-01-31T00:00:00.000Z",
                     *       "status": "pending",
                     *       "requestedBy": "user:default/ada",
                     *       "requestedAt": "2026-11-22T09:30:00.000Z",
                     *       "decidedBy": "user:default/grace",
                     *       "decidedAt": "2026-11-22T09:30:00.000Z",
                     *       "decisionReason": "The owner of the source describes them until January."
                     *     }
                     */
                    "application/json": components["schemas"]["Exception"];
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
    decideException: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example columns-are-described */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "approve": true,
                 *       "reason": "Agreed with the domains."
                 *     }
                 */
                "application/json": components["schemas"]["ExceptionDecision"];
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
                     *       "id": "columns-are-described",
                     *       "policyId": "columns-are-described",
                     *       "resourceIds": [
                     *         "urn:dmb:cmp:fleet:positions:0:latest-positions"
                     *       ],
                     *       "select": "resource.kind == 'outputport'",
                     *       "environments": [
                     *         "production"
                     *       ],
                     *       "reason": "Agreed with the domains.",
                     *       "until": "2027-01-31T00:00:00.000Z",
                     *       "status": "pending",
                     *       "requestedBy": "user:default/ada",
                     *       "requestedAt": "2026-11-22T09:30:00.000Z",
                     *       "decidedBy": "user:default/grace",
                     *       "decidedAt": "2026-11-22T09:30:00.000Z",
                     *       "decisionReason": "The owner of the source describes them until January."
                     *     }
                     */
                    "application/json": components["schemas"]["Exception"];
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
    revokeException: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example columns-are-described */
                id: string;
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
    testPolicy: {
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
                 *       "policy": {
                 *         "id": "columns-are-described",
                 *         "kind": "policy",
                 *         "name": "Columns are described",
                 *         "description": "Every column of an output port says what it holds.",
                 *         "tags": [
                 *           "documentation"
                 *         ],
                 *         "advice": "Add a description to each column.",
                 *         "severity": "error",
                 *         "context": "local",
                 *         "resourceType": "outputport",
                 *         "environments": [
                 *           "production"
                 *         ],
                 *         "select": "resource.kind == 'outputport'",
                 *         "engine": "cel",
                 *         "spec": {
                 *           "assert": "resource.dataContract.schema.all(c, has(c.description))"
                 *         },
                 *         "strategy": "default",
                 *         "timing": "deployment",
                 *         "trigger": "active",
                 *         "schedule": "0 6 * * 1",
                 *         "thresholds": [],
                 *         "onError": "warn",
                 *         "cueScript": "name!: string"
                 *       },
                 *       "policyId": "columns-are-described",
                 *       "environment": "production",
                 *       "descriptor": {
                 *         "id": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                 *         "kind": "outputport"
                 *       },
                 *       "previous": {},
                 *       "everything": true
                 *     }
                 */
                "application/json": components["schemas"]["Trial"];
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
                     *       "summary": {
                     *         "ok": 0,
                     *         "warning": 0,
                     *         "error": 1,
                     *         "failed": 0
                     *       },
                     *       "results": [
                     *         {
                     *           "governanceEntityId": "columns-are-described",
                     *           "governanceEntityVersion": 2,
                     *           "governanceEntityName": "Columns are described",
                     *           "governanceEntityStatus": "enabled",
                     *           "governanceEntityType": "policy",
                     *           "outcome": "error",
                     *           "blocking": true,
                     *           "resource": {
                     *             "id": "columns-are-described",
                     *             "displayName": "Latest positions",
                     *             "environment": "production",
                     *             "resourceType": "outputport"
                     *           },
                     *           "result": {
                     *             "isError": false,
                     *             "satisfiesPolicy": false,
                     *             "errors": [
                     *               {
                     *                 "path": "dataContract.schema[2]",
                     *                 "message": "The column speed has no description."
                     *               }
                     *             ]
                     *           },
                     *           "advice": "Add a description to each column.",
                     *           "creationTime": "2026-11-22T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TrialResults"];
                };
            };
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reportId": "5f0c1f5e-6f0a-4a53-9d0a-3a8f3a0c9b7e"
                     *     }
                     */
                    "application/json": components["schemas"]["StartedReport"];
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
    startEvaluation: {
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
                 *       "id": "columns-are-described",
                 *       "displayName": "Latest positions",
                 *       "environment": "production",
                 *       "resourceType": "outputport",
                 *       "descriptor": {
                 *         "id": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                 *         "kind": "outputport"
                 *       },
                 *       "labels": {}
                 *     }
                 */
                "application/json": components["schemas"]["Evaluation"];
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
                     *       "reportId": "5f0c1f5e-6f0a-4a53-9d0a-3a8f3a0c9b7e"
                     *     }
                     */
                    "application/json": components["schemas"]["StartedReport"];
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
    getEvaluationReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example columns-are-described */
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
                     *       "id": "columns-are-described",
                     *       "status": "completed",
                     *       "evaluationScope": "resource",
                     *       "environment": "production",
                     *       "summary": {
                     *         "ok": 0,
                     *         "warning": 0,
                     *         "error": 1,
                     *         "failed": 0
                     *       },
                     *       "evaluationResults": [
                     *         {
                     *           "governanceEntityId": "columns-are-described",
                     *           "governanceEntityVersion": 2,
                     *           "governanceEntityName": "Columns are described",
                     *           "governanceEntityStatus": "enabled",
                     *           "governanceEntityType": "policy",
                     *           "outcome": "error",
                     *           "blocking": true,
                     *           "resource": {
                     *             "id": "columns-are-described",
                     *             "displayName": "Latest positions",
                     *             "environment": "production",
                     *             "resourceType": "outputport"
                     *           },
                     *           "result": {
                     *             "isError": false,
                     *             "satisfiesPolicy": false,
                     *             "errors": [
                     *               {
                     *                 "path": "dataContract.schema[2]",
                     *                 "message": "The column speed has no description."
                     *               }
                     *             ]
                     *           },
                     *           "advice": "Add a description to each column.",
                     *           "creationTime": "2026-11-22T09:30:00.000Z",
                     *           "unit": {
                     *             "id": "columns-are-described",
                     *             "owner": null
                     *           }
                     *         }
                     *       ],
                     *       "createdAt": "2026-11-22T09:30:00.000Z",
                     *       "endedAt": "2026-11-22T09:30:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EvaluationReport"];
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
    listResults: {
        parameters: {
            query?: {
                /**
                 * @description Id of a resource, in any case.
                 * @example urn:dmb:cmp:fleet:positions:0:latest-positions
                 */
                resource?: string;
                /**
                 * @description Id of a policy.
                 * @example columns-are-described
                 */
                policy?: string;
                /** @example production */
                environment?: string;
                /** @description Comma-separated; empty for any. */
                outcome?: components["schemas"]["Outcome"][];
                /** @description Only results of this time or later. */
                since?: string;
                /** @example 25 */
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
                     *           "governanceEntityId": "columns-are-described",
                     *           "governanceEntityVersion": 2,
                     *           "governanceEntityName": "Columns are described",
                     *           "governanceEntityStatus": "enabled",
                     *           "governanceEntityType": "policy",
                     *           "outcome": "error",
                     *           "blocking": true,
                     *           "resource": {
                     *             "id": "columns-are-described",
                     *             "displayName": "Latest positions",
                     *             "environment": "production",
                     *             "resourceType": "outputport"
                     *           },
                     *           "result": {
                     *             "isError": false,
                     *             "satisfiesPolicy": false,
                     *             "errors": [
                     *               {
                     *                 "path": "dataContract.schema[2]",
                     *                 "message": "The column speed has no description."
                     *               }
                     *             ]
                     *           },
                     *           "advice": "Add a description to each column.",
                     *           "creationTime": "2026-11-22T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "pagination": {
                     *           "limit": 25,
                     *           "next": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ResultList"];
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
    pushResult: {
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
                 *       "policyId": "columns-are-described",
                 *       "resourceId": "urn:dmb:cmp:fleet:positions:0:latest-positions",
                 *       "environment": "production",
                 *       "outcome": "error",
                 *       "errors": [],
                 *       "at": "2026-11-22T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["PushedResult"];
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
                     *       "accepted": true
                     *     }
                     */
                    "application/json": components["schemas"]["Acceptance"];
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
    countResults: {
        parameters: {
            query?: {
                /**
                 * @description Id of a resource, in any case.
                 * @example urn:dmb:cmp:fleet:positions:0:latest-positions
                 */
                resource?: string;
                /**
                 * @description Id of a policy.
                 * @example columns-are-described
                 */
                policy?: string;
                /** @example production */
                environment?: string;
                /** @description Comma-separated; empty for any. */
                outcome?: components["schemas"]["Outcome"][];
                /** @description Only results of this time or later. */
                since?: string;
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
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ResultCount"];
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
    getCompliance: {
        parameters: {
            query: {
                /**
                 * @description A configured environment.
                 * @example production
                 */
                environment: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the deployment unit, in any case.
                 * @example columns-are-described
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
                     *       "unitId": "urn:dmb:dp:fleet:positions:0",
                     *       "environment": "production",
                     *       "summary": {
                     *         "isCompliant": false,
                     *         "ok": 0,
                     *         "warning": 0,
                     *         "error": 1,
                     *         "failed": 0,
                     *         "evaluatedAt": "2026-11-22T09:30:00.000Z"
                     *       },
                     *       "policies": [
                     *         {
                     *           "governanceEntityId": "columns-are-described",
                     *           "governanceEntityVersion": 2,
                     *           "governanceEntityName": "Columns are described",
                     *           "governanceEntityStatus": "enabled",
                     *           "governanceEntityType": "policy",
                     *           "outcome": "error",
                     *           "blocking": true,
                     *           "resource": {
                     *             "id": "columns-are-described",
                     *             "displayName": "Latest positions",
                     *             "environment": "production",
                     *             "resourceType": "outputport"
                     *           },
                     *           "result": {
                     *             "isError": false,
                     *             "satisfiesPolicy": false,
                     *             "errors": [
                     *               {
                     *                 "path": "dataContract.schema[2]",
                     *                 "message": "The column speed has no description."
                     *               }
                     *             ]
                     *           },
                     *           "advice": "Add a description to each column.",
                     *           "creationTime": "2026-11-22T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "history": [
                     *         {
                     *           "at": "2026-11-22T09:30:00.000Z",
                     *           "source": "plan",
                     *           "ok": 0,
                     *           "warning": 0,
                     *           "error": 1,
                     *           "failed": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Compliance"];
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
    getOwnershipRules: {
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
                     *       "version": 2,
                     *       "rules": [],
                     *       "configured": [],
                     *       "defaults": [],
                     *       "updatedAt": "2026-11-22T09:30:00.000Z",
                     *       "updatedBy": "user:default/ada"
                     *     }
                     */
                    "application/json": components["schemas"]["OwnershipRules"];
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
    putOwnershipRules: {
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
                 *       "version": 2,
                 *       "rules": []
                 *     }
                 */
                "application/json": components["schemas"]["ChangedOwnershipRules"];
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
                     *       "version": 2,
                     *       "rules": [],
                     *       "configured": [],
                     *       "defaults": [],
                     *       "updatedAt": "2026-11-22T09:30:00.000Z",
                     *       "updatedBy": "user:default/ada"
                     *     }
                     */
                    "application/json": components["schemas"]["OwnershipRules"];
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
    getWhoMay: {
        parameters: {
            query: {
                /** @example production */
                environment: string;
                /**
                 * @description Comma-separated: all that is to be done to the unit.
                 * @example [
                 *       "start"
                 *     ]
                 */
                operation?: components["schemas"]["OwnedOperation"][];
            };
            header?: never;
            path: {
                /** @example columns-are-described */
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
                     *       "id": "columns-are-described",
                     *       "environment": "production",
                     *       "operations": [
                     *         "start"
                     *       ],
                     *       "verdict": "approval",
                     *       "rule": "deployments in production",
                     *       "owners": [
                     *         "group:default/fleet"
                     *       ],
                     *       "whoMay": [
                     *         "group:default/fleet"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WhoMay"];
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
    listDataProductPolicies: {
        parameters: {
            query?: {
                /**
                 * @description A configured environment; without it the first one, by priority, that knows the unit.
                 * @example production
                 */
                environment?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the deployment unit, in any case.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                dataProduct: string;
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
                     *       "policies": [
                     *         {
                     *           "policyId": "columns-are-described",
                     *           "name": "Columns are described",
                     *           "status": "failed",
                     *           "message": "The column speed has no description.",
                     *           "remediation": "Add a description to each column."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DataProductPolicies"];
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
    listDataProductApprovals: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the deployment unit, in any case.
                 * @example urn:dmb:dp:fleet:positions:0
                 */
                dataProduct: string;
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
                     *       "approvals": [
                     *         {
                     *           "approver": "user:default/grace",
                     *           "status": "approved",
                     *           "timestamp": "2026-11-22T09:30:00.000Z",
                     *           "comment": "Agreed."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DataProductApprovals"];
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
    listEvaluationReportsRemoved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Never answered. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
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
            /** @description Failure */
            410: {
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
    listViolationsRemoved: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example urn:dmb:cmp:fleet:positions:0:latest-positions */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Never answered. */
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
            /** @description Failure */
            410: {
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
    countViolationsRemoved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Never answered. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
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
            /** @description Failure */
            410: {
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
    listMetricResultsRemoved: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example urn:dmb:cmp:fleet:positions:0:latest-positions */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Never answered. */
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
            /** @description Failure */
            410: {
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
