/**
 * `shingle`: joins adjacent words to one token, in addition to the words themselves.
 *
 * A filler replaces a removed word in a shingle, so that "to be" and "be" differ.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import type { AnalysisEnvironment } from '../registry/component-types.ts'
import { newToken, type StreamToken, type TokenStream } from '../token.ts'

export interface ShingleOptions {
  min: number
  max: number
  unigrams: boolean
  unigramsIfNoShingles: boolean
  separator: string
  filler: string
}

export function shingleFilter(settings: ComponentSettings, environment: AnalysisEnvironment): TokenFilter {
  const options: ShingleOptions = {
    min: settings.integer('min_shingle_size', 2),
    max: settings.integer('max_shingle_size', 2),
    unigrams: settings.boolean('output_unigrams', true),
    unigramsIfNoShingles: settings.boolean('output_unigrams_if_no_shingles', false),
    separator: settings.string('token_separator') ?? ' ',
    filler: settings.string('filler_token') ?? '_',
  }
  const difference = options.max - options.min + (options.unigrams ? 1 : 0)
  const allowed = environment.limits.integer('max_shingle_diff', 3)
  if (difference > allowed) {
    throw illegalArgument(
      'In Shingle TokenFilter the difference between max_shingle_size and min_shingle_size (and +1 if outputting unigrams) ' +
        `must be less than or equal to: [${allowed}] but was [${difference}]. ` +
        'This limit can be set by changing the [index.max_shingle_diff] index level setting.',
    )
  }
  const filter = (stream: TokenStream) => {
    // Rejected when the filter is used and not by the settings: an index may define the filter as long as nothing uses
    // it.
    if (options.min < 2) throw illegalArgument('Min shingle size must be >= 2')
    if (options.min > options.max) throw illegalArgument('Min shingle size must be <= max shingle size')
    return shinglesOf(stream, options)
  }
  return Object.assign(filter, { disablesGraph: options.unigrams || options.min !== options.max })
}

interface Slot {
  token: StreamToken
  filler: boolean
}

export function shinglesOf(stream: TokenStream, options: ShingleOptions): TokenStream {
  const slots = withFillers(stream, options)
  const out: StreamToken[] = []
  let anyShingle = false
  let sizes = options.unigrams ? [1, ...sizesOf(options)] : sizesOf(options)
  for (let start = 0; start < slots.length; start++) {
    const left = slots.length - start
    if (options.unigramsIfNoShingles && !options.unigrams && !anyShingle && left < options.min)
      sizes = [1, ...sizesOf(options)]
    let here = false
    let onlyFillers = true
    let built = 0
    let text = ''
    for (const size of sizes) {
      if (size > left) break
      while (built < size) {
        const slot = slots[start + built]!
        if (built > 0) text += options.separator
        text += slot.token.term
        if (!slot.filler) onlyFillers = false
        built++
      }
      if (onlyFillers) continue
      const first = slots[start]!.token
      out.push({
        ...first,
        term: text,
        endOffset: slots[start + size - 1]!.token.endOffset,
        type: size > 1 ? 'shingle' : first.type,
        positionIncrement: here ? 0 : 1,
        positionLength: options.unigrams ? size : Math.max(1, size - options.min + 1),
      })
      here = true
      if (size > 1) anyShingle = true
    }
  }
  return { ...stream, tokens: out }
}

function sizesOf({ min, max }: ShingleOptions): number[] {
  const sizes: number[] = []
  for (let size = Math.max(2, min); size <= max; size++) sizes.push(size)
  return sizes
}

/** A shingle contains at most `max - 1` fillers, so no more are created. */
function withFillers(stream: TokenStream, { max, filler }: ShingleOptions): Slot[] {
  const slots: Slot[] = []
  const fill = (count: number, offset: number) => {
    for (let i = 0; i < Math.min(count, max - 1); i++) {
      slots.push({ token: newToken(filler, offset, offset, 'word'), filler: true })
    }
  }
  for (const token of stream.tokens) {
    fill(token.positionIncrement - 1, token.startOffset)
    slots.push({ token, filler: false })
  }
  fill(stream.trailingIncrement, stream.endOffset)
  return slots
}
