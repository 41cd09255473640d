/**
 * A shard for tests with a small fixed mapping: `k` keyword, `n` number, `t` text that becomes one token, `c` nested
 * objects with a number `n`; `ignored` names fields as if they had been ignored.
 */
import { reviveAnalyzer } from '../analysis/index-analyzers/choose.ts'
import type { FieldSchema } from '../document/field-schema.ts'
import { type EntryKind, NUMBER, ParsedDocument, ROOT, TERM, TEXT } from '../document/parsed-document.ts'
import { Arena } from '../memory/arena.ts'
import { WriteBuffer } from '../segment/buffer/write-buffer.ts'
import type { IndexSortField } from '../segment/index-sort.ts'
import { sealSegment } from '../segment/segment-writer.ts'
import type { Directory } from '../store/directory.ts'
import type { ReplayParser } from './flush/recovery.ts'
import { NO_CONDITION, type StoredDocument, type WriteCondition, type WriteResult } from './operations.ts'
import type { Sealer, SealJob, SealOutcome } from './refresh/sealer.ts'
import { Shard } from './shard.ts'
import type { ShardOptions } from './shard-options.ts'

export interface TestDocument {
  readonly k?: string
  readonly n?: number
  readonly t?: string
  readonly ignored?: readonly string[]
  readonly c?: readonly { readonly n: number }[]
}

const base = { norms: false, analyzer: undefined, positionGap: 0 }
export const TEST_SCHEMAS: readonly FieldSchema[] = [
  { id: 0, name: 'k', inverted: 'docs', docValues: 'term', ordered: false, ...base },
  { id: 1, name: 'n', inverted: 'none', docValues: 'number', ordered: true, ...base },
  { id: 2, name: 'c.n', inverted: 'none', docValues: 'number', ordered: true, ...base },
  {
    id: 3,
    name: 't',
    inverted: 'positions',
    norms: true,
    docValues: 'none',
    ordered: false,
    positionGap: 100,
    analyzer: { analyze: (bytes, start, end, sink) => sink.token(bytes, start, end, 1) },
  },
  { id: 4, name: '_ignored', inverted: 'docs', docValues: 'term', ordered: false, ...base },
]

export const TEST_LABEL = { index: 'test', indexUuid: 'test-uuid', shard: 0 }

const parser: ReplayParser = {
  parse(source, _id, _routing, out) {
    parseTestDocument(JSON.parse(Buffer.from(source).toString()), out)
    return { schemas: TEST_SCHEMAS, storedSource: source }
  },
}

function parseTestDocument(document: TestDocument, out: ParsedDocument): void {
  for (const child of document.c ?? []) {
    const doc = out.beginNested(0, ROOT)
    out.add(TEST_SCHEMAS[2]!, NUMBER, child.n, 0, doc)
    out.endDocument(doc)
  }
  if (document.k !== undefined) addText(out, TEST_SCHEMAS[0]!, TERM, document.k)
  if (document.t !== undefined) addText(out, TEST_SCHEMAS[3]!, TEXT, document.t)
  for (const name of document.ignored ?? []) addText(out, TEST_SCHEMAS[4]!, TERM, name)
  if (document.n !== undefined) out.add(TEST_SCHEMAS[1]!, NUMBER, document.n, 0, ROOT)
  out.endDocument(ROOT)
}

function addText(out: ParsedDocument, schema: FieldSchema, kind: EntryKind, text: string): void {
  const bytes = Buffer.from(text)
  const start = out.reserve(bytes.length)
  out.bytes.set(bytes, start)
  out.add(schema, kind, start, start + bytes.length, ROOT)
}

/** Seals in this thread, but a few turns later, and from the form that another thread would receive. */
export class LateSealer implements Sealer {
  reaches(): boolean {
    return true
  }

  async run({ directory, buffer, nestedPaths, outputName }: SealJob): Promise<SealOutcome> {
    const packed = structuredClone(buffer.pack())
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
    const { chunks, docMap, live } = sealSegment(WriteBuffer.unpack(packed, { analyzer: reviveAnalyzer }), {
      nestedPaths,
    })
    directory.write(outputName, ...chunks)
    return structuredClone({ docMap, live })
  }

  async close(): Promise<void> {}
}

export class ShardFixture {
  readonly shard: Shard
  readonly #parsed = new ParsedDocument()

  private constructor(shard: Shard) {
    this.shard = shard
  }

  static async open(
    directory: Directory,
    options: Partial<ShardOptions> & { indexSort?: readonly IndexSortField[] } = {},
  ): Promise<ShardFixture> {
    const shard = await Shard.open({
      label: TEST_LABEL,
      directory,
      volatile: false,
      arena: Arena.create(256 * 1024 * 1024),
      settings: { 'index.refresh_interval': '-1' },
      indexSort: [],
      nestedPaths: () => ['c'],
      parser,
      ...options,
    })
    return new ShardFixture(shard)
  }

  index(
    id: string,
    document: TestDocument,
    options: { condition?: WriteCondition; create?: boolean; routing?: string; autoId?: boolean } = {},
  ): WriteResult {
    const source = Buffer.from(JSON.stringify(document))
    this.#parsed.reset()
    parseTestDocument(document, this.#parsed)
    return this.shard.index({
      idBytes: Buffer.from(id),
      routing: options.routing,
      source,
      storedSource: source,
      parsed: this.#parsed,
      schemas: TEST_SCHEMAS,
      create: options.create ?? false,
      autoId: options.autoId ?? false,
      isFound: false,
      condition: options.condition ?? NO_CONDITION,
    })
  }

  delete(id: string, condition: WriteCondition = NO_CONDITION): WriteResult {
    return this.shard.delete({ idBytes: Buffer.from(id), routing: undefined, condition })
  }

  get(id: string, realtime = true): StoredDocument | undefined {
    return this.shard.get(Buffer.from(id), realtime)
  }

  source(id: string, realtime = true): TestDocument | undefined {
    const bytes = this.get(id, realtime)?.source
    return bytes === undefined ? undefined : JSON.parse(Buffer.from(bytes).toString())
  }

  /** What a search of the newest view would find: version by id, and each id once. */
  visible(): Map<string, number> {
    const found = new Map<string, number>()
    for (const { reader, live } of this.shard.view.segments) {
      for (let doc = 0; doc < reader.docCount; doc++) {
        if (live !== undefined && ((live[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue
        if (reader.nested !== undefined && reader.nested.pathOf[doc] !== 0) continue
        const id = reader.id(doc)
        if (found.has(id)) throw new Error(`the view shows [${id}] twice`)
        found.set(id, reader.version(doc))
      }
    }
    return found
  }
}
