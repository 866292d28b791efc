/** Values that the chart refuses, and what it says. */
export interface Refusal {
  name: string;
  /** On top of values/minimal.yaml; null takes a key away. */
  values: object;
  /** Texts of which each has to be in the answer. */
  says: string[];
}

const noAdapterSecret = { adapterSecret: { secret: { name: "" } } };
const env = (text: string): object => ({ extraEnv: text });

export const refusals: Refusal[] = [
  { name: "an unknown key", values: { replicaCount: 2 }, says: ["replicaCount"] },
  { name: "an unknown key inside", values: { database: { hostname: "a" } }, says: ["/database", "hostname"] },
  {
    name: "an unknown key of a deployment",
    values: { deployments: { worker: { replica: 2 } } },
    says: ["/deployments/worker", "replica"],
  },
  {
    name: "an unknown deployment",
    values: { deployments: { console: {} } },
    says: ["/deployments", "console"],
  },
  {
    name: "a text for a number",
    values: { deployments: { worker: { replicas: "2" } } },
    says: ["/replicas"],
  },
  {
    name: "a monitor that can't sign in, of workers that nobody may reach",
    values: { monitoring: { serviceMonitor: { enabled: true } } },
    says: ["monitoring.serviceMonitor.token.secret.name", "networkPolicy.metricsFrom"],
  },
  {
    name: "an interval that is none",
    values: { monitoring: { serviceMonitor: { interval: "often" } } },
    says: ["/monitoring/serviceMonitor/interval"],
  },
  { name: "an unknown layout", values: { layout: "all" }, says: ["/layout"] },
  { name: "a port that is none", values: { database: { port: 70000 } }, says: ["/database/port"] },
  { name: "memory without a unit that exists", values: { scratch: { tmp: "1 GB" } }, says: ["/scratch/tmp"] },
  {
    name: "a variable without a name",
    values: { extraEnv: [{ value: "a" }] },
    says: ["/extraEnv/0", "name"],
  },
  {
    name: "variables of the chart's own places",
    values: { extraEnv: [{ name: "PLINTH_SERVER_PORT", value: "9000" }] },
    says: ["extraEnv names PLINTH_SERVER_PORT, which the chart sets"],
  },
  {
    name: "a variable with a number",
    values: { extraEnv: [{ name: "A", value: 1 }] },
    says: ["/extraEnv/0/value"],
  },
  {
    name: "a variable with value and valueFrom",
    values: {
      extraEnv: [{ name: "A", value: "1", valueFrom: { fieldRef: { fieldPath: "status.hostIP" } } }],
    },
    says: ["/extraEnv/0"],
  },
  {
    name: "a block of YAML, with its converted form",
    values: env("- name: A\n  value: one\n- name: B\n  valueFrom:\n    secretKeyRef: {name: s, key: k}\n"),
    says: [
      "extraEnv is a text block",
      "extraEnv:\n  - name: A\n    value: one\n  - name: B\n    valueFrom:\n      secretKeyRef:\n        key: k\n        name: s\n",
    ],
  },
  {
    name: "a block of a map",
    values: env("A: one\nB: 2\n"),
    says: [
      "extraEnv is a text block",
      'extraEnv:\n  - name: A\n    value: one\n  - name: B\n    value: "2"\n',
    ],
  },
  {
    name: "a block of lines",
    values: env('A=one\n# a comment\nB="two=three"\n'),
    says: [
      "extraEnv is a text block",
      "extraEnv:\n  - name: A\n    value: one\n  - name: B\n    value: two=three\n",
    ],
  },
  {
    name: "a block that means nothing",
    values: env("whatever it is"),
    says: ["extraEnv is a text block", "extraEnv:\n  - name: NAME\n    value: text\n"],
  },
  {
    name: "a block of one deployment",
    values: { deployments: { worker: { extraEnv: "A=one" } } },
    says: ["deployments.worker.extraEnv is a text block", "extraEnv:\n  - name: A\n    value: one"],
  },
  {
    name: "a variable twice",
    values: {
      extraEnv: [
        { name: "A", value: "1" },
        { name: "A", value: "2" },
      ],
    },
    says: ["extraEnv names A twice."],
  },
  {
    name: "variables of release 2.1",
    values: {
      extraEnv: [{ name: "SQL_HOST", value: "a" }],
      deployments: { governance: { extraEnv: [{ name: "CGP_SQL_HOST", value: "a" }] } },
    },
    says: [
      "extraEnv has SQL_HOST, which is no longer read. Set COORDINATOR_DB_HOST (the coordinator) instead.",
      "deployments.governance.extraEnv has CGP_SQL_HOST, which is no longer read. Set CGP_DB_HOST",
    ],
  },
  {
    name: "the mock provisioner's former variable alone",
    values: {
      ...noAdapterSecret,
      mockProvisioner: { enabled: true, extraEnv: [{ name: "BACKEND_PLUGIN_AUTH_SECRET", value: "a" }] },
    },
    says: [
      "mockProvisioner.extraEnv has BACKEND_PLUGIN_AUTH_SECRET, which is no longer read. Set CORE_BACKEND_PLUGIN_AUTH_SECRET instead.",
    ],
  },
  {
    name: "the mock provisioner without a secret",
    values: { ...noAdapterSecret, mockProvisioner: { enabled: true } },
    says: ["mockProvisioner is enabled without a secret."],
  },
  {
    name: "a block of the mock provisioner",
    values: { mockProvisioner: { enabled: true, extraEnv: "BACKEND_PLUGIN_AUTH_SECRET=x" } },
    says: [
      "mockProvisioner.extraEnv is a text block",
      "extraEnv:\n  - name: BACKEND_PLUGIN_AUTH_SECRET\n    value: x\n",
    ],
  },
  {
    name: "a block of the mock provisioner, which has no other secret",
    values: {
      ...noAdapterSecret,
      mockProvisioner: { enabled: true, extraEnv: "BACKEND_PLUGIN_AUTH_SECRET=x" },
    },
    says: [
      "mockProvisioner.extraEnv is a text block",
      "extraEnv:\n  - name: BACKEND_PLUGIN_AUTH_SECRET\n    value: x\n",
    ],
  },
  {
    name: "former keys in two places",
    values: {
      installationKey: { formerSecrets: [{ name: "old", key: "key" }] },
      config: { mesh: { builder: { instantiations: { formerSecretKeys: [{ $env: "OLD" }] } } } },
    },
    says: ["installationKey.formerSecrets and config.mesh.builder.instantiations.formerSecretKeys"],
  },
  {
    name: "a former key without a name",
    values: { installationKey: { formerSecrets: [{ key: "key" }] } },
    says: ["/installationKey/formerSecrets/0"],
  },
  {
    name: "a former secret of the adapters without a present one",
    values: { adapterSecret: { secret: { name: "" }, formerSecret: { name: "old" } } },
    says: ["adapterSecret.formerSecret.name is given without"],
  },
  {
    name: "everything that is required, at once",
    values: {
      database: { host: "", secret: { name: "" } },
      installationKey: { secret: { name: "" } },
      config: { auth: null },
    },
    says: [
      "database.host is empty.",
      "database.secret.name is empty.",
      "installationKey.secret.name is empty.",
      "config.auth.providers is empty",
    ],
  },
  {
    name: "sections of the configuration that are texts",
    values: {
      config: { server: "a", auth: "b", console: ["c"] },
      ingress: { enabled: true, className: "nginx", host: "h" },
    },
    says: [
      "config.server is no map of settings.",
      "config.auth is no map of settings.",
      "config.console is no map of settings.",
    ],
  },
  {
    name: "an ingress without a class and a host",
    values: { ingress: { enabled: true } },
    says: [
      "ingress.className is empty, and there is no annotation kubernetes.io/ingress.class.",
      "ingress.host is empty.",
    ],
  },
  {
    name: "a grace period that is too short",
    values: { defaults: { terminationGracePeriodSeconds: 10 } },
    says: [
      "The pods of worker would be killed while they stop: terminationGracePeriodSeconds is 10 and has to be 17 at least",
    ],
  },
  {
    name: "a long shutdown",
    values: { config: { server: { shutdownGraceMs: 60_500 } } },
    says: ["terminationGracePeriodSeconds is 30 and has to be 70 at least"],
  },
  {
    name: "autoscaling by nothing",
    values: { deployments: { worker: { autoscaling: { enabled: true, queue: { metric: "" } } } } },
    says: ["The autoscaling of worker has nothing to scale by."],
  },
  {
    name: "autoscaling upside down",
    values: { deployments: { worker: { autoscaling: { enabled: true, minReplicas: 9 } } } },
    says: ["The autoscaling of worker has minReplicas 9 above maxReplicas 6."],
  },
  {
    name: "no deployment",
    values: { layout: "single", deployments: { single: { enabled: false }, worker: { enabled: false } } },
    says: ["No deployment is enabled."],
  },
  {
    name: "sources that collide, and one without an address",
    values: {
      deployments: { dataLayer: { enabled: true } },
      dbs: {
        sources: [
          { name: "a-b", db: "x" },
          { name: "a_b", db: "y" },
          { name: "metadata", db: "z" },
          { name: "c" },
        ],
      },
    },
    says: [
      "dbs.sources: a-b and a_b both give ENGINE_GRAPHQL_A_B_DATABASE_URL.",
      "dbs.sources: dbs.metadata and metadata both give ENGINE_GRAPHQL_METADATA_DATABASE_URL.",
      "dbs.sources: c has neither db nor secret, and is not one of coordinator, cgp and marketplace.",
    ],
  },
];
