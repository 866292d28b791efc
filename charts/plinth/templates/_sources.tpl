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
{{- if and (not .db) (not (dig "secret" "name" "" .)) -}}
{{- $problems = append $problems (printf "dbs.sources: %s has neither db nor secret. Give one of them." .name) -}}
{{- end -}}
{{- end -}}
{{- toYaml $problems -}}
{{- end -}}
