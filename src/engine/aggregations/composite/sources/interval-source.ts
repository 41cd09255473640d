/** Intervals of numbers and dates: the code is the start of an interval. */
import { sourceIntervalTooSmall } from '../../../../base/errors/aggregation-errors.ts'
import type { SearchExecutionContext } from '../../../scoring/query.ts'
import { javaText } from '../../../values/java-text.ts'
import { roundingOf } from '../../histograms/date-interval.ts'
import { BlockRounding } from '../../values/block-rounding.ts'
import { numberValues } from '../../values/number-values.ts'
import { DateValueFormat } from '../../values/value-format.ts'
import type { ValueSource } from '../../values/value-source.ts'
import type { BoundSource } from '../bound-source.ts'
import { instantOfKey, printDate, printDouble, printWhole } from '../key-value.ts'
import type { CompositeSource } from '../source-settings.ts'
import { cutToDates, cutToInterval, NumberCodes } from './code-readers.ts'
import { hashDouble, numberCodes, numberPosition, numbersInOrder } from './number-source.ts'

export function histogramSource(
  shard: SearchExecutionContext,
  settings: CompositeSource,
  source: ValueSource,
): BoundSource {
  const { interval } = settings
  if (interval === undefined) throw sourceIntervalTooSmall()
  const isDate = source.type === 'date'
  return {
    settings,
    source,
    print: isDate ? printDate(source.format as DateValueFormat) : printDouble,
    codes: (view) => numberCodes(source, view, cutToInterval(interval)),
    value: (code) => code,
    position: (after) => {
      if (isDate && typeof after === 'string') return source.format.parse(after, shard.nowMs)
      return numberPosition(after, false)
    },
    hash: hashDouble,
    order: numbersInOrder(
      source,
      (value) => Math.floor(value / interval) * interval,
      (code) => Math.round(code / interval + 1) * interval,
    ),
  }
}

export function dateSource(settings: CompositeSource, source: ValueSource): BoundSource {
  const rounding = roundingOf(settings.dates, settings.source.timeZone)
  // The format of a field without dates is a number pattern; its keys are still numbers.
  const dates =
    settings.source.format !== undefined && source.format instanceof DateValueFormat ? source.format : undefined
  return {
    settings,
    source,
    print: dates === undefined ? printWhole : printDate(dates),
    codes: (view) => {
      const values = numberValues(source, view)
      if (values === undefined) return undefined
      return new NumberCodes(values, cutToDates(new BlockRounding(rounding, values.min, values.max)))
    },
    value: (code) => code,
    position: (after) => (dates === undefined ? numberPosition(after, true) : instantOfKey(dates, javaText(after))),
    hash: hashDouble,
    order: numbersInOrder(
      source,
      (value) => rounding.round(value),
      (code) => rounding.nextRoundingValue(code),
    ),
  }
}
