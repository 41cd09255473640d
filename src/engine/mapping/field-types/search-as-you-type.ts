/**
 * `search_as_you_type`: a text field with hidden fields for its word pairs and triples (`_2gram`, `_3gram`) and their
 * prefixes (`_index_prefix`), so that an incomplete query finds documents with adjacent words.
 */
import { mapperParsing } from '../../../base/errors/mapping-errors.ts'
import { derivedName } from '../../analysis/registry/derived-analyzers.ts'
import {
  choice,
  docValues,
  flag,
  index,
  meta,
  type Parameter,
  parameter,
  readInteger,
  similarity,
  store,
} from '../definition/parameter.ts'
import { type LeafDefinition, LeafMapper } from '../leaf-mapper.ts'
import {
  analyzerNames,
  analyzerParameters,
  completeAnalyzers,
  printedAnalyzer,
  quoteAnalyzer,
} from './field-analyzers.ts'
import { buildText, invertedBy, type TextShape, termVector } from './text.ts'

const MIN_SIZE = 2
const MAX_SIZE = 4

const maxShingleSize: Parameter = parameter(
  'max_shingle_size',
  3,
  (value) => {
    const size = readInteger(value)
    if (size < MIN_SIZE || size > MAX_SIZE) {
      throw mapperParsing(`[max_shingle_size] must be at least [${MIN_SIZE}] and at most [${MAX_SIZE}], got [${size}]`)
    }
    return size
  },
  { alwaysPrinted: true },
)

const parameters: readonly Parameter[] = [
  index(),
  store(),
  docValues(false),
  maxShingleSize,
  ...analyzerParameters(),
  quoteAnalyzer(),
  similarity(),
  choice('index_options', 'positions', ['positions', 'docs', 'freqs', 'offsets']),
  flag('norms', true),
  termVector(),
  meta(),
]

export const searchAsYouType: LeafDefinition = {
  type: 'search_as_you_type',
  traits: { family: 'text', hasWords: true },
  mayHaveSubFields: true,
  parameters,
  check(leaf) {
    if (leaf.flag('doc_values')) {
      throw mapperParsing('Cannot set [doc_values] on field of type [search_as_you_type]')
    }
  },
  complete: completeAnalyzers,
  printed: printedAnalyzer,
  implied(leaf) {
    const size = leaf.number('max_shingle_size')
    const { analyzer, search } = analyzerNames(leaf)
    const fields: LeafMapper[] = []
    for (let words = MIN_SIZE; words <= size; words++) {
      fields.push(
        hiddenField(leaf, `_${words}gram`, shape(leaf), [
          derivedName('shingle', words, analyzer),
          derivedName('shingle', words, search),
        ]),
      )
    }
    const prefixShape = { ...shape(leaf), inverted: 'docs', norms: false } as const
    fields.push(
      hiddenField(leaf, '_index_prefix', prefixShape, [
        derivedName('prefix', size, analyzer),
        derivedName('shingle', size, search),
      ]),
    )
    return fields
  },
  build: (leaf, site) => buildText(leaf, site, shape(leaf)),
}

function shape(leaf: LeafMapper): TextShape {
  const indexed = leaf.flag('index')
  return {
    inverted: indexed ? invertedBy(leaf.text('index_options')) : 'none',
    norms: indexed && leaf.flag('norms'),
    gap: undefined,
  }
}

function hiddenField(
  parent: LeafMapper,
  name: string,
  shape: TextShape,
  [analyzer, search]: readonly [analyzer: string, search: string],
): LeafMapper {
  return new LeafMapper({
    definition: {
      type: parent.type,
      traits: parent.definition.traits,
      mayHaveSubFields: false,
      parameters,
      build: (leaf, site) => buildText(leaf, site, shape),
    },
    name,
    path: `${parent.path}.${name}`,
    given: new Map<string, unknown>([
      ['analyzer', analyzer],
      ['search_analyzer', search],
      ['search_quote_analyzer', search],
      ['similarity', parent.value('similarity')],
    ]),
    subFields: new Map(),
    copyTo: [],
  })
}
