{{- define "plinth.sourceVariable" -}}
ENGINE_GRAPHQL_{{ regexReplaceAll "[^A-Z0-9]" (upper .) "_" }}_DATABASE_URL
{{- end -}}

{{/* The data layer's sources that a secret has the address of; the others it computes from PLATFORM_DB_… itself. */}}
{{- define "plinth.sourcesEnv" -}}
{{- $lines := list -}}
{{- range concat .Values.dbs.sources (list (dict "name" "metadata" "secret" .Values.dbs.metadata.secret)) -}}
{{- $variable := include "plinth.sourceVariable" .name -}}
{{- with .secret -}}
{{- if .name -}}
{{- $lines = append $lines (include "plinth.envFromSecret" (dict "name" $variable "secret" .name "key" (default "url" .key))) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- join "\n" $lines -}}
{{- end -}}

{{- define "plinth.sourceProblems" -}}
{{- $problems := list -}}
{{- $seen := dict (include "plinth.sourceVariable" "metadata") "dbs.metadata" -}}
{{- range .Values.dbs.sources -}}
{{- $variable := include "plinth.sourceVariable" .name -}}
{{- if hasKey $seen $variable -}}
{{- $problems = append $problems (printf "dbs.sources: %s and %s both give %s. Rename one of them." (get $seen $variable) .name $variable) -}}
{{- end -}}
{{- $_ := set $seen $variable .name -}}
{{- if and (not .db) (not (dig "secret" "name" "" .)) (not (has (lower .name) (list "coordinator" "cgp" "marketplace"))) -}}
{{- $problems = append $problems (printf "dbs.sources: %s has neither db nor secret, and is not one of coordinator, cgp and marketplace. Give one of them." .name) -}}
{{- end -}}
{{- end -}}
{{- toYaml $problems -}}
{{- end -}}

{{/* The address of a source without user name and password, as the data layer finds it. Takes {root, source}. */}}
{{- define "plinth.sourceAddress" -}}
{{- $database := .root.Values.database -}}
{{- $coordinator := $database.coordinator -}}
{{- $governance := $database.governance -}}
{{- $own := dict
  "coordinator" $coordinator
  "marketplace" $coordinator
  "metadata" $coordinator
  "cgp" (dict "host" $governance.host "port" $governance.port "dbname" (default $coordinator.dbname $governance.dbname)) -}}
{{- $service := default (dict) (get $own (lower .source.name)) -}}
{{- $host := default $database.host $service.host -}}
{{- $port := default $database.port $service.port | int -}}
{{- $db := default $service.dbname .source.db -}}
{{- printf "postgres://%s:%d/%s" (ternary (printf "[%s]" $host) $host (contains ":" $host)) $port ($db | urlquery | replace "+" "%20") -}}
{{- end -}}

{{/* What the data layer reads besides the common configuration: names and databases, no addresses. */}}
{{- define "plinth.sourcesConfig" -}}
{{- $sources := list -}}
{{- range .Values.dbs.sources -}}
{{- $own := has (lower .name) (list "coordinator" "cgp" "marketplace") -}}
{{- $db := default (ternary "" .name $own) .db -}}
{{- $sources = append $sources (ternary (dict "name" .name "db" $db) (dict "name" .name) (ne $db "")) -}}
{{- end -}}
{{- toYaml (dict "dbs" (dict "sources" $sources)) -}}
{{- end -}}
