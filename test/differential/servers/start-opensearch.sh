#!/usr/bin/env bash
# Fetches, configures and starts an OpenSearch with Painless, the common
# analysis components and reindex: a second reference next to Elasticsearch.
#
#   start-opensearch.sh [DIR] [PORT]        start (default port 9220)
#   start-opensearch.sh stop [DIR] [PORT]   stop
#
# DIR lies outside the repository. The data of a port is wiped on every start.
set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/launch.sh"

VERSION=${ORACLE_OS_VERSION:-2.19.6}
HEAP=${ORACLE_HEAP:-1g}

ACTION=start
case "${1:-}" in stop | start) ACTION=$1; shift ;; -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
DIR=${1:-$(default_dir opensearch-oracle)}
PORT=${2:-9220}
mkdir -p "$DIR"
DIR=$(readlink -f "$DIR")
HOME_DIR=$DIR/opensearch-$VERSION
NODE=$DIR/node-$PORT
URL=http://127.0.0.1:$PORT

if [ "$ACTION" = stop ]; then stop_node "$NODE"; exit 0; fi
if [ -f "$NODE/pid" ] && kill -0 "$(cat "$NODE/pid")" 2>/dev/null; then
  echo "already running: pid $(cat "$NODE/pid") at $URL"
  exit 0
fi

need curl
need unzip
require_java_17
ensure_user

# The bare distribution holds no modules but the network layer. A module is a
# folder with its jars, a descriptor and, where it needs one, a policy.
add_module() { # ARTIFACT NAME CLASS EXTENDS POLICY
  local fetched="$DIR/download/$1" module="$HOME_DIR/modules/$2" jar stem
  [ -f "$module/plugin-descriptor.properties" ] && return 0
  maven_copy_tree org.opensearch.plugin "$1" "$VERSION" "$fetched"
  mkdir -p "$module"
  for jar in "$fetched"/*.jar; do
    # The server brings its own libraries; a second copy would clash with them.
    stem=$(basename "$jar" | sed -E 's/-[0-9][^-]*(-[0-9]+)?\.jar$//')
    if compgen -G "$HOME_DIR/lib/$stem-[0-9]*.jar" >/dev/null; then continue; fi
    cp "$jar" "$module/"
  done
  if [ -n "$5" ]; then printf 'grant {\n%s\n};\n' "$5" >"$module/plugin-security.policy"; fi
  cat >"$module/plugin-descriptor.properties" <<PROPS
name=$2
description=$2
version=$VERSION
opensearch.version=$VERSION
java.version=11
classname=$3
extended.plugins=$4
has.native.controller=false
PROPS
}

if [ ! -x "$HOME_DIR/bin/opensearch" ]; then
  maven_copy "org.opensearch.distribution.integ-test-zip:opensearch:$VERSION:zip" "$DIR/download"
  unzip -q -o "$DIR/download/opensearch-$VERSION.zip" -d "$DIR"
fi
add_module lang-painless lang-painless org.opensearch.painless.PainlessPlugin "" \
  '  permission java.lang.RuntimePermission "createClassLoader";
  permission java.lang.RuntimePermission "getClassLoader";'
add_module analysis-common analysis-common org.opensearch.analysis.common.CommonAnalysisPlugin lang-painless ""
add_module reindex-client reindex org.opensearch.index.reindex.ReindexPlugin "" \
  '  permission java.net.SocketPermission "*", "connect";
  permission java.net.NetPermission "getProxySelector";'

rm -rf "$NODE"
# ORACLE_DATA may name a folder in memory: creating indices is then several times faster.
DATA=${ORACLE_DATA:+$ORACLE_DATA/node-$PORT}
DATA=${DATA:-$NODE/data}
rm -rf "$DATA"
mkdir -p "$DATA" "$NODE/logs"
cp -r "$HOME_DIR/config" "$NODE/config"
cat >"$NODE/config/opensearch.yml" <<YML
cluster.name: reference-$PORT
node.name: reference-$PORT
path.data: $DATA
path.logs: $NODE/logs
network.host: 127.0.0.1
http.port: $PORT
transport.port: $((PORT + 10000 > 65000 ? PORT - 1000 : PORT + 10000))
discovery.type: single-node
cluster.routing.allocation.disk.threshold_enabled: false
action.destructive_requires_name: false
YML
own "$HOME_DIR"
own "$NODE"
own "$DATA"
as_service test -x "$HOME_DIR/bin/opensearch" \
  || die "the account that runs the server cannot reach $DIR; choose another DIR"

(cd "$NODE" && as_service setsid env OPENSEARCH_PATH_CONF="$NODE/config" OPENSEARCH_JAVA_HOME="$(java_home)" \
  OPENSEARCH_JAVA_OPTS="-Xms$HEAP -Xmx$HEAP" OPENSEARCH_TMPDIR="$NODE/logs" \
  "$HOME_DIR/bin/opensearch" -d -p "$NODE/pid" >"$NODE/logs/start.log" 2>&1 </dev/null) \
  || { tail -n 30 "$NODE/logs/start.log" >&2; die "the server did not start"; }
for _ in $(seq 1 60); do [ -f "$NODE/pid" ] && break; sleep 0.5; done
PID=$(cat "$NODE/pid")
wait_until_up "$URL" "$PID" "$NODE/logs/reference-$PORT.log"
echo "pid $PID"
echo "url $URL"
