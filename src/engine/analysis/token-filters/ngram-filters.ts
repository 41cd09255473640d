/** `ngram` and `edge_ngram`: substrings of a term at its position and with its offsets. */

import { illegalArgument } from '../../../base/api-error.ts'
import { minGramTooLarge, minGramTooSmall } from '../../../base/errors/analysis-errors.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import type { AnalysisEnvironment } from '../registry/component-types.ts'
import { type StreamToken, withTokens } from '../token.ts'
import { checkGramSizes } from '../tokenizers/ngram.ts'
import { reverseFilter } from './text-filters.ts'

export function ngramFilter(settings: ComponentSettings, environment: AnalysisEnvironment): TokenFilter {
  const min = settings.integer('min_gram', 1)
  const max = settings.integer('max_gram', 2)
  checkGramSizes(min, max, environment)
  return gramFilter(min, max, settings.boolean('preserve_original', false), (points, add) => {
    for (let start = 0; start + min <= points.length; start++) {
      for (let size = min; size <= max && start + size <= points.length; size++) add(start, start + size)
    }
  })
}

export function edgeNgramFilter(settings: ComponentSettings): TokenFilter {
  const min = settings.integer('min_gram', 1)
  const max = settings.integer('max_gram', 1)
  const side = settings.string('side') ?? 'front'
  if (side !== 'front' && side !== 'back') throw illegalArgument(`invalid side: ${side}`)
  if (min < 1) throw minGramTooSmall()
  if (min > max) throw minGramTooLarge()
  const front = gramFilter(min, max, settings.boolean('preserve_original', false), (points, add) => {
    for (let size = min; size <= max && size <= points.length; size++) add(0, size)
  })
  if (side === 'front') return front
  const reverse = reverseFilter()
  return (stream) => reverse(front(reverse(stream)))
}

type EachGram = (points: readonly string[], add: (start: number, end: number) => void) => void

/** A term too short for any gram leaves its position empty, unless originals are preserved. */
function gramFilter(min: number, max: number, preserveOriginal: boolean, eachGram: EachGram): TokenFilter {
  return (stream) => {
    const out: StreamToken[] = []
    let increment = 0
    for (const token of stream.tokens) {
      increment += token.positionIncrement
      const points = [...token.term]
      const emit = (term: string) => {
        out.push({ ...token, term, positionIncrement: increment })
        increment = 0
      }
      if (preserveOriginal && points.length < min) emit(token.term)
      else {
        eachGram(points, (start, end) => emit(points.slice(start, end).join('')))
        if (preserveOriginal && points.length > max) emit(token.term)
      }
    }
    const result = withTokens(stream, out)
    result.trailingIncrement = increment
    return result
  }
}
