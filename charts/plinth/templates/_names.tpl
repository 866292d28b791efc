{{- define "plinth.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "plinth.fullname" -}}
{{- $name := include "plinth.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The labels that choose pods of this release; `component` narrows them. Takes {root, component}. */}}
{{- define "plinth.selector" -}}
app.kubernetes.io/name: {{ include "plinth.name" .root | quote }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
{{- with .component }}
app.kubernetes.io/component: {{ . | quote }}
{{- end }}
{{- end -}}

{{- define "plinth.labels" -}}
{{ include "plinth.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | quote }}
{{- end -}}

{{/* The parts of `config` that the chart itself looks at; a part that is empty, missing or no map is an empty map. */}}
{{- define "plinth.settings" -}}
{{- $config := default (dict) .Values.config -}}
{{- $parts := dict -}}
{{- range list "server" "auth" "console" "coordinator" "governance" -}}
{{- $part := get $config . -}}
{{- $_ := set $parts . (ternary $part (dict) (kindIs "map" $part)) -}}
{{- end -}}
{{- toYaml $parts -}}
{{- end -}}

{{- define "plinth.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "plinth.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "plinth.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}
