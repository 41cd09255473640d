/**
 * Queries over runtime fields as Elasticsearch names and explains them. They read values that are computed, not an index, so
 * that they have other texts than those over mapped fields, and any of them may match nested objects.
 */
import { formatDouble } from '../../../base/json/json-writer.ts'
import { withShownNames } from '../../document/derived-doc-values.ts'
import { hasFractions, type ValueFamily } from '../../mapping/field-traits.ts'
import type { FieldType, IndexValue } from '../../mapping/field-type.ts'
import { explained, notMatched, scoreOfDocument, withScore } from '../../scoring/explanation.ts'
import type { Weight } from '../../scoring/query.ts'
import { formatIp } from '../../values/ip.ts'
import { termText } from './term-text.ts'

/** Elasticsearch's names of the values of runtime fields; those of dates are longs. */
const VALUES: Partial<Record<ValueFamily, string>> = {
  boolean: 'Boolean',
  geo: 'GeoPoint',
  ip: 'Ip',
  keyword: 'String',
}

/** The name of the query's class, where `kind` is `Term`, `Terms`, `Range`, `Exists` or `GeoShape`. */
export const runtimeQueryName = ({ traits }: FieldType, kind: string) =>
  `${VALUES[traits.family] ?? (hasFractions(traits) ? 'Double' : 'Long')}ScriptField${kind}Query`

/** A query with one score over a runtime field; `text` is the whole text without the score. */
export function runtimeQuery(query: Weight, text: () => string, score: number, luceneName?: string): Weight {
  const shown = () => withShownNames(text())
  return {
    ...query,
    ...(luceneName === undefined ? {} : { luceneName }),
    onlyField: undefined,
    constantOf: undefined,
    isOpaque: true,
    text: shown,
    explain(segment, doc) {
      if (scoreOfDocument(query, segment, doc) === undefined) return notMatched(`${shown()} doesn't match id ${doc}`)
      const value = Math.fround(score)
      return explained(value, withScore(shown(), value), [
        explained(value, 'boost * runtime_field_score', [
          explained(value, 'boost'),
          explained(1, 'runtime_field_score is always 1'),
        ]),
      ])
    },
  }
}

/** A value of the field as texts of queries show it. */
export function runtimeValueText({ traits }: FieldType, value: IndexValue): string {
  if (value instanceof Uint8Array) return traits.family === 'ip' ? formatIp(value) : termText(value)
  if (traits.family === 'boolean') return String(Number(value) === 1)
  return hasFractions(traits) ? formatDouble(Number(value)) : String(value)
}

const LONG_MAX = (1n << 63n) - 1n

/** The text of a range of numbers, dates or addresses. */
export function runtimeRangeText(
  field: FieldType,
  lower: IndexValue | undefined,
  upper: IndexValue | undefined,
): string {
  const [low, high] = limitsOf(field)
  return `${field.name}:[${runtimeValueText(field, lower ?? low)} TO ${runtimeValueText(field, upper ?? high)}]`
}

function limitsOf({ traits }: FieldType): readonly [low: IndexValue, high: IndexValue] {
  if (traits.family === 'ip') return [new Uint8Array(16), new Uint8Array(16).fill(0xff)]
  return hasFractions(traits) ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : [-LONG_MAX - 1n, LONG_MAX]
}
