/** `_script`: a sort by the result of a script. */
import { type ApiError, illegalArgument } from '../../../base/api-error.ts'
import { requiredMember } from '../../../base/errors/query-errors.ts'
import type { Script } from '../../scripts/script.ts'
import type { QueryParser } from '../query-parser.ts'
import { ACCEPTS_OBJECT, ACCEPTS_STRING, type RequestReader } from '../request-reader.ts'
import { scriptMember } from '../script.ts'
import { type NestedSort, parseNestedSort } from './nested-sort.ts'
import { parseMode, parseOrder, type SortMode } from './sort-options.ts'

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
  let modeOffset = 0
  // Elasticsearch checks the mode when it knows the type and the script, whatever the order of the members.
  const checkEarlierMode = () => {
    if (script === undefined || type === undefined || mode === undefined) return
    const cause = wrongMode(type, mode)
    if (cause === undefined) return
    const failed = reader.contentError('[_script] failed to parse field [mode]', cause, modeOffset)
    throw reader.contentError('failed to build [_script] after last required field arrived', failed, modeOffset)
  }
  reader.parseObject('_script', {
    script: scriptMember(reader, (given) => {
      script = given
      checkEarlierMode()
    }),
    type: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        type = sortType(reader.text())
        checkEarlierMode()
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
        modeOffset = reader.tokenOffset
        const cause = script === undefined || type === undefined ? undefined : wrongMode(type, mode)
        if (cause !== undefined) throw cause
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

/** Texts have no sum, average or median. */
function wrongMode(type: ScriptSort['type'], mode: SortMode): ApiError | undefined {
  if (type !== 'string' || mode === 'min' || mode === 'max') return undefined
  return illegalArgument(`script sort of type [string] doesn't support mode [${mode}]`)
}

function sortType(text: string): ScriptSort['type'] {
  const word = text.toLowerCase()
  if (word === 'number' || word === 'string' || word === 'version') return word
  throw illegalArgument(`Unknown ScriptSortType [${text}]`)
}
