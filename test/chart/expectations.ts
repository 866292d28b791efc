/** What each set of values has to give, beside what holds for all of them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { load } from "js-yaml";
import { repositoriesDir } from "../../src/builder/git/own-repository.ts";
import type { KubernetesObject } from "./objects.ts";
import { readRules, type AlertRule } from "../alerts/rules.ts";
import { areasOf, containerOf, deploymentsOf, type Deployment } from "./relations.ts";

/** Fields are read as they come: the schemas have checked them. */
type Objects = readonly KubernetesObject[];
type Expectation = (objects: Objects) => void;

const counted = (objects: Objects): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(objects, ({ kind }) => kind)].map(([kind, list]) => [kind, list.length]),
  );

const find = (objects: Objects, kind: string, end: string): any =>
  objects.find((object) => object.kind === kind && object.metadata.name.endsWith(end)) ??
  assert.fail(`there is no ${kind} ${end}`);

const deployment = (objects: Objects, component: string): Deployment =>
  find(objects, "Deployment", `-${component}`);

const envOf = (objects: Objects, component: string): Record<string, unknown> =>
  Object.fromEntries(
    containerOf(deployment(objects, component)).env.map(({ name, value, valueFrom }) => [
      name,
      value ??
        (valueFrom?.secretKeyRef
          ? `${valueFrom.secretKeyRef.name}/${valueFrom.secretKeyRef.key}`
          : valueFrom),
    ]),
  );

const served = (objects: Objects): Record<string, string> =>
  Object.fromEntries(
    deploymentsOf(objects).map((each) => [
      each.metadata.name.replace(/^.*plinth-/, ""),
      areasOf(each).join(),
    ]),
  );

/** Deployments whose pods have the claim where the builder keeps repositories, unfinished ones among them. */
const withRepositories = (objects: Objects): string[] =>
  deploymentsOf(objects)
    .filter((each) => {
      const { volumes = [] } = each.spec.template.spec;
      const claim = volumes.find(({ persistentVolumeClaim: of }) => of?.claimName === "plinth-repositories");
      const mount = containerOf(each).volumeMounts?.find(({ name }) => name === claim?.name);
      const dataDir = containerOf(each).env.find(({ name }) => name === "PLINTH_DATA_DIR")?.value ?? "";
      if (mount !== undefined) assert.equal(mount.mountPath, repositoriesDir(join(dataDir, "builder")));
      return claim !== undefined && mount !== undefined && !mount.readOnly;
    })
    .map(({ metadata }) => metadata.name.replace(/^.*plinth-/, ""));

const fromFields = (...fields: [string, unknown][]): void => {
  for (const [actual, wanted] of fields) assert.deepEqual(actual, wanted);
};

const all: Record<string, Expectation> = {
  digits(objects) {
    const { name } = find(objects, "ServiceAccount", "").metadata;
    const { ingressClassName, tls } = find(objects, "Ingress", "").spec;
    assert.deepEqual([name, ingressClassName, tls[0].secretName], ["77", "12", "34"]);
    assert.equal(envOf(objects, "builder")["PLATFORM_DB_PASSWORD"], "56/password");
  },
  minimal(objects) {
    assert.deepEqual(counted(objects), {
      ServiceAccount: 1,
      ConfigMap: 2,
      Deployment: 6,
      Service: 5,
      PodDisruptionBudget: 5,
      NetworkPolicy: 6,
    });
    assert.deepEqual(served(objects), {
      assistant: "assistant",
      builder: "builder",
      coordinator: "coordinator",
      "data-layer": "data-layer",
      governance: "governance",
      worker: "",
    });
    assert.deepEqual(withRepositories(objects), []);
    const worker = deployment(objects, "worker");
    assert.deepEqual(containerOf(worker).args.slice(-2), ["--workers", "only"]);
    assert.deepEqual(containerOf(deployment(objects, "builder")).args.slice(-2), ["--workers", "off"]);
    assert.deepEqual(envOf(objects, "worker"), {
      NODE_ENV: "production",
      PLINTH_SERVER_HOST: "0.0.0.0",
      PLINTH_SERVER_PORT: "7007",
      PLINTH_DATA_DIR: "/var/lib/plinth",
      PLINTH_SERVER_WORKERS_LISTEN: "true",
      PLATFORM_DB_HOST: "postgres.data.svc",
      PLATFORM_DB_PORT: "5432",
      PLATFORM_DB_USERNAME: "plinth-database/username",
      PLATFORM_DB_PASSWORD: "plinth-database/password",
      COORDINATOR_DB_DBNAME: "provisioning_coordinator",
      COORDINATOR_DB_SCHEMA: "cgp",
      CGP_DB_SCHEMA: "coordinator",
      PLINTH_MESH_BUILDER_INSTANTIATIONS_SECRET_KEY: "plinth-key/installation-key",
      CORE_BACKEND_PLUGIN_AUTH_SECRET: "plinth-adapters/adapter-secret",
    });
    for (const each of deploymentsOf(objects)) assertHardened(each);
    assert.deepEqual(find(objects, "NetworkPolicy", "-worker").spec.ingress, []);
  },
  monitoring(objects) {
    const monitor = find(objects, "ServiceMonitor", "plinth");
    const { selector, endpoints, jobLabel } = monitor.spec;
    assert.equal(monitor.metadata.labels.release, "prometheus");
    assert.deepEqual(endpoints[0].authorization.credentials, { name: "plinth-scraper", key: "token" });
    // Every service with such labels is scraped: of each deployment but the mock's.
    const scraped = objects.filter(
      ({ kind, metadata: { labels = {} } }) =>
        kind === "Service" &&
        Object.entries(selector.matchLabels).every(([name, value]) => labels[name] === value) &&
        labels["app.kubernetes.io/component"] !== "mock-provisioner",
    );
    assert.equal(scraped.length, Object.keys(served(objects)).length - 1);
    assert.deepEqual(new Set(scraped.map(({ metadata }) => metadata.labels?.[jobLabel])).size, 1);
    for (const { spec } of scraped as any[]) assert.equal(spec.ports[0].name, endpoints[0].port);
    assert.equal(find(objects, "Service", "-worker").spec.clusterIP, "None");
    const from = (component: string) => find(objects, "NetworkPolicy", `-${component}`).spec.ingress[0].from;
    assert.equal(from("worker").length, 1);
    assert.equal(from("builder").length, 3);
    const { groups } = find(objects, "PrometheusRule", "plinth").spec;
    const rules = groups.flatMap(({ rules: own }: { rules: AlertRule[] }) => own) as AlertRule[];
    const without = new Set(["PlinthDrift", "PlinthDecisionsWait"]);
    const wanted = readRules().filter(({ alert }) => !without.has(alert));
    assert.deepEqual(
      rules,
      wanted.map((rule) => ({
        ...rule,
        annotations: {
          ...rule.annotations,
          runbook_url: `https://docs.example.com/plinth/${rule.annotations.runbook_url}`,
        },
      })),
    );
    const dashboard = find(objects, "ConfigMap", "-dashboard");
    assert.deepEqual(dashboard.metadata.labels["grafana_dashboard"], "1");
    assert.equal(JSON.parse(dashboard.data["plinth.json"]).uid, "plinth");
  },
  repositories(objects) {
    assert.deepEqual(withRepositories(objects), ["builder", "worker"]);
  },
  single(objects) {
    assert.deepEqual(withRepositories(objects), ["control-plane-single", "control-plane-worker"]);
    assert.deepEqual(served(objects), {
      "control-plane-single": "builder,assistant,coordinator,governance,data-layer",
      "control-plane-worker": "",
    });
  },
  "single-process"(objects) {
    assert.deepEqual(counted(objects), {
      ServiceAccount: 1,
      ConfigMap: 2,
      Deployment: 1,
      Service: 1,
      NetworkPolicy: 1,
    });
    assert.deepEqual(containerOf(deployment(objects, "single")).args.slice(-2), ["--workers", "on"]);
    assert.deepEqual(withRepositories(objects), ["single"]);
  },
  "some-areas"(objects) {
    assert.deepEqual(Object.keys(served(objects)), ["builder", "coordinator", "worker"]);
    const paths: string[] = find(objects, "Ingress", "plinth").spec.rules[0].http.paths.map(
      ({ path }: { path: string }) => path,
    );
    assert.deepEqual(
      [...paths.slice(0, paths.indexOf("/")), ...paths.slice(paths.indexOf("/webhooks") + 1)],
      [
        "/api/builder",
        "/api/auth",
        "/api/catalog",
        "/api/scaffolder",
        "/api/marketplace",
        "/git",
        "/api/coordinator",
      ],
    );
  },
  "ingress-tls"(objects) {
    const { spec, metadata } = find(objects, "Ingress", "plinth");
    assert.equal(spec.ingressClassName, "traefik");
    assert.deepEqual(spec.tls, [{ hosts: ["plinth.example.com"], secretName: "plinth-tls" }]);
    assert.deepEqual(metadata.annotations, { "example.com/body-size": "10m" });
    const env = envOf(objects, "coordinator");
    assert.equal(env["PLINTH_SERVER_BASE_URL"], "https://plinth.example.com");
    assert.equal(env["PLINTH_SERVER_TRUST_PROXY"], "true");
  },
  "ingress-annotation"(objects) {
    const { spec } = find(objects, "Ingress", "plinth");
    assert.equal(spec.ingressClassName, undefined);
    const paths = new Set(spec.rules[0].http.paths.map(({ path }: { path: string }) => path));
    for (const path of ["/v1", "/v2"]) assert.ok(paths.has(path), path);
    assert.ok(!paths.has("/governance-platform"));
    assert.ok(!paths.has("/units"));
    assert.equal(envOf(objects, "coordinator")["PLINTH_SERVER_BASE_URL"], undefined);
  },
  "separate-databases"(objects) {
    const env = envOf(objects, "governance");
    fromFields(
      [env["PLATFORM_DB_USERNAME"] as string, "plinth-database/user"],
      [env["PLATFORM_DB_PORT"] as string, "6432"],
      [env["COORDINATOR_DB_NEW_SCHEMA"] as string, "control"],
      [env["CGP_DB_HOST"] as string, "governance.data.svc"],
      [env["CGP_DB_PASSWORD"] as string, "governance-database/password"],
      [env["CGP_DB_DBNAME"] as string, "policies"],
      [env["PLINTH_MESH_BUILDER_INSTANTIATIONS_SECRET_KEY"] as string, "plinth-key/sealing"],
    );
  },
  "extra-env"(objects) {
    const [worker, builder] = [envOf(objects, "worker"), envOf(objects, "builder")];
    assert.deepEqual([worker["PLINTH_LOG_LEVEL"], builder["PLINTH_LOG_LEVEL"]], ["warn", "debug"]);
    assert.equal(builder["PIPELINE_TOKEN"], "pipeline/token");
    assert.deepEqual(builder["NODE_IP"], { fieldRef: { fieldPath: "status.hostIP" } });
    assert.equal(worker["CORE_BACKEND_PLUGIN_AUTH_SECRET"], "plinth-adapters/adapter-secret");
    assert.equal(worker["PLINTH_COORDINATOR_EXECUTION_PARALLEL_TASKS"], "16");
    assert.equal(builder["PLINTH_COORDINATOR_EXECUTION_PARALLEL_TASKS"], undefined);
  },
  autoscaling(objects) {
    const spec = find(objects, "HorizontalPodAutoscaler", "-worker").spec;
    assert.deepEqual([spec.minReplicas, spec.maxReplicas], [1, 20]);
    assert.deepEqual(spec.metrics, [
      {
        type: "External",
        external: {
          metric: { name: "plinth_plans_active", selector: { matchLabels: { namespace: "data" } } },
          target: { type: "AverageValue", averageValue: "30" },
        },
      },
    ]);
    assert.deepEqual(find(objects, "HorizontalPodAutoscaler", "-builder").spec.metrics, [
      {
        type: "Resource",
        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 75 } },
      },
    ]);
    assert.equal(counted(objects)["HorizontalPodAutoscaler"], 5);
    // Of one replica nothing may be away, so it has no budget.
    assert.equal(counted(objects)["PodDisruptionBudget"], 4);
  },
  "restricted-network"(objects) {
    const { spec } = find(objects, "NetworkPolicy", "-builder");
    assert.deepEqual(spec.policyTypes, ["Ingress", "Egress"]);
    assert.equal(spec.ingress[0].from.length, 3);
    assert.deepEqual(
      spec.egress.map(({ ports }: { ports?: { port: number }[] }) => ports?.map(({ port }) => port)),
      [[53, 53], [5432], undefined, [443]],
    );
    const worker = find(objects, "NetworkPolicy", "-worker").spec;
    assert.deepEqual(worker.ingress[0].from, [
      { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } },
    ]);
  },
  "open-network"(objects) {
    const { NetworkPolicy, ServiceAccount } = counted(objects);
    assert.deepEqual([NetworkPolicy, ServiceAccount], [undefined, undefined]);
    const pod: any = deployment(objects, "builder").spec.template.spec;
    assert.equal(pod.serviceAccountName, "shared");
    assert.deepEqual(pod.securityContext, { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    const { spec } = find(objects, "Service", "-builder");
    assert.deepEqual([spec.type, spec.ports[0].port], ["LoadBalancer", 8080]);
  },
  "changed-keys"(objects) {
    const keys = {
      CORE_BACKEND_PLUGIN_AUTH_SECRET: "plinth-adapters-2026/adapter-secret",
      CORE_BACKEND_PLUGIN_AUTH_FORMER_SECRET: "plinth-adapters/adapter-secret",
    };
    for (const component of ["builder", "worker"]) {
      const env = envOf(objects, component);
      assert.equal(env["PLINTH_MESH_BUILDER_INSTANTIATIONS_SECRET_KEY"], "plinth-key-2026/installation-key");
      assert.equal(env["INSTALLATION_KEY_FORMER_1"], "plinth-key/installation-key");
      assert.equal(env["INSTALLATION_KEY_FORMER_2"], "plinth-key-2024/key");
      for (const [name, secret] of Object.entries(keys)) assert.equal(env[name], secret);
    }
    assert.deepEqual(envOf(objects, "mock-provisioner"), keys);
    const { mesh } = load(find(objects, "ConfigMap", "-config").data["plinth.yaml"]) as any;
    assert.deepEqual(mesh.builder.instantiations, {
      parallel: 3,
      formerSecretKeys: [{ $env: "INSTALLATION_KEY_FORMER_1" }, { $env: "INSTALLATION_KEY_FORMER_2" }],
    });
  },
  "mock-provisioner"(objects) {
    const mock = deployment(objects, "mock-provisioner");
    assert.deepEqual(containerOf(mock).command, ["/usr/local/bin/node", "/app/dist/mock-adapter.js"]);
    assert.deepEqual(containerOf(mock).args, ["--host", "0.0.0.0", "--port", "8080"]);
    const secret = { CORE_BACKEND_PLUGIN_AUTH_SECRET: "plinth-adapters/adapter-secret" };
    assert.deepEqual(envOf(objects, "mock-provisioner"), secret);
    assertHardened(mock);
  },
  "data-layer"(objects) {
    assert.equal(served(objects)["data-layer"], "data-layer");
    const outputs = objects.find(({ metadata }) => metadata.name === "platform-engine-outputs");
    const own = "postgres://postgres.data.svc:5432/provisioning_coordinator";
    assert.deepEqual(outputs?.["data"], {
      ENGINE_GRAPHQL_COORDINATOR_DATABASE_URL: own,
      ENGINE_GRAPHQL_CGP_DATABASE_URL: own.replace("postgres.data", "governance.data"),
      ENGINE_GRAPHQL_MARKETPLACE_DATABASE_URL: own,
      ENGINE_GRAPHQL_DATA_MART_DATABASE_URL: "postgres://postgres.data.svc:5432/data%20mart",
      ENGINE_GRAPHQL_BILLING_DATABASE_URL_SECRET: "billing-database/url",
      ENGINE_GRAPHQL_METADATA_DATABASE_URL: own,
    });
    assert.deepEqual(load(find(objects, "ConfigMap", "-config").data["data-layer.yaml"]), {
      dbs: {
        sources: [
          { name: "coordinator" },
          { name: "cgp" },
          { name: "marketplace" },
          { name: "data-mart", db: "data mart" },
          { name: "billing", db: "billing" },
        ],
      },
    });
    assert.deepEqual(containerOf(deployment(objects, "data-layer")).args.slice(0, 5), [
      "start",
      "--config",
      "/etc/plinth/plinth.yaml",
      "--config",
      "/etc/plinth/data-layer.yaml",
    ]);
    assert.equal(envOf(objects, "data-layer")["ENGINE_GRAPHQL_BILLING_DATABASE_URL"], "billing-database/url");
    assert.equal(envOf(objects, "builder")["ENGINE_GRAPHQL_BILLING_DATABASE_URL"], undefined);
    const paths: any[] = find(objects, "Ingress", "plinth").spec.rules[0].http.paths;
    const graphql = paths.find(({ path }) => path === "/graphql");
    assert.equal(graphql.backend.service.name, "demo-plinth-data-layer");
  },
  placement(objects) {
    const pod: any = deployment(objects, "worker").spec.template.spec;
    const [container] = pod.containers;
    assert.match(container.image, /^registry\.example\.com\/data\/plinth@sha256:0123/);
    assert.deepEqual(pod.imagePullSecrets, [{ name: "registry" }]);
    assert.deepEqual(pod.nodeSelector, { "kubernetes.io/arch": "amd64" });
    assert.equal(container.lifecycle, undefined);
    assert.deepEqual(container.livenessProbe, {
      httpGet: { path: "/healthz", port: "http" },
      periodSeconds: 30,
      timeoutSeconds: 5,
      failureThreshold: 6,
    });
    assert.equal(pod.topologySpreadConstraints[0].topologyKey, "topology.kubernetes.io/zone");
    assert.equal(
      (deployment(objects, "coordinator").spec.template.spec as any).topologySpreadConstraints,
      undefined,
    );
    assert.equal(find(objects, "PodDisruptionBudget", "-worker").spec.maxUnavailable, 2);
  },
};

function assertHardened({ spec }: Deployment): void {
  const pod: any = spec.template.spec;
  assert.equal(pod.automountServiceAccountToken, false);
  assert.deepEqual([pod.securityContext.runAsNonRoot, pod.securityContext.runAsUser], [true, 65532]);
  const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } =
    pod.containers[0].securityContext;
  assert.deepEqual(
    [allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities],
    [false, true, { drop: ["ALL"] }],
  );
}

export const expectations: Record<string, (objects: Objects) => string[]> = Object.fromEntries(
  Object.entries(all).map(([name, expectation]) => [
    name,
    (objects: Objects) => {
      try {
        expectation(objects);
        return [];
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)];
      }
    },
  ]),
);
