/** `dense_vector`: one vector of numbers per document, stored in doc values and compared by `knn` queries. */
import { ApiError, illegalArgument } from '../../../../base/api-error.ts'
import { mapperParsing } from '../../../../base/errors/mapping-errors.ts'
import { DECIMAL, END_ARRAY, INTEGER, NULL, START_ARRAY, STRING } from '../../../../base/json/json-reader.ts'
import { Float, formatDouble } from '../../../../base/json/json-writer.ts'
import { tokenName } from '../../../../base/json/token-names.ts'
import { BINARY } from '../../../document/parsed-document.ts'
import { hashedText } from '../../../values/java-text.ts'
import { decodeVector, encodeVector } from '../../../vectors/encode-vector.ts'
import { bytesOfHex, isByte, noByte, notWhole } from '../../../vectors/read-vector.ts'
import {
  checkVector,
  type ElementType,
  elementCount,
  type Vector,
  type VectorSimilarity,
  type VectorSpace,
} from '../../../vectors/vector-space.ts'
import { choice, index, meta, parameter } from '../../definition/parameter.ts'
import { type EntrySink, FieldPlan, OP_VALUE } from '../../documents/field-plan.ts'
import type { IndexValue } from '../../field-type.ts'
import type { BuildSite, LeafDefinition, LeafMapper } from '../../leaf-mapper.ts'
import { BaseFieldType } from '../base-field-type.ts'
import {
  checkVectorOptions,
  DEFAULT_OPTIONS,
  isUpdatable,
  readVectorOptions,
  type VectorOptions,
} from './vector-options.ts'

const DIMS_MAX = 4096
const BITS_MAX = DIMS_MAX * 8
const SIMILARITIES = ['l2_norm', 'cosine', 'dot_product', 'max_inner_product']

export const denseVector: LeafDefinition = {
  type: 'dense_vector',
  traits: { family: 'vector', takesArrays: true },
  mayHaveSubFields: true,
  parameters: [
    parameter('element_type', 'float', readElementType),
    parameter('dims', null, readDims, { updatable: (from) => from === null }),
    { ...index(), alwaysPrinted: true },
    choice('similarity', 'none', SIMILARITIES),
    parameter('index_options', null, (value, { name }) => readVectorOptions(value, name), {
      acceptsNull: true,
      updatable: isUpdatable,
    }),
    meta(),
  ],
  check: checkDefinition,
  complete(given) {
    if (given.get('index') === false) return
    const element = given.get('element_type') ?? 'float'
    if (!given.has('similarity')) given.set('similarity', element === 'bit' ? 'l2_norm' : 'cosine')
    if (!given.has('index_options') && element === 'float') given.set('index_options', DEFAULT_OPTIONS)
  },
  build(leaf, site) {
    const space = spaceOf(leaf)
    const single = new SingleValue()
    const schema = site.schema({ docValues: 'binary' })
    return {
      type: new DenseVectorType(leaf, site, schema, space),
      plan: new FieldPlan({
        path: site.path,
        type: 'dense_vector',
        op: OP_VALUE,
        schema,
        takesObjects: true,
        takesArrays: true,
        errorForm: 'bare',
        writeValue: (plan, sink) => writeVector(plan, sink, leaf, space, single),
      }),
    }
  },
}

function readElementType(value: unknown): string {
  const type = hashedText(value)
  if (type !== 'float' && type !== 'byte' && type !== 'bit') {
    throw mapperParsing(`invalid element_type [${type}]; available types are [byte, float, bit]`)
  }
  return type
}

function readDims(value: unknown, { name }: { readonly name: string }): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw mapperParsing(`Property [dims] on field [${name}] must be an integer but got [${hashedText(value)}]`)
  }
  return value
}

function checkDefinition(leaf: LeafMapper): void {
  const element = leaf.text('element_type')
  const dims = leaf.value('dims') as number | null
  if (dims !== null) checkDims(element, dims)
  const indexed = leaf.flag('index')
  for (const name of ['similarity', 'index_options']) {
    if (indexed || !leaf.isGiven(name)) continue
    throw illegalArgument(`Field [${name}] can only be specified for a field of type [dense_vector] when it is indexed`)
  }
  if (element === 'bit' && leaf.isGiven('similarity') && leaf.text('similarity') !== 'l2_norm') {
    throw illegalArgument('The [l2_norm] similarity is the only supported similarity for bit vectors')
  }
  const options = leaf.value('index_options') as VectorOptions | null
  if (options !== null) checkVectorOptions(options, element, dims ?? undefined)
}

function checkDims(element: string, dims: number): void {
  if (element !== 'bit') {
    if (dims >= 1 && dims <= DIMS_MAX) return
    throw mapperParsing(`The number of dimensions should be in the range [1, ${DIMS_MAX}] but was [${dims}]`)
  }
  if (dims % 8 !== 0) throw mapperParsing(`The number of dimensions for should be a multiple of 8 but was [${dims}]`)
  if (dims < 8 || dims > BITS_MAX) {
    throw mapperParsing(
      `The number of dimensions for bit vectors should be in the range [8, ${BITS_MAX}] but was [${dims}]`,
    )
  }
}

/** Undefined until the first vector sets the number of dimensions. */
function spaceOf(leaf: LeafMapper): VectorSpace | undefined {
  const dims = leaf.value('dims') as number | null
  if (dims === null) return undefined
  return { element: leaf.text('element_type') as ElementType, dims, similarity: similarityOf(leaf) }
}

function similarityOf(leaf: LeafMapper): VectorSimilarity | undefined {
  return leaf.flag('index') ? (leaf.text('similarity') as VectorSimilarity) : undefined
}

function writeVector(
  plan: FieldPlan,
  sink: EntrySink,
  leaf: LeafMapper,
  known: VectorSpace | undefined,
  single: SingleValue,
): void {
  const { reader } = sink
  if (reader.token === NULL) return
  single.check(plan, sink)
  const element = leaf.text('element_type') as ElementType
  const dimsMax = element === 'bit' ? BITS_MAX : DIMS_MAX
  const limit = known ?? { element, dims: dimsMax, similarity: undefined }
  const vector =
    reader.token === STRING && element !== 'float' ? bytesOfHex(reader.text()) : readList(plan, sink, limit)
  const dims = element === 'bit' ? vector.length * 8 : vector.length
  if (known !== undefined && dims !== known.dims) {
    throw illegalArgument(
      `${inDocument(plan, sink)} has a different number of dimensions [${dims}] than defined in the mapping [${known.dims}]`,
    )
  }
  const space = known ?? { element, dims, similarity: similarityOf(leaf) }
  if (known === undefined) sink.learn(plan.path, definitionWith(leaf, dims))
  checkVector(space, vector)
  const bytes = encodeVector(space, vector)
  const start = sink.put(bytes)
  single.note(sink)
  sink.out.add(plan.schema!, BINARY, start, start + bytes.length, sink.doc)
}

/** Allows a document, or a nested object, only one value of a field. */
class SingleValue {
  /** The entry that was added last. Parsers use their arrays again, so it may be of another document. */
  #entry = -1

  check({ path, schema }: FieldPlan, { out, doc }: EntrySink): void {
    const entry = this.#entry
    if (entry < 0 || entry >= out.entryCount) return
    if (out.field[entry] !== schema!.id || out.doc[entry] !== doc) return
    throw illegalArgument(
      `Field [${path}] of type [dense_vector] doesn't support indexing multiple values for the same field in the same document`,
    )
  }

  /** Before the entry is added. */
  note({ out }: EntrySink): void {
    this.#entry = out.entryCount
  }
}

function definitionWith(leaf: LeafMapper, dims: number): Record<string, unknown> {
  const given = Object.fromEntries([...leaf.given].filter(([, value]) => value !== null))
  return { ...given, type: 'dense_vector', dims }
}

const inDocument = ({ path }: FieldPlan, { context }: EntrySink) =>
  `The [dense_vector] field [${path}] in doc [document with id '${context.id}']`

function readList(plan: FieldPlan, sink: EntrySink, space: VectorSpace): Vector {
  const { reader } = sink
  const most = elementCount(space)
  const numbers: number[] = []
  // Elasticsearch reads on behind a value that is no list, and complains about what comes next.
  if (reader.token !== START_ARRAY) {
    reader.next()
    throw numberExpected(sink)
  }
  for (let token = reader.next(); token !== END_ARRAY; token = reader.next()) {
    if (numbers.length >= most) {
      throw illegalArgument(`${inDocument(plan, sink)} has more dimensions than defined in the mapping [${space.dims}]`)
    }
    if (token !== INTEGER && token !== DECIMAL) throw numberExpected(sink)
    const value = reader.number()
    if (space.element !== 'float') {
      const rest = `at dim [${numbers.length}];`
      if (value % 1 !== 0) throw notWhole(space, formatDouble(value), rest)
      if (!isByte(value)) throw noByte(space, String(value), rest)
    }
    numbers.push(value)
  }
  return space.element === 'float' ? Float32Array.from(numbers) : Int8Array.from(numbers)
}

function numberExpected({ reader, places }: EntrySink): ApiError {
  const found = tokenName(reader.token)
  return new ApiError(
    400,
    'parsing_exception',
    `Failed to parse object: expecting token of type [VALUE_NUMBER] but found [${found}]`,
    { details: places.details(reader) },
  )
}

export class DenseVectorType extends BaseFieldType {
  override readonly similarityName = undefined
  /** Undefined as long as no document has a vector. */
  readonly space: VectorSpace | undefined

  constructor(
    leaf: LeafMapper,
    site: BuildSite,
    schema: NonNullable<BaseFieldType['schema']>,
    space: VectorSpace | undefined,
  ) {
    super({
      leaf,
      site,
      shape: 'binary',
      schema,
      indexed: leaf.flag('index'),
      hasDocValues: true,
      searchable: leaf.flag('index'),
      aggregatable: false,
    })
    this.space = space
  }

  override termValue(_value: unknown): IndexValue {
    throw illegalArgument(`Field [${this.name}] of type [${this.type}] doesn't support term queries`)
  }

  override formatDocValue(value: IndexValue, format: string | undefined): unknown {
    this.refuseFormat(format)
    const vector = decodeVector(this.space!, value as Uint8Array)
    return vector instanceof Float32Array ? Array.from(vector, (one) => new Float(one)) : Array.from(vector)
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    return typeof value === 'number' || typeof value === 'bigint' ? value : undefined
  }
}
