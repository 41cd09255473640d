/**
 * Parses user agent strings into program, operating system and device with the patterns of uap-core, which Elasticsearch and
 * Logstash use too. The patterns are a package of their own and are read when the first user agent is parsed.
 */
import { createRequire } from 'node:module'
import { patternFile } from './pattern-file.ts'

export interface Versioned {
  readonly name: string
  /** Major, minor, patch and so on, as far as known. */
  readonly version: readonly string[]
}

export interface UserAgent extends Versioned {
  readonly os: Versioned
  readonly device: string
}

let parser: ((text: string) => UserAgent) | undefined

export function parseUserAgent(text: string): UserAgent {
  parser ??= patternFile(createRequire(import.meta.url).resolve('uap-core/regexes.yaml'))
  return parser(text)
}
