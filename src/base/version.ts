/** Which version we are, and which one we speak. */
import { readFileSync } from 'node:fs'

/** The Elasticsearch whose API this is; clients read it to decide what they may send. */
export const ELASTICSEARCH_VERSION = '8.19.21'
/** The Lucene of that version; scores and norms are computed as it does. */
export const LUCENE_VERSION = '9.12.2'
/** Clients only check that it is there; it names no commit of Elasticsearch. */
export const BUILD_HASH = '5a9d01e7e45c4a0bb5a8f3c2d1e0f9a8b7c6d5e4'
export const BUILD_DATE = '2026-01-01T00:00:00.000000000Z'

/** Our own version. */
export function packageVersion(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
