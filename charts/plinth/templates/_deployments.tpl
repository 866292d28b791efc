{{/*
The deployments that the values ask for, as YAML: component -> its values with the defaults filled in, the areas that it serves
and its use of workers.
*/}}
{{- define "plinth.deployments" -}}
{{- $values := .Values -}}
{{- $served := list "builder" "assistant" "coordinator" "governance" -}}
{{- if .Values.deployments.dataLayer.enabled -}}{{- $served = append $served "data-layer" -}}{{- end -}}
{{- $keys := ternary (list "builder" "assistant" "coordinator" "governance" "dataLayer") (list "single") (eq .Values.layout "areas") -}}
{{- $found := dict -}}
{{- range $key := concat $keys (list "worker") -}}
{{- $own := index $values.deployments $key -}}
{{- if $own.enabled -}}
{{- $all := mergeOverwrite (deepCopy $values.defaults) (deepCopy $own) -}}
{{- $areas := list (kebabcase $key) -}}
{{- $workers := "off" -}}
{{- if eq $key "single" -}}
{{- $areas = $served -}}
{{- $workers = ternary "off" "on" $values.deployments.worker.enabled -}}
{{- else if eq $key "worker" -}}
{{- $areas = list -}}
{{- $workers = "only" -}}
{{- end -}}
{{- $_ := set $found (kebabcase $key) (mergeOverwrite $all (dict "key" $key "areas" $areas "workers" $workers)) -}}
{{- end -}}
{{- end -}}
{{- toYaml $found -}}
{{- end -}}

{{/* The claim with the repositories, where a deployment serves the builder or runs its tasks. Takes {root, deployment}. */}}
{{- define "plinth.repositoriesClaim" -}}
{{- if or (has "builder" .deployment.areas) (ne .deployment.workers "off") -}}
{{- .root.Values.repositories.existingClaim -}}
{{- end -}}
{{- end -}}

{{/* The component whose service has an area's paths; empty where none is deployed. Takes {root, area}. */}}
{{- define "plinth.componentOf" -}}
{{- $found := "" -}}
{{- range $component, $deployment := include "plinth.deployments" .root | fromYaml -}}
{{- if has $.area $deployment.areas -}}{{- $found = $component -}}{{- end -}}
{{- end -}}
{{- $found -}}
{{- end -}}
