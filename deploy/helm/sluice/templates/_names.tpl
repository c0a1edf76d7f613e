{{- define "sluice.name" -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "sluice.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "sluice.labels" -}}
{{ include "sluice.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* The variable that names the file of a key of the secret. */}}
{{- define "sluice.variable" -}}
{{- get (dict "database-url" "DATABASE_URL_FILE" "master-key" "SERVICE_MASTER_KEY_FILE" "chat-api-key" "UPSTREAM_CHAT_API_KEY_FILE" "messages-api-key" "UPSTREAM_MESSAGES_API_KEY_FILE") . -}}
{{- end -}}
