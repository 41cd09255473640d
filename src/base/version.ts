/** Our own version, and the versions of Elasticsearch, Logstash and Lucene that we implement. */
import { readFileSync } from 'node:fs'

/** The Elasticsearch version whose API this is. Clients read it to decide which requests to send. */
export const ELASTICSEARCH_VERSION = '8.19.21'
/** The Logstash whose monitoring API the pipeline tool has. Exporters and dashboards read it to decide which members to expect. */
export const LOGSTASH_VERSION = '8.19.9'
/** The Lucene of that version. Scores and norms are computed as it does. */
export const LUCENE_VERSION = '9.12.2'
/** Clients only check that a hash is present. It names no commit of Elasticsearch. */
export const BUILD_HASH = '5a9d01e7e45c4a0bb5a8f3c2d1e0f9a8b7c6d5e4'
export const BUILD_DATE = '2026-01-01T00:00:00.000000000Z'

/** Our own version. */
export function packageVersion(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
