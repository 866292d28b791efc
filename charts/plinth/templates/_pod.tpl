{{/* The parts of a pod that all deployments share. Takes {root, deployment, component}. */}}
{{- define "plinth.podSettings" -}}
{{- $root := .root -}}
{{- with $root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
serviceAccountName: {{ include "plinth.serviceAccount" $root | quote }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  {{- toYaml $root.Values.podSecurityContext | nindent 2 }}
{{- with .deployment }}
{{- with .priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if .topologySpreadConstraints }}
topologySpreadConstraints:
  {{- toYaml .topologySpreadConstraints | nindent 2 }}
{{- else if not .affinity }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "plinth.selector" (dict "root" $root "component" $.component) | nindent 8 }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "plinth.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: http }
  {{- toYaml .startup | nindent 2 }}
livenessProbe:
  httpGet: { path: /healthz, port: http }
  {{- toYaml .liveness | nindent 2 }}
readinessProbe:
  httpGet: { path: /readyz, port: http }
  {{- toYaml .readiness | nindent 2 }}
{{- end -}}
