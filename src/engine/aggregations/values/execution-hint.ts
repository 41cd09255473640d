/** `execution_hint`: how values are grouped. Only the name is checked here, and only for values that are texts or addresses. */
import { illegalArgument } from '../../../base/api-error.ts'
import { ACCEPTS_STRING, type MemberTable, type RequestReader } from '../../request/request-reader.ts'
import type { ValueSource } from './value-source.ts'

export const TERMS_HINTS: readonly string[] = ['map', 'global_ordinals']

export interface HintOption {
  hint: string | undefined
}

export function hintMember(reader: RequestReader, options: HintOption): MemberTable {
  return {
    execution_hint: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        options.hint = reader.text()
      },
    },
  }
}

/** Whether no document can have a value: the field is unmapped, and nothing takes its place. */
export const isUnmapped = ({ field, missing, ofDocument }: ValueSource) =>
  field === undefined && missing === undefined && ofDocument === undefined

export function checkHint(hint: string | undefined, source: ValueSource, known: readonly string[]): void {
  if (hint === undefined || known.includes(hint) || isUnmapped(source)) return
  if (source.type !== 'keyword' && source.type !== 'ip') return
  throw illegalArgument(`Unknown \`execution_hint\`: [${hint}], expected any of [${known.join(', ')}]`)
}
