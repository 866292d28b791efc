{{/* A text block in the place of an array of variables, as that array; empty where it can't be told what it means. */}}
{{- define "plinth.convertedEnv" -}}
{{- $array := fromYamlArray . -}}
{{- $map := fromYaml . -}}
{{- $lines := list -}}
{{- $odd := false -}}
{{- range splitList "\n" . -}}
{{- $line := trim . -}}
{{- if and $line (not (hasPrefix "#" $line)) -}}
{{- if regexMatch "^[A-Za-z_][A-Za-z0-9_]*=" $line -}}
{{- $lines = append $lines (dict "name" (regexFind "^[^=]+" $line) "value" (regexReplaceAll "^[^=]+=" $line "" | trimAll "\"")) -}}
{{- else -}}
{{- $odd = true -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $array (kindIs "map" (first $array)) -}}
{{- toYaml $array -}}
{{- else if and $lines (not $odd) -}}
{{- toYaml $lines -}}
{{- else if and $map (not (hasKey $map "Error")) -}}
{{- $entries := list -}}
{{- range $name, $value := $map -}}
{{- $entries = append $entries (ternary (dict "name" $name "valueFrom" $value) (dict "name" $name "value" (toString $value)) (kindIs "map" $value)) -}}
{{- end -}}
{{- toYaml $entries -}}
{{- end -}}
{{- end -}}

{{/* What is wrong with an array of variables, as YAML. Takes {root, at, env, made}; `made` has the names that the chart sets itself. */}}
{{- define "plinth.envProblems" -}}
{{- $problems := list -}}
{{- if kindIs "string" .env -}}
{{- $converted := include "plinth.convertedEnv" .env -}}
{{- $shown := default "- name: NAME\n  value: text" $converted -}}
{{- $problems = append $problems (printf "%s is a text block. Since release 2.2.0 it is an array of name and value; write:\n\n%s:\n%s\n" .at (last (splitList "." .at)) (indent 2 $shown)) -}}
{{- else -}}
{{- $names := list -}}
{{- range .env -}}
{{- if has .name $names -}}
{{- $problems = append $problems (printf "%s names %s twice. Remove one of them." $.at .name) -}}
{{- end -}}
{{- $names = append $names .name -}}
{{- if has .name (list "PLINTH_SERVER_HOST" "PLINTH_SERVER_PORT" "PLINTH_DATA_DIR" "PLINTH_SERVER_WORKERS_LISTEN") -}}
{{- $problems = append $problems (printf "%s names %s, which the chart sets: its probes, ports and volumes rely on it. Remove it." $.at .name) -}}
{{- end -}}
{{- end -}}
{{- range .root.Files.Get "files/old-variables.json" | fromJsonArray -}}
{{- if has .old $names -}}
{{- $isAlone := true -}}
{{- range .now -}}{{- if or (has . $names) (has . $.made) -}}{{- $isAlone = false -}}{{- end -}}{{- end -}}
{{- if or $isAlone (eq .beside "error") -}}
{{- $problems = append $problems (printf "%s has %s, which is no longer read. Set %s instead." $.at .old .instead) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $problems -}}
{{- end -}}

{{/* One variable from a secret. Takes {name, secret, key}. */}}
{{- define "plinth.envFromSecret" -}}
- name: {{ .name | quote }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret | quote }}
      key: {{ .key | quote }}
{{- end -}}

{{/* Takes the place in `installationKey.formerSecrets`. The configuration names it, since a list has no variable of its own. */}}
{{- define "plinth.formerKeyVariable" -}}
INSTALLATION_KEY_FORMER_{{ add1 . }}
{{- end -}}

{{- define "plinth.adapterSecretEnv" -}}
{{- $lines := list -}}
{{- with .Values.adapterSecret -}}
{{- if .secret.name -}}
{{- $lines = append $lines (include "plinth.envFromSecret" (dict "name" "CORE_BACKEND_PLUGIN_AUTH_SECRET" "secret" .secret.name "key" .secret.key)) -}}
{{- end -}}
{{- if .formerSecret.name -}}
{{- $lines = append $lines (include "plinth.envFromSecret" (dict "name" "CORE_BACKEND_PLUGIN_AUTH_FORMER_SECRET" "secret" .formerSecret.name "key" .formerSecret.key)) -}}
{{- end -}}
{{- end -}}
{{- join "\n" $lines -}}
{{- end -}}

{{/* Variables of one database. Takes {owner, of}. */}}
{{- define "plinth.databaseEnv" -}}
{{- $owner := .owner -}}
{{- with .of -}}
{{- if .host }}
- name: {{ $owner }}_DB_HOST
  value: {{ .host | quote }}
{{- end }}
{{- if .port }}
- name: {{ $owner }}_DB_PORT
  value: {{ .port | quote }}
{{- end }}
{{- if .secret.name }}
{{ include "plinth.envFromSecret" (dict "name" (printf "%s_DB_USERNAME" $owner) "secret" .secret.name "key" .secret.usernameKey) }}
{{ include "plinth.envFromSecret" (dict "name" (printf "%s_DB_PASSWORD" $owner) "secret" .secret.name "key" .secret.passwordKey) }}
{{- end }}
{{- if .dbname }}
- name: {{ $owner }}_DB_DBNAME
  value: {{ .dbname | quote }}
{{- end }}
{{- if .schema }}
- name: {{ $owner }}_DB_SCHEMA
  value: {{ .schema | quote }}
{{- end }}
{{- if .newSchema }}
- name: {{ $owner }}_DB_NEW_SCHEMA
  value: {{ .newSchema | quote }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* What the chart sets itself for one deployment. Takes {root, deployment}. */}}
{{- define "plinth.madeEnv" -}}
{{- $root := .root -}}
{{- $server := get (include "plinth.settings" $root | fromYaml) "server" -}}
- name: NODE_ENV
  value: production
- name: PLINTH_SERVER_HOST
  value: 0.0.0.0
- name: PLINTH_SERVER_PORT
  value: "7007"
- name: PLINTH_DATA_DIR
  value: /var/lib/plinth
{{- if eq .deployment.workers "only" }}
- name: PLINTH_SERVER_WORKERS_LISTEN
  value: "true"
{{- end }}
{{- with $root.Values.ingress }}
{{- if .enabled }}
{{- if not (hasKey $server "baseUrl") }}
- name: PLINTH_SERVER_BASE_URL
  value: {{ printf "%s://%s" (ternary "https" "http" (ne .tls.secretName "")) .host }}
{{- end }}
{{- if not (hasKey $server "trustProxy") }}
- name: PLINTH_SERVER_TRUST_PROXY
  value: "true"
{{- end }}
{{- end }}
{{- end }}
{{- with $root.Values.database }}
{{- include "plinth.databaseEnv" (dict "owner" "PLATFORM" "of" (pick . "host" "port" "secret")) }}
{{- include "plinth.databaseEnv" (dict "owner" "COORDINATOR" "of" .coordinator) }}
{{- include "plinth.databaseEnv" (dict "owner" "CGP" "of" .governance) }}
{{- end }}
{{- with $root.Values.installationKey.secret }}
{{ include "plinth.envFromSecret" (dict "name" "PLINTH_MESH_BUILDER_INSTANTIATIONS_SECRET_KEY" "secret" .name "key" .key) }}
{{- end }}
{{- range $index, $former := $root.Values.installationKey.formerSecrets }}
{{ include "plinth.envFromSecret" (dict "name" (include "plinth.formerKeyVariable" $index) "secret" $former.name "key" $former.key) }}
{{- end }}
{{- with include "plinth.adapterSecretEnv" $root }}
{{ . }}
{{- end }}
{{- if has "data-layer" .deployment.areas }}
{{- with include "plinth.sourcesEnv" $root }}
{{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Lists of variables as one; of a name that several have, the last list's counts. Takes {lists}. */}}
{{- define "plinth.mergedEnv" -}}
{{- $later := list -}}
{{- $env := list -}}
{{- range $list := reverse .lists -}}
{{- $own := list -}}
{{- range $list -}}{{- if not (has .name $later) -}}{{- $own = append $own . -}}{{- end -}}{{- end -}}
{{- range $own -}}{{- $later = append $later .name -}}{{- end -}}
{{- $env = concat $own $env -}}
{{- end -}}
{{- toYaml $env -}}
{{- end -}}

{{- define "plinth.namesOf" -}}
{{- $names := list -}}
{{- range . -}}{{- $names = append $names .name -}}{{- end -}}
{{- toYaml $names -}}
{{- end -}}
