{{/*
Ends the rendering with everything that the values lack or contradict. Every template begins with it: of one that came before it, Helm
would show an error of the template's own, with the value in it.
*/}}
{{- define "plinth.checks" -}}
{{- $root := . -}}
{{- $settings := include "plinth.settings" . | fromYaml -}}
{{- $problems := list -}}
{{- with .Values -}}
{{- if not .database.host -}}
{{- $problems = append $problems "database.host is empty. Name the host of a PostgreSQL 15 or newer; this chart brings none." -}}
{{- end -}}
{{- if not .database.secret.name -}}
{{- $problems = append $problems "database.secret.name is empty. Name an existing secret with the database's user name and password." -}}
{{- end -}}
{{- if not .installationKey.secret.name -}}
{{- $problems = append $problems "installationKey.secret.name is empty. Name an existing secret with 32 bytes in base64 (openssl rand -base64 32); all processes need the same key." -}}
{{- end -}}
{{- if and .installationKey.formerSecrets (regexMatch "formerSecretKeys" (toYaml .config)) -}}
{{- $problems = append $problems "installationKey.formerSecrets and config.mesh.builder.instantiations.formerSecretKeys both name former keys. Use one of them." -}}
{{- end -}}
{{- if and .adapterSecret.formerSecret.name (not .adapterSecret.secret.name) -}}
{{- $problems = append $problems "adapterSecret.formerSecret.name is given without adapterSecret.secret.name. Name the secret with the present one." -}}
{{- end -}}
{{- if not $settings.auth.providers -}}
{{- $problems = append $problems "config.auth.providers is empty, so nobody could sign in and no process would start. Name an identity provider or tokens of services." -}}
{{- end -}}
{{- if .ingress.enabled -}}
{{- if not (or .ingress.className (hasKey .ingress.annotations "kubernetes.io/ingress.class")) -}}
{{- $problems = append $problems "ingress.className is empty, and there is no annotation kubernetes.io/ingress.class. Name the class of your controller; since release 2.2.0 none is assumed." -}}
{{- end -}}
{{- if not .ingress.host -}}
{{- $problems = append $problems "ingress.host is empty. Name the host under which Plinth is reached." -}}
{{- end -}}
{{- end -}}
{{- if .monitoring.serviceMonitor.enabled -}}
{{- if not .monitoring.serviceMonitor.token.secret.name -}}
{{- $problems = append $problems "monitoring.serviceMonitor.token.secret.name is empty. Name an existing secret with a token of the role viewer; /metrics is not public." -}}
{{- end -}}
{{- if and .networkPolicy.enabled (not .networkPolicy.metricsFrom) .deployments.worker.enabled -}}
{{- $problems = append $problems "monitoring.serviceMonitor is enabled, and networkPolicy.metricsFrom is empty, so nobody may scrape the workers. Say there where your Prometheus is." -}}
{{- end -}}
{{- end -}}
{{- range list "server" "auth" "console" "coordinator" "governance" -}}
{{- $part := get (default (dict) $root.Values.config) . -}}
{{- if and $part (not (kindIs "map" $part)) -}}
{{- $problems = append $problems (printf "config.%s is no map of settings. Write its settings below it, each on a line of its own." .) -}}
{{- end -}}
{{- end -}}
{{- if and .mockProvisioner.enabled (not .adapterSecret.secret.name) (not (kindIs "string" .mockProvisioner.extraEnv)) -}}
{{- $names := include "plinth.namesOf" .mockProvisioner.extraEnv | fromYamlArray -}}
{{- if not (or (has "CORE_BACKEND_PLUGIN_AUTH_SECRET" $names) (has "BACKEND_PLUGIN_AUTH_SECRET" $names)) -}}
{{- $problems = append $problems "mockProvisioner is enabled without a secret. Name one in adapterSecret.secret.name, for its CORE_BACKEND_PLUGIN_AUTH_SECRET." -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $common := dict "root" $root "made" (ternary (list "CORE_BACKEND_PLUGIN_AUTH_SECRET") (list) (ne .Values.adapterSecret.secret.name "")) -}}
{{- $problems = concat $problems (include "plinth.envProblems" (merge (dict "at" "extraEnv" "env" .Values.extraEnv) $common) | fromYamlArray) -}}
{{- range $key, $own := .Values.deployments -}}
{{- $problems = concat $problems (include "plinth.envProblems" (merge (dict "at" (printf "deployments.%s.extraEnv" $key) "env" $own.extraEnv) $common) | fromYamlArray) -}}
{{- end -}}
{{- $problems = concat $problems (include "plinth.envProblems" (merge (dict "at" "mockProvisioner.extraEnv" "env" .Values.mockProvisioner.extraEnv) $common) | fromYamlArray) -}}
{{- $deployments := include "plinth.deployments" . | fromYaml -}}
{{- if not $deployments -}}
{{- $problems = append $problems "No deployment is enabled. Enable one of deployments." -}}
{{- end -}}
{{- $graceMs := dig "shutdownGraceMs" 8000 $settings.server | int -}}
{{- range $component, $deployment := $deployments -}}
{{- $needed := add $deployment.preStopSeconds (ceil (divf $graceMs 1000)) 4 | int -}}
{{- if lt (int $deployment.terminationGracePeriodSeconds) $needed -}}
{{- $problems = append $problems (printf "The pods of %s would be killed while they stop: terminationGracePeriodSeconds is %d and has to be %d at least (preStopSeconds, server.shutdownGraceMs and 4 s)." $component (int $deployment.terminationGracePeriodSeconds) $needed) -}}
{{- end -}}
{{- with $deployment.autoscaling -}}
{{- if .enabled -}}
{{- if and (not .cpuPercent) (not .queue.metric) -}}
{{- $problems = append $problems (printf "The autoscaling of %s has nothing to scale by. Give cpuPercent or queue.metric." $component) -}}
{{- end -}}
{{- if gt (int .minReplicas) (int .maxReplicas) -}}
{{- $problems = append $problems (printf "The autoscaling of %s has minReplicas %d above maxReplicas %d." $component (int .minReplicas) (int .maxReplicas)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if .Values.deployments.dataLayer.enabled -}}
{{- $problems = concat $problems (include "plinth.sourceProblems" . | fromYamlArray) -}}
{{- end -}}
{{- if $problems -}}
{{- fail (printf "\n\n%s\n" (join "\n" $problems)) -}}
{{- end -}}
{{- end -}}
