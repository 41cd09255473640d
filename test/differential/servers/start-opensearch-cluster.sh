#!/usr/bin/env bash
# Fetches, configures and starts an OpenSearch cluster of several nodes on this
# machine, loopback only: what stands behind a gateway, and what a node moves to.
# With the modules a usual installation has: Painless, mustache, reindex, common
# analysis, mapper extras, parent join, percolator, geo, ingest, matrix stats,
# rank evaluation. Data streams are part of the server.
#
#   start-opensearch-cluster.sh [DIR] [NODES] [PORT]   start (default 3 nodes from port 9231)
#   start-opensearch-cluster.sh stop [DIR]             stop all nodes, by their pids
#   start-opensearch-cluster.sh kill DIR PORT          kill -9 the node at a port
#   start-opensearch-cluster.sh again DIR PORT         start that node again, with its data
#
# DIR lies outside the repository. A start wipes the data of the cluster. Heap is
# 512 MB a node (ORACLE_HEAP). ORACLE_SETTINGS holds further lines for opensearch.yml.
set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/launch.sh"

VERSION=${ORACLE_OS_VERSION:-2.19.6}
HEAP=${ORACLE_HEAP:-512m}

ACTION=start
case "${1:-}" in
  stop | start | kill | again) ACTION=$1; shift ;;
  -h | --help) sed -n '2,15s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
DIR=${1:-$(default_dir opensearch-cluster)}
mkdir -p "$DIR"
DIR=$(readlink -f "$DIR")
HOME_DIR=$DIR/opensearch-$VERSION

pid_of() { cat "$DIR/node-$1/pid" 2>/dev/null || true; }
is_up() { local pid; pid=$(pid_of "$1"); [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null; }
ports() { for folder in "$DIR"/node-*; do [ -d "$folder" ] && echo "${folder##*/node-}"; done; return 0; }
transport_port() { echo $(($1 + 10000 > 65000 ? $1 - 1000 : $1 + 10000)); }

launch() { # PORT
  local node="$DIR/node-$1"
  rm -f "$node/pid"
  (cd "$node" && as_service setsid env OPENSEARCH_PATH_CONF="$node/config" OPENSEARCH_JAVA_HOME="$(java_home)" \
    OPENSEARCH_JAVA_OPTS="-Xms$HEAP -Xmx$HEAP" OPENSEARCH_TMPDIR="$node/tmp" \
    "$HOME_DIR/bin/opensearch" -d -p "$node/pid" >"$node/logs/start.log" 2>&1 </dev/null) \
    || { tail -n 30 "$node/logs/start.log" >&2; die "the node at port $1 did not start"; }
}

stop_all() {
  local port pid
  # All at once: a cluster that loses one node after the other only moves shards about.
  for port in $(ports); do if is_up "$port"; then kill "$(pid_of "$port")" 2>/dev/null || true; fi; done
  for port in $(ports); do
    pid=$(pid_of "$port")
    [ -n "$pid" ] || continue
    for _ in $(seq 1 60); do kill -0 "$pid" 2>/dev/null || break; sleep 0.5; done
    if kill -0 "$pid" 2>/dev/null; then kill -9 "$pid"; fi
    rm -f "$DIR/node-$port/pid"
    echo "stopped pid $pid (port $port)"
  done
}

case "$ACTION" in
  stop) stop_all; exit 0 ;;
  kill)
    is_up "${2:?PORT is missing}" || die "no node at port $2"
    PID=$(pid_of "$2"); kill -9 "$PID"; rm -f "$DIR/node-$2/pid"; echo "killed pid $PID (port $2)"; exit 0 ;;
  again)
    [ -d "$DIR/node-${2:?PORT is missing}" ] || die "there was no node at port $2"
    if is_up "$2"; then echo "already running: pid $(pid_of "$2")"; exit 0; fi
    launch "$2"
    for _ in $(seq 1 120); do [ -f "$DIR/node-$2/pid" ] && break; sleep 0.5; done
    wait_until_up "http://127.0.0.1:$2" "$(pid_of "$2")" "$DIR/node-$2/logs/$(basename "$DIR").log"
    echo "pid $(pid_of "$2")"; echo "url http://127.0.0.1:$2"; exit 0 ;;
esac

NODES=${2:-3}
FIRST=${3:-9231}
for port in $(ports); do if is_up "$port"; then die "still running at port $port; stop it first"; fi; done

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
    # The server, and the module this one extends, bring their own libraries; a second copy would clash with them.
    stem=$(basename "$jar" | sed -E 's/-[0-9][^-]*(-[0-9]+)?\.jar$//')
    if compgen -G "$HOME_DIR/lib/$stem-[0-9]*.jar" >/dev/null; then continue; fi
    if [ -n "$4" ] && compgen -G "$HOME_DIR/modules/$4/$stem-[0-9]*.jar" >/dev/null; then continue; fi
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
LOADS_CLASSES='  permission java.lang.RuntimePermission "createClassLoader";
  permission java.lang.RuntimePermission "getClassLoader";'
REFLECTS='  permission java.lang.reflect.ReflectPermission "suppressAccessChecks";
  permission java.lang.RuntimePermission "accessDeclaredMembers";'
CONNECTS='  permission java.net.SocketPermission "*", "connect";
  permission java.net.NetPermission "getProxySelector";'
add_module lang-painless lang-painless org.opensearch.painless.PainlessPlugin "" "$LOADS_CLASSES"
add_module analysis-common analysis-common org.opensearch.analysis.common.CommonAnalysisPlugin lang-painless ""
add_module reindex-client reindex org.opensearch.index.reindex.ReindexPlugin "" "$CONNECTS"
add_module mapper-extras-client mapper-extras org.opensearch.index.mapper.MapperExtrasPlugin "" ""
add_module parent-join-client parent-join org.opensearch.join.ParentJoinPlugin "" ""
add_module percolator-client percolator org.opensearch.percolator.PercolatorPlugin "" ""
add_module lang-mustache-client lang-mustache org.opensearch.script.mustache.MustachePlugin "" "$REFLECTS"
add_module aggs-matrix-stats-client aggs-matrix-stats org.opensearch.search.aggregations.matrix.MatrixAggregationPlugin "" ""
add_module rank-eval-client rank-eval org.opensearch.index.rankeval.RankEvalPlugin "" ""
add_module geo geo org.opensearch.geo.GeoModulePlugin "" ""
add_module ingest-common ingest-common org.opensearch.ingest.common.IngestCommonPlugin lang-painless ""

PORTS=$(seq "$FIRST" $((FIRST + NODES - 1)))
SEEDS=$(for port in $PORTS; do printf '"127.0.0.1:%s",' "$(transport_port "$port")"; done)
NAMES=$(for port in $PORTS; do printf '"node-%s",' "$port"; done)
rm -rf "$DIR"/node-*
for port in $PORTS; do
  node=$DIR/node-$port
  data=${ORACLE_DATA:+$ORACLE_DATA/node-$port}
  data=${data:-$node/data}
  rm -rf "$data"
  mkdir -p "$data" "$node/logs" "$node/tmp"
  cp -r "$HOME_DIR/config" "$node/config"
  cat >"$node/config/opensearch.yml" <<YML
cluster.name: $(basename "$DIR")
node.name: node-$port
path.data: $data
path.logs: $node/logs
network.host: 127.0.0.1
http.port: $port
transport.port: $(transport_port "$port")
discovery.seed_hosts: [${SEEDS%,}]
cluster.initial_cluster_manager_nodes: [${NAMES%,}]
cluster.routing.allocation.disk.threshold_enabled: false
action.destructive_requires_name: false
${ORACLE_SETTINGS:-}
YML
  own "$node"
  own "$data"
done
own "$HOME_DIR"
as_service test -x "$HOME_DIR/bin/opensearch" \
  || die "the account that runs the server cannot reach $DIR; choose another DIR"

for port in $PORTS; do launch "$port" & done
wait
for port in $PORTS; do
  for _ in $(seq 1 120); do [ -f "$DIR/node-$port/pid" ] && break; sleep 0.5; done
  wait_until_up "http://127.0.0.1:$port" "$(pid_of "$port")" "$DIR/node-$port/logs/$(basename "$DIR").log"
done
curl -fs -o /dev/null "http://127.0.0.1:$FIRST/_cluster/health?wait_for_nodes=$NODES&timeout=60s" \
  || die "the nodes did not find each other"
for port in $PORTS; do echo "pid $(pid_of "$port") url http://127.0.0.1:$port"; done
