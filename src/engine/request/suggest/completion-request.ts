/** The `completion` suggester of a request. */
import { illegalArgument } from '../../../base/api-error.ts'
import { END_OBJECT, FALSE, START_ARRAY, START_OBJECT, STRING, TRUE } from '../../../base/json/json-reader.ts'
import { Fuzziness } from '../fuzziness.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_NUMBER, ACCEPTS_STRING, type RequestReader } from '../request-reader.ts'

export interface CompletionFuzziness {
  fuzziness: Fuzziness
  transpositions: boolean
  /** Shorter prefixes are matched exactly. */
  minLength: number
  prefixLength: number
}

export interface CompletionRequest {
  readonly kind: 'completion'
  readonly field: string
  readonly analyzer: string | undefined
  readonly size: number
  readonly skipDuplicates: boolean
  readonly fuzzy: CompletionFuzziness | undefined
  /** By name, as in the request; they are parsed when the field's contexts are known. */
  readonly contexts: Readonly<Record<string, unknown>> | undefined
}

const SIZE_DEFAULT = 5

export function parseCompletion(reader: RequestReader): CompletionRequest {
  let field: string | undefined
  let analyzer: string | undefined
  let size = SIZE_DEFAULT
  let skipDuplicates = false
  let fuzzy: CompletionFuzziness | undefined
  let contexts: Record<string, unknown> | undefined
  reader.parseObject('completion', {
    field: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        field = reader.text()
      },
    },
    analyzer: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        analyzer = reader.text()
      },
    },
    size: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        size = reader.integer()
        if (size <= 0) throw illegalArgument('size must be positive')
      },
    },
    shard_size: { accepts: ACCEPTS_NUMBER, parse: () => reader.integer() },
    skip_duplicates: {
      accepts: ACCEPTS_BOOLEAN,
      parse: () => {
        skipDuplicates = reader.boolean()
      },
    },
    fuzzy: {
      accepts: [START_OBJECT, TRUE, FALSE, STRING],
      parse: () => {
        fuzzy = readFuzzy(reader)
      },
    },
    // Options of pattern compilation; all flags are on.
    regex: { accepts: [START_OBJECT], parse: () => reader.skipChildren() },
    contexts: {
      accepts: [START_OBJECT],
      parse: () => {
        contexts = reader.value() as Record<string, unknown>
      },
    },
  })
  if (field === undefined) throw illegalArgument('the required field option [field] is missing')
  return { kind: 'completion', field, analyzer, size, skipDuplicates, fuzzy, contexts }
}

function readFuzzy(reader: RequestReader): CompletionFuzziness | undefined {
  const options: CompletionFuzziness = {
    fuzziness: Fuzziness.auto,
    transpositions: true,
    minLength: 3,
    prefixLength: 1,
  }
  if (!reader.is(START_OBJECT)) return reader.boolean() ? options : undefined
  while (reader.next() !== END_OBJECT) {
    const member = reader.name
    reader.next()
    if (reader.is(START_ARRAY)) throw illegalArgument(`[fuzzy] unexpected array for [${member}]`)
    if (member === 'fuzziness') options.fuzziness = Fuzziness.parse(reader.text())
    else if (member === 'transpositions') options.transpositions = reader.boolean()
    else if (member === 'min_length') options.minLength = reader.integer()
    else if (member === 'prefix_length') options.prefixLength = reader.integer()
    else if (member === 'unicode_aware') reader.boolean()
    else if (member === 'max_determinized_states') reader.integer()
    else throw reader.contentError(`[fuzzy] unknown field [${member}]`)
  }
  return options
}
