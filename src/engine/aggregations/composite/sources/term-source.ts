/** Terms of keywords and addresses: their codes are the global ordinals of the shard. */
import { illegalArgument } from '../../../../base/api-error.ts'
import { murmur3 } from '../../../../base/murmur3.ts'
import { storageName } from '../../../mapping/storage-name.ts'
import type { SearchExecutionContext } from '../../../scoring/query.ts'
import { computedField } from '../../../segment/doc-values/computed-field.ts'
import { javaSimpleClass } from '../../../values/java-text.ts'
import { termPrinter } from '../../terms/terms-result.ts'
import { globalOrdinals } from '../../values/global-ordinals.ts'
import type { ValueSource } from '../../values/value-source.ts'
import type { BoundSource } from '../bound-source.ts'
import { printIp, printTerm } from '../key-value.ts'
import type { CompositeSource } from '../source-settings.ts'
import { CONSTANT_CODE, OrdinalCodes } from './code-readers.ts'

export function termSource(shard: SearchExecutionContext, settings: CompositeSource, source: ValueSource): BoundSource {
  const name = storageName(source.field) ?? ''
  const ordinals = globalOrdinals(shard.view, name)
  const isIp = source.type === 'ip'
  const mapped = source.field !== undefined
  return {
    settings,
    source,
    print: isIp ? printIp : printTerm(termPrinter(source.field)),
    codes: (view) => {
      const docValues = mapped ? view.reader.sortedSetDocValues(name) : undefined
      return docValues === undefined ? undefined : new OrdinalCodes(docValues, ordinals.ofSegment(view))
    },
    value: (code) => ordinals.term(code),
    position: (after) => {
      // Nothing compares with an unmapped field, so any value is accepted.
      if (!mapped) return 0
      if (typeof after !== 'string') throw notAString(after)
      const found = ordinals.find(source.field!.parseDocValue?.(after) ?? Buffer.from(after))
      return found >= 0 ? found : -found - 1.5
    },
    hash: (code) => {
      const term = ordinals.term(code)
      return murmur3(term, 0, term.length, 0)
    },
    // Computed terms list their documents, too.
    order: mapped && (source.field!.indexed || isComputed(name)) ? { by: 'terms', field: name } : undefined,
  }
}

const isComputed = (name: string): boolean => computedField(name) !== undefined

/** All documents have the same term: the name of their index. */
export function constantSource(settings: CompositeSource, source: ValueSource): BoundSource {
  const term = Buffer.from(String(source.missing))
  return {
    settings,
    source,
    print: printTerm(termPrinter(undefined)),
    codes: () => CONSTANT_CODE,
    value: () => term,
    position: (after) => {
      if (typeof after !== 'string') throw notAString(after)
      return Math.sign(Buffer.compare(Buffer.from(after), term)) / 2
    },
    hash: () => murmur3(term, 0, term.length, 0),
    order: undefined,
  }
}

const notAString = (value: unknown) => illegalArgument(`invalid value, expected string, got ${javaSimpleClass(value)}`)
