/** A single number computed by a pipeline. */
import { Double } from '../../../base/json/json-writer.ts'
import type { ValueFormat } from '../values/value-format.ts'

/** `value`, null without a number, and its text if a format was given. */
export function printSimpleValue(value: number, format: ValueFormat): Record<string, unknown> {
  if (!Number.isFinite(value)) return { value: null }
  return { value: new Double(value), value_as_string: format.isRaw ? undefined : format.text(value) }
}

export function simpleValue(value: number, property: string | undefined): number | undefined {
  return property === undefined || property === 'value' ? value : undefined
}
