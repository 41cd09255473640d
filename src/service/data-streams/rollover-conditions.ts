/** The body of a rollover request: conditions, and the definition of the new index. */
import { illegalArgument, validationFailed } from '../../base/api-error.ts'
import { parseByteSize } from '../../base/byte-size.ts'
import { parseDuration } from '../../base/duration.ts'
import { DECIMAL, INTEGER, NULL, START_OBJECT, STRING } from '../../base/json/json-reader.ts'
import { type MemberParser, RequestReader } from '../../engine/request/request-reader.ts'
import { parseAliases } from '../definitions/alias-parser.ts'
import {
  EMPTY_DEFINITION,
  type IndexDefinition,
  nullSettings,
  parseSettings,
} from '../definitions/create-index-request.ts'
import type { JsonObject } from '../metadata/metadata.ts'

export interface Condition {
  /** The condition in the response: `max_docs: 5`. */
  readonly shown: string
  readonly atLeast: boolean
  isMet(facts: RolloverFacts): boolean
}

export interface RolloverFacts {
  readonly ageMs: number
  readonly docs: number
  readonly bytes: number
  readonly largestShardBytes: number
  readonly largestShardDocs: number
}

export interface RolloverRequest {
  readonly conditions: readonly Condition[]
  readonly definition: IndexDefinition
}

const MEASURES: Readonly<Record<string, (facts: RolloverFacts) => number>> = {
  age: (facts) => facts.ageMs,
  docs: (facts) => facts.docs,
  size: (facts) => facts.bytes,
  primary_shard_size: (facts) => facts.largestShardBytes,
  primary_shard_docs: (facts) => facts.largestShardDocs,
}

export function parseRollover(body: Uint8Array): RolloverRequest {
  if (body.length === 0) return { conditions: [], definition: EMPTY_DEFINITION }
  const reader = new RequestReader(body)
  const conditions: Condition[] = []
  let { settings, mappings, aliases } = EMPTY_DEFINITION
  let unset: readonly string[] = []
  const object = (parse: () => void): MemberParser => ({ accepts: [START_OBJECT], parse })
  reader.parseObject('rollover', {
    conditions: object(() => reader.parseObject('rollover_conditions', conditionParsers(reader, conditions))),
    settings: object(() => {
      const given = reader.value()
      settings = parseSettings(given)
      unset = nullSettings(given)
    }),
    mappings: object(() => {
      mappings = reader.value() as JsonObject
      if (Object.keys(mappings).length === 1 && mappings['_doc'] !== undefined) {
        throw illegalArgument('The mapping definition cannot be nested under a type')
      }
    }),
    aliases: object(() => {
      aliases = parseAliases(reader.value() as JsonObject)
    }),
  })
  if (conditions.length > 0 && conditions.every(({ atLeast }) => atLeast)) {
    throw validationFailed('at least one max_* rollover condition must be set when using min_* conditions')
  }
  return { conditions, definition: { settings, unset, mappings, aliases } }
}

function conditionParsers(reader: RequestReader, found: Condition[]): Record<string, MemberParser> {
  const parsers: Record<string, MemberParser> = {}
  for (const [measure, value] of Object.entries(MEASURES)) {
    for (const bound of ['max', 'min'] as const) {
      const name = `${bound}_${measure}`
      const isCount = measure.endsWith('docs')
      parsers[name] = {
        accepts: isCount ? [INTEGER, DECIMAL, STRING] : [STRING, NULL],
        parse: () => {
          const text = isCount ? String(reader.long()) : reader.text()
          const limit = isCount
            ? Number(text)
            : measure === 'age'
              ? parseDuration(text, name)
              : parseByteSize(text, name)
          found.push({
            shown: `${name}: ${text}`,
            atLeast: bound === 'min',
            isMet: (facts) => value(facts) >= limit,
          })
        },
      }
    }
  }
  return parsers
}
