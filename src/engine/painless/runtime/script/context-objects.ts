/**
 * Objects that contexts pass to their scripts: an interval, a token, the statistics of a similarity. Only getters are
 * visible.
 */
import { JObject } from '../java-object.ts'

/** `interval` of an intervals filter. */
export class IntervalObject extends JObject {
  readonly #start: number
  readonly #end: number
  readonly #gaps: number

  constructor(start: number, end: number, gaps: number) {
    super()
    this.#start = start
    this.#end = end
    this.#gaps = gaps
  }

  get $class(): string {
    return 'org.elasticsearch.index.query.IntervalFilterScript.Interval'
  }

  getStart_0(): number {
    return this.#start
  }

  getEnd_0(): number {
    return this.#end
  }

  getGaps_0(): number {
    return this.#gaps
  }
}

export interface TokenMembers {
  readonly term: string
  readonly position: number
  readonly positionIncrement: number
  readonly positionLength: number
  readonly startOffset: number
  readonly endOffset: number
  readonly type: string
  readonly keyword: boolean
}

/** `token` of the token filters with a condition. */
export class TokenObject extends JObject {
  readonly #members: TokenMembers

  constructor(members: TokenMembers) {
    super()
    this.#members = members
  }

  get $class(): string {
    return 'org.elasticsearch.analysis.common.AnalysisPredicateScript.Token'
  }

  getTerm_0(): string {
    return this.#members.term
  }

  getPosition_0(): number {
    return this.#members.position
  }

  getPositionIncrement_0(): number {
    return this.#members.positionIncrement
  }

  getPositionLength_0(): number {
    return this.#members.positionLength
  }

  getStartOffset_0(): number {
    return this.#members.startOffset
  }

  getEndOffset_0(): number {
    return this.#members.endOffset
  }

  getType_0(): string {
    return this.#members.type
  }

  isKeyword_0(): boolean {
    return this.#members.keyword
  }
}

/** `query` of a scripted similarity. */
export class SimilarityQuery extends JObject {
  readonly #boost: number

  constructor(boost: number) {
    super()
    this.#boost = boost
  }

  get $class(): string {
    return 'org.elasticsearch.index.similarity.ScriptedSimilarity.Query'
  }

  getBoost_0(): number {
    return this.#boost
  }
}

/** `field` of a scripted similarity. */
export class SimilarityField extends JObject {
  readonly #docCount: bigint
  readonly #sumDocFreq: bigint
  readonly #sumTotalTermFreq: bigint

  constructor(docCount: number, sumDocFreq: number, sumTotalTermFreq: number) {
    super()
    this.#docCount = BigInt(docCount)
    this.#sumDocFreq = BigInt(sumDocFreq)
    this.#sumTotalTermFreq = BigInt(sumTotalTermFreq)
  }

  get $class(): string {
    return 'org.elasticsearch.index.similarity.ScriptedSimilarity.Field'
  }

  getDocCount_0(): bigint {
    return this.#docCount
  }

  getSumDocFreq_0(): bigint {
    return this.#sumDocFreq
  }

  getSumTotalTermFreq_0(): bigint {
    return this.#sumTotalTermFreq
  }
}

/** `term` of a scripted similarity. */
export class SimilarityTerm extends JObject {
  readonly #docFreq: bigint
  readonly #totalTermFreq: bigint

  constructor(docFreq: number, totalTermFreq: number) {
    super()
    this.#docFreq = BigInt(docFreq)
    this.#totalTermFreq = BigInt(totalTermFreq)
  }

  get $class(): string {
    return 'org.elasticsearch.index.similarity.ScriptedSimilarity.Term'
  }

  getDocFreq_0(): bigint {
    return this.#docFreq
  }

  getTotalTermFreq_0(): bigint {
    return this.#totalTermFreq
  }
}

/** `doc` of a scripted similarity. One object is used for all documents. */
export class SimilarityDoc extends JObject {
  length = 0
  freq = 0

  get $class(): string {
    return 'org.elasticsearch.index.similarity.ScriptedSimilarity.Doc'
  }

  getLength_0(): number {
    return this.length
  }

  getFreq_0(): number {
    return this.freq
  }
}
