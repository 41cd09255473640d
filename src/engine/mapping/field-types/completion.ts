/** `completion`: inputs with a weight, stored for suggestions. */
import { illegalArgument, parsingException } from '../../../base/api-error.ts'
import {
  DECIMAL,
  END_ARRAY,
  END_OBJECT,
  INTEGER,
  type JsonReader,
  NULL,
  START_ARRAY,
  START_OBJECT,
  STRING,
} from '../../../base/json/json-reader.ts'
import { encodeJson } from '../../../base/json/json-writer.ts'
import { BINARY } from '../../document/parsed-document.ts'
import { parseDistance } from '../../values/distance-unit.ts'
import { javaText } from '../../values/java-text.ts'
import { flag, meta, type ParameterSite, parameter, readInteger } from '../definition/parameter.ts'
import { type EntrySink, FieldPlan, OP_VALUE } from '../documents/field-plan.ts'
import type { IndexValue } from '../field-type.ts'
import type { LeafDefinition } from '../leaf-mapper.ts'
import { BaseFieldType, type FieldTypeOptions } from './base-field-type.ts'
import {
  type CompletionContext,
  type ContextDefinition,
  contextsOf,
  readContextDefinitions,
  readContextValues,
} from './completion-contexts.ts'
import { requireAnalyzer } from './field-analyzers.ts'

const WEIGHT_MAX = 0x7fffffff

const readAnalyzer = (value: unknown, site: ParameterSite) => {
  const name = javaText(value)
  requireAnalyzer(site.context, name)
  return name
}

export const completion: LeafDefinition = {
  type: 'completion',
  traits: { family: 'completion', takesArrays: true },
  mayHaveSubFields: true,
  parameters: [
    parameter('analyzer', 'simple', readAnalyzer, { alwaysPrinted: true }),
    parameter('search_analyzer', 'simple', readAnalyzer, { updatable: true }),
    flag('preserve_separators', true, { alwaysPrinted: true }),
    flag('preserve_position_increments', true, { alwaysPrinted: true }),
    parameter('max_input_length', 50, readInputLength, { updatable: true, alwaysPrinted: true }),
    parameter('contexts', [], readContexts, { hiddenByDefault: true }),
    meta(),
  ],
  printed(leaf, name) {
    if (name !== 'search_analyzer') return undefined
    const analyzer = leaf.text('analyzer')
    const search = leaf.isGiven(name) ? leaf.text(name) : analyzer
    return { value: search, shown: search !== analyzer }
  },
  build(leaf, site) {
    const schema = site.schema({ docValues: 'binary' })
    const analyzer = leaf.text('analyzer')
    const settings: CompletionSettings = {
      field: site.path,
      contexts: contextsOf(leaf.value('contexts') as readonly ContextDefinition[]),
      maxInputLength: leaf.number('max_input_length'),
      preserveSeparators: leaf.flag('preserve_separators'),
      preservePositionIncrements: leaf.flag('preserve_position_increments'),
    }
    const plan = new FieldPlan({
      path: site.path,
      type: 'completion',
      op: OP_VALUE,
      schema,
      takesObjects: true,
      takesArrays: true,
      errorForm: 'bare',
      writeValue: (own, sink) => writeSuggestions(own, sink, settings),
    })
    settingsOf.set(plan, settings)
    return {
      type: new CompletionType(settings, {
        leaf,
        site,
        shape: 'binary',
        schema,
        indexed: true,
        hasDocValues: false,
        analyzerName: analyzer,
        searchAnalyzerName: leaf.isGiven('search_analyzer') ? leaf.text('search_analyzer') : analyzer,
      }),
      plan,
    }
  },
}

/** Multi-fields of this type take over what their parent parsed, with their own settings. */
const settingsOf = new WeakMap<FieldPlan, CompletionSettings>()

function readContexts(value: unknown): readonly ContextDefinition[] {
  return readContextDefinitions(value, parseDistance)
}

function readInputLength(value: unknown): number {
  const length = readInteger(value)
  if (length <= 0) throw illegalArgument(`[max_input_length] must be > 0 but was [${length}]`)
  return length
}

export interface CompletionSettings {
  readonly field: string
  readonly contexts: readonly CompletionContext[]
  readonly maxInputLength: number
  readonly preserveSeparators: boolean
  readonly preservePositionIncrements: boolean
}

/** One suggestion in doc values, as JSON. */
export interface StoredSuggestion {
  readonly input: readonly string[]
  readonly weight: number
  /** Context values given in the document itself; those of a path are read from that field. */
  readonly contexts?: Readonly<Record<string, readonly string[]>> | undefined
}

interface Suggestion {
  input: string[]
  weight: number
  contexts: Record<string, string[]> | undefined
}

function writeSuggestions(plan: FieldPlan, sink: EntrySink, settings: CompletionSettings): void {
  const { reader } = sink
  const name = plan.path.slice(plan.path.lastIndexOf('.') + 1)
  if (reader.token === NULL) return
  if (reader.token === STRING) {
    // Multi-fields parse a plain value themselves.
    writeSuggestion(plan, readSuggestion(reader, name, settings), sink, settings)
  } else if (reader.token !== START_ARRAY) {
    writeWithSubFields(plan, readSuggestion(reader, name, settings), sink, settings)
  } else {
    while (reader.next() !== END_ARRAY) {
      writeWithSubFields(plan, readSuggestion(reader, 'null', settings), sink, settings)
    }
  }
}

function writeWithSubFields(
  plan: FieldPlan,
  suggestion: Suggestion,
  sink: EntrySink,
  settings: CompletionSettings,
): void {
  writeSuggestion(plan, suggestion, sink, settings)
  for (const sub of plan.subFields) {
    const own = settingsOf.get(sub)
    if (own !== undefined) writeSuggestion(sub, suggestion, sink, own)
  }
}

function writeSuggestion(
  plan: FieldPlan,
  suggestion: Suggestion,
  sink: EntrySink,
  { contexts, maxInputLength }: CompletionSettings,
): void {
  const input = suggestion.input.filter((text) => !BLANK.test(text))
  if (input.length < suggestion.input.length) sink.ignore(plan.path)
  if (input.length === 0) return
  const given = Object.values(suggestion.contexts ?? {}).some((values) => values.length > 0)
  if (contexts.length > 0 && !given && contexts.every(({ path }) => path === undefined)) {
    throw illegalArgument(`Contexts are mandatory in context enabled completion field [${plan.path}]`)
  }
  const stored: StoredSuggestion = {
    input: input.map((text) => checkReserved(cut(text, maxInputLength))),
    weight: suggestion.weight,
    contexts: suggestion.contexts,
  }
  const json = encodeJson(stored)
  const start = sink.put(json)
  sink.out.add(plan.schema!, BINARY, start, start + json.length, sink.doc)
}

/** Control characters count as white space, as in Java. */
const BLANK = /^[\u0000-\u0020]*$/

/** Characters reserved by Lucene: the end of an input, holes and word separators. */
const RESERVED: readonly number[] = [0x00, 0x1e, 0x1f]

function checkReserved(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 0x1f || !RESERVED.includes(code)) continue
    throw illegalArgument(
      `Illegal input [${text}] UTF-16 codepoint [0x${code.toString(16)}] at position ${at} is a reserved character`,
    )
  }
  return text
}

/** Never splits a character. */
function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const code = text.charCodeAt(lengthMax - 1)
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? lengthMax - 1 : lengthMax)
}

function readSuggestion(reader: JsonReader, name: string, settings: CompletionSettings): Suggestion {
  switch (reader.token) {
    case STRING:
      return { input: [reader.text()], weight: 1, contexts: undefined }
    case START_OBJECT:
      return readObject(reader, settings)
    default:
      throw parsingException(`failed to parse [${name}]: expected text or object, but got ${kindName(reader)}`)
  }
}

function readObject(reader: JsonReader, { contexts, field }: CompletionSettings): Suggestion {
  const suggestion: Suggestion = { input: [], weight: 1, contexts: undefined }
  while (reader.next() !== END_OBJECT) {
    const name = reader.text()
    if (name !== 'input' && name !== 'weight' && name !== 'contexts') {
      throw illegalArgument(`unknown field name [${name}], must be one of [contexts, weight, input]`)
    }
    reader.next()
    if (name === 'input') readInputs(reader, suggestion.input)
    else if (name === 'weight') suggestion.weight = readWeight(reader)
    else if (contexts.length === 0) throw illegalArgument(`contexts field is not supported for field: [${field}]`)
    else suggestion.contexts = readContextValues(reader, contexts, kindName)
  }
  return suggestion
}

function readInputs(reader: JsonReader, inputs: string[]): void {
  if (reader.token === STRING) {
    inputs.push(reader.text())
    return
  }
  if (reader.token !== START_ARRAY) {
    throw illegalArgument(`input must be a string or array, but was [${kindName(reader)}]`)
  }
  while (reader.next() !== END_ARRAY) {
    if ((reader.token as number) !== STRING) {
      throw illegalArgument(`input array must have string values, but was [${kindName(reader)}]`)
    }
    inputs.push(reader.text())
  }
}

function readWeight(reader: JsonReader): number {
  if (reader.token !== STRING && reader.token !== INTEGER && reader.token !== DECIMAL) {
    throw illegalArgument(`weight must be a number or string, but was [${kindName(reader)}]`)
  }
  const text = reader.text()
  if (!/^[+-]?\d+$/.test(text)) throw illegalArgument(`weight must be an integer, but was [${text}]`)
  const weight = Number(text)
  if (weight < 0 || weight > WEIGHT_MAX) {
    throw illegalArgument(`weight must be in the interval [0..${WEIGHT_MAX}], but was [${weight}]`)
  }
  return weight
}

function kindName(reader: JsonReader): string {
  switch (reader.token) {
    case START_OBJECT:
      return 'START_OBJECT'
    case START_ARRAY:
      return 'START_ARRAY'
    case STRING:
      return 'VALUE_STRING'
    case INTEGER:
    case DECIMAL:
      return 'VALUE_NUMBER'
    case NULL:
      return 'VALUE_NULL'
    default:
      return 'VALUE_BOOLEAN'
  }
}

export class CompletionType extends BaseFieldType {
  readonly completion: CompletionSettings

  constructor(completion: CompletionSettings, options: FieldTypeOptions) {
    super(options)
    this.completion = completion
  }

  override termValue(value: unknown): IndexValue {
    return Buffer.from(javaText(value))
  }

  override formatDocValue(value: IndexValue, _format: string | undefined): unknown {
    return value
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    return value === null ? undefined : value
  }
}
