/** Names of schemas in the interface's document, each by a place where its schema is (platform/http/document). */
export const schemaNames: Record<string, string> = {
  NewPolicy: "createPolicy request",
  ChangedPolicy: "changePolicy request",
  PolicyStatusChange: "setPolicyStatus request",
  Policy: "getPolicy 200",
  PolicyList: "listPolicies 200",
  PolicyVersions: "listPolicyVersions 200",
  PolicyVersion: "listPolicyVersions 200 data []",
  PolicyContent: "listPolicyVersions 200 data [] policy",
  Threshold: "createPolicy request thresholds []",
  OffsetPage: "listPolicies 200 meta",
};
