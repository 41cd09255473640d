/** `script`: documents for which a script returns true. */
import { hasBit, setBit } from '../../../base/bit-set.ts'
import { END_OBJECT, FIELD_NAME, START_ARRAY } from '../../../base/json/json-reader.ts'
import { scriptFieldsOf } from '../../mapping/runtime-field-types.ts'
import { readScript } from '../../request/script.ts'
import { checkExpensive, constantTexts, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { ConstantScorer } from '../../scoring/scorers/constant-scorer.ts'
import { bitsToDocs, releaseScratch, takeScratch } from '../../scoring/window.ts'
import { DocumentScript, type OpenScript, scriptText } from '../../scripts/document-script.ts'
import type { Script } from '../../scripts/script.ts'
import { NO_MORE_DOCS, type SegmentView } from '../../segment/segment-reader-api.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { scriptDocuments } from './script-documents.ts'

class ScriptQuery extends QueryNode {
  override readonly kind = 'script'
  readonly script: Script

  constructor(script: Script, options: ClauseOptions) {
    super(options)
    this.script = script
  }

  protected override bind(context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    checkExpensive(context, '[script] queries')
    const script = new DocumentScript(this.script, 'filter', scriptFieldsOf(context.mapping))
    return {
      scorer: (segment) =>
        new ScriptScorer(script.open(segment.reader), segment, scriptDocuments(context, segment), boost),
      ...constantTexts(boost, () => `ScriptQuery(${scriptText(this.script)})`),
    }
  }
}

/** Runs the script only for the documents that the search visits, because it may fail for others. */
class ScriptScorer extends ConstantScorer {
  readonly cost: number
  readonly #script: OpenScript
  readonly #asked: Uint32Array | undefined
  #results = new Uint8Array(0)

  constructor(script: OpenScript, { reader }: SegmentView, asked: Uint32Array | undefined, score: number) {
    super(score)
    this.cost = reader.docCount
    this.#script = script
    this.#asked = asked
  }

  override get canLookUp(): boolean {
    return true
  }

  override next(target: number): number {
    return target < this.cost ? target : NO_MORE_DOCS
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    const scratch = takeScratch()
    const { docs } = scratch
    let count = 0
    for (let doc = base; doc < limit; doc++) docs[count++] = doc
    count = this.#matching(docs, count)
    for (let i = 0; i < count; i++) setBit(bits, docs[i]! - base)
    releaseScratch(scratch)
  }

  override narrow(base: number, _limit: number, bits: Uint32Array): void {
    const scratch = takeScratch()
    const { docs } = scratch
    const count = this.#matching(docs, bitsToDocs(bits, base, docs))
    bits.fill(0)
    for (let i = 0; i < count; i++) setBit(bits, docs[i]! - base)
    releaseScratch(scratch)
  }

  protected override keep(_base: number, _limit: number, docs: Int32Array, count: number): number {
    return this.#matching(docs, count)
  }

  /** Moves the documents for which the script returns true to the front, and returns their number. */
  #matching(docs: Int32Array, count: number): number {
    const asked = this.#asked
    let wanted = count
    if (asked !== undefined) {
      wanted = 0
      for (let i = 0; i < count; i++) if (hasBit(asked, docs[i]!)) docs[wanted++] = docs[i]!
    }
    if (this.#results.length < wanted) this.#results = new Uint8Array(wanted)
    const results = this.#results
    this.#script.runBlock(docs, wanted, results)
    let kept = 0
    for (let i = 0; i < wanted; i++) if (results[i] === 1) docs[kept++] = docs[i]!
    return kept
  }
}

export const scriptClause: QueryClause = {
  name: 'script',
  parse(reader) {
    const options = newOptions()
    let script: Script | undefined
    while (reader.next() !== END_OBJECT) {
      if (reader.is(FIELD_NAME)) continue
      const member = reader.name
      if (member === 'script' && reader.is(START_ARRAY)) {
        throw reader.parsingError(
          '[script] query does not support an array of scripts. Use a bool query with a clause per script instead.',
        )
      }
      if (member === 'script') script = readScript(reader)
      else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'script', member)
    }
    if (script === undefined) throw reader.parsingError('script must be provided with a [script] filter')
    return new ScriptQuery(script, options)
  },
}
