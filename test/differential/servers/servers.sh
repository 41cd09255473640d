#!/usr/bin/env bash
# Starts, or stops, the servers that answers are compared with: Elasticsearch (port 9210) and OpenSearch with Painless (port 9220).
#
#   npm run servers -- [start|stop]
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
action=${1:-start}
case "$action" in start | stop) ;; *) sed -n '2,4s/^# \{0,1\}//p' "$0"; exit 2 ;; esac
"$here/start-elasticsearch.sh" "$action"
"$here/start-opensearch.sh" "$action"
