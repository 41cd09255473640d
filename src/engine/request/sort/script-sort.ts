/** `_script`: a sort by the result of a script. */
import { illegalArgument } from '../../../base/api-error.ts'
import { requiredMember } from '../../../base/errors/query-errors.ts'
import type { Script } from '../../scripts/script.ts'
import type { QueryParser } from '../query-parser.ts'
import { ACCEPTS_OBJECT, ACCEPTS_STRING, type RequestReader } from '../request-reader.ts'
import { scriptMember } from '../script.ts'
import { type NestedSort, parseNestedSort } from './nested-sort.ts'
import { parseMode, parseOrder, type SortMode } from './sort-words.ts'

export interface ScriptSort {
  readonly kind: 'script'
  readonly script: Script
  readonly type: 'number' | 'string' | 'version'
  readonly descending: boolean
  readonly mode: SortMode | undefined
  readonly nested: NestedSort | undefined
}

export function parseScriptSort(reader: RequestReader, parseQuery: QueryParser): ScriptSort {
  let script: Script | undefined
  let type: ScriptSort['type'] | undefined
  let descending = false
  let mode: SortMode | undefined
  let nested: NestedSort | undefined
  reader.parseObject('_script', {
    script: scriptMember(reader, (given) => {
      script = given
    }),
    type: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        type = sortType(reader.text())
      },
    },
    order: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        descending = parseOrder(reader.text()) === 'desc'
      },
    },
    mode: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        mode = parseMode(reader.text())
      },
    },
    nested: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        nested = parseNestedSort(reader, parseQuery)
      },
    },
  })
  if (script === undefined && type === undefined) throw illegalArgument('Required [script, type]')
  if (script === undefined) throw requiredMember('script')
  if (type === undefined) throw illegalArgument('Required [type]')
  return { kind: 'script', script, type, descending, mode, nested }
}

function sortType(text: string): ScriptSort['type'] {
  const word = text.toLowerCase()
  if (word === 'number' || word === 'string' || word === 'version') return word
  throw illegalArgument(`Unknown ScriptSortType [${text}]`)
}
