/** grok: extracts fields from a text with named patterns. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import type { ConfigReader } from '../pipeline/config-reader.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'
import { checkCircles, GrokExpression, type PatternLookup } from '../regex/grok-expression.ts'
import { grokPatterns } from '../regex/grok-patterns.ts'

export const grok: ProcessorFactory = (reader) => {
  const field = reader.string('field')
  const patterns = reader.strings('patterns')
  const traces = reader.boolean('trace_match', false)
  const ignoresMissing = reader.boolean('ignore_missing', false)
  const ecs = reader.optionalString('ecs_compatibility') ?? 'disabled'
  if (ecs !== 'disabled' && ecs !== 'v1') throw reader.error('ecs_compatibility', `unsupported mode '${ecs}'`)
  if (patterns.length === 0) throw reader.error('patterns', 'List of patterns must not be empty')
  const own = reader.optionalMap('pattern_definitions') ?? {}
  const stock = grokPatterns(ecs)
  const lookup: PatternLookup = (name) => (Object.hasOwn(own, name) ? String(own[name]) : stock.get(name))
  const expression = compiled(patterns, traces, lookup, reader)
  return (document) => {
    const text = document.text(field, ignoresMissing)
    if (text === undefined || (text === null && ignoresMissing)) return
    if (text === null) throw illegalArgument(`field [${field}] is null, cannot process it.`)
    document.budget.text(text.length)
    let trace: string | undefined
    const matches = expression.match(text, (name, value) => {
      if (traces && name.startsWith(TRACE)) trace = name.slice(TRACE.length)
      else document.set(name, value)
    })
    // Set last: a value that cannot be converted leaves no trace.
    if (trace !== undefined) document.ingest.put_2('_grok_match_index', trace)
    if (!matches) throw illegalArgument(`Provided Grok expressions do not match field value: [${text}]`)
  }
}

const TRACE = '_ingest._grok_match_index.'

function compiled(patterns: readonly string[], traces: boolean, lookup: PatternLookup, reader: ConfigReader) {
  const whole =
    patterns.length === 1 && !traces
      ? patterns[0]!
      : patterns.map((pattern, i) => (traces ? `(?<${TRACE}${i}>${pattern})` : `(?:${pattern})`)).join('|')
  try {
    checkCircles(whole, lookup)
    return new GrokExpression(whole, lookup)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw reader.error('patterns', `Invalid regex pattern found in: [${patterns.join(', ')}]. ${error.message}`)
  }
}
