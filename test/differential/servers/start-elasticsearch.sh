#!/usr/bin/env bash
# Fetches, configures and starts the Elasticsearch that serves as oracle.
#
#   start-elasticsearch.sh [DIR] [PORT]        start (default port 9210)
#   start-elasticsearch.sh stop [DIR] [PORT]   stop
#
# DIR lies outside the repository. Several ports may share one DIR: the server
# is unpacked once, every port gets its own config, data and logs. The data of
# a port is wiped on every start.
set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/launch.sh"

VERSION=${ORACLE_ES_VERSION:-8.19.21}
HEAP=${ORACLE_HEAP:-1g}

ACTION=start
case "${1:-}" in stop | start) ACTION=$1; shift ;; -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
DIR=${1:-$(default_dir elasticsearch-oracle)}
PORT=${2:-9210}
mkdir -p "$DIR"
DIR=$(readlink -f "$DIR")
HOME_DIR=$DIR/elasticsearch-$VERSION
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

if [ ! -x "$HOME_DIR/bin/elasticsearch" ]; then
  maven_copy "org.elasticsearch.distribution.integ-test-zip:elasticsearch:$VERSION:zip" "$DIR/download"
  unzip -q -o "$DIR/download/elasticsearch-$VERSION.zip" -d "$DIR"
fi

rm -rf "$NODE"
# ORACLE_DATA may name a folder in memory: creating indices is then several times faster.
DATA=${ORACLE_DATA:+$ORACLE_DATA/node-$PORT}
DATA=${DATA:-$NODE/data}
rm -rf "$DATA"
mkdir -p "$DATA" "$NODE/logs"
cp -r "$HOME_DIR/config" "$NODE/config"
cat >"$NODE/config/elasticsearch.yml" <<YML
cluster.name: oracle-$PORT
node.name: oracle-$PORT
path.data: $DATA
path.logs: $NODE/logs
network.host: 127.0.0.1
http.port: $PORT
transport.port: $((PORT + 10000 > 65000 ? PORT - 1000 : PORT + 10000))
discovery.type: single-node
xpack.security.enabled: false
cluster.routing.allocation.disk.threshold_enabled: false
action.destructive_requires_name: false
YML
own "$HOME_DIR"
own "$NODE"
own "$DATA"
as_service test -x "$HOME_DIR/bin/elasticsearch" \
  || die "the account that runs the server cannot reach $DIR; choose another DIR"

# Detached, so that it outlives this script.
(cd "$NODE" && as_service setsid env ES_PATH_CONF="$NODE/config" ES_JAVA_HOME="$(java_home)" \
  ES_JAVA_OPTS="-Xms$HEAP -Xmx$HEAP" ES_TMPDIR="$NODE/logs" \
  "$HOME_DIR/bin/elasticsearch" -d -p "$NODE/pid" >"$NODE/logs/start.log" 2>&1 </dev/null) \
  || { tail -n 30 "$NODE/logs/start.log" >&2; die "the server did not start"; }
PID=$(cat "$NODE/pid")
wait_until_up "$URL" "$PID" "$NODE/logs/oracle-$PORT.log"
echo "pid $PID"
echo "url $URL"
