/** `scripted` similarities: a script makes the score of a term of its frequency, the field's length and the statistics of the shard. */
import { illegalArgument } from '../../base/api-error.ts'
import { formatDouble, formatFloat } from '../../base/json/json-writer.ts'
import {
  type ScriptInstance,
  SimilarityDoc,
  SimilarityField,
  SimilarityQuery,
  SimilarityTerm,
} from '../painless/index.ts'
import { compile } from './compile-script.ts'
import { scriptText } from './document-script.ts'
import type { Script } from './script.ts'

export interface ScriptedSimilarity {
  readonly script: Script
  /** Makes the part of the score that is the same for all documents; without one it is 1. */
  readonly weightScript: Script | undefined
}

export interface ScriptedStatistics {
  readonly docCount: number
  readonly sumDocFreq: number
  readonly sumTotalTermFreq: number
}

export interface ScriptedTerm {
  readonly docFreq: number
  readonly totalTermFreq: number
}

/** A number and what it was computed from. */
export interface ScorePart {
  readonly value: number
  readonly description: string
  /** A whole number, which is printed without a fraction. */
  readonly isCount: boolean
  readonly details: readonly ScorePart[]
}

const part = (value: number, description: string, details: readonly ScorePart[] = []): ScorePart => ({
  value,
  description,
  isCount: false,
  details,
})
const counted = (value: number, description: string): ScorePart => ({ ...part(value, description), isCount: true })

const f = Math.fround

/** The score of one term, or the sum of those of a phrase's terms. */
export class ScriptedScorer {
  readonly #scripted: ScriptedSimilarity
  readonly #boost: number
  readonly #statistics: ScriptedStatistics
  readonly #terms: readonly ScriptedTerm[]
  readonly #weights: readonly number[]
  readonly #instances: readonly ScriptInstance[]
  readonly #doc = new SimilarityDoc()

  constructor(
    scripted: ScriptedSimilarity,
    boost: number,
    statistics: ScriptedStatistics,
    terms: readonly ScriptedTerm[],
  ) {
    this.#scripted = scripted
    this.#boost = boost
    this.#statistics = statistics
    this.#terms = terms
    this.#weights = terms.map((term) => this.#weight(term))
    this.#instances = terms.map((term, i) => {
      const instance = this.#open(scripted.script, 'similarity', term)
      instance.set('weight', this.#weights[i]!)
      instance.set('doc', this.#doc)
      return instance
    })
  }

  #open(script: Script, context: 'similarity' | 'similarity_weight', term: ScriptedTerm): ScriptInstance {
    const { docCount, sumDocFreq, sumTotalTermFreq } = this.#statistics
    const instance = compile(script, context, undefined, false).newInstance({ params: script.params })
    instance.set('query', new SimilarityQuery(this.#boost))
    instance.set('field', new SimilarityField(docCount, sumDocFreq, sumTotalTermFreq))
    instance.set('term', new SimilarityTerm(term.docFreq, term.totalTermFreq))
    return instance
  }

  #weight(term: ScriptedTerm): number {
    const { weightScript } = this.#scripted
    return weightScript === undefined ? 1 : (this.#open(weightScript, 'similarity_weight', term).execute() as number)
  }

  score(freq: number, length: number): number {
    this.#doc.freq = freq
    this.#doc.length = length
    let sum = 0
    for (const instance of this.#instances) sum += f(instance.execute() as number)
    return f(sum)
  }

  explain(freq: number, length: number): ScorePart {
    const { docCount, sumDocFreq, sumTotalTermFreq } = this.#statistics
    const each = this.#terms.map(({ docFreq, totalTermFreq }, i) => {
      this.#doc.freq = freq
      this.#doc.length = length
      return part(f(this.#instances[i]!.execute() as number), `score from ${this.#text()} computed from:`, [
        part(f(this.#weights[i]!), 'weight'),
        part(this.#boost, 'query.boost'),
        counted(docCount, 'field.docCount'),
        counted(sumDocFreq, 'field.sumDocFreq'),
        counted(sumTotalTermFreq, 'field.sumTotalTermFreq'),
        counted(docFreq, 'term.docFreq'),
        counted(totalTermFreq, 'term.totalTermFreq'),
        counted(freq, 'doc.freq'),
        counted(length, 'doc.length'),
      ])
    })
    return each.length === 1 ? each[0]! : part(this.score(freq, length), 'sum of:', each)
  }

  #text(): string {
    const { script, weightScript } = this.#scripted
    const weight = weightScript === undefined ? 'null' : scriptText(weightScript)
    return `ScriptedSimilarity(weightScript=[${weight}], script=[${scriptText(script)}])`
  }
}

const SAMPLE = { docCount: 1100, sumDocFreq: 2000, sumTotalTermFreq: 3000 }
const SAMPLE_TERM = { docFreq: 100, totalTermFreq: 130 }
const SAMPLE_LENGTH = 20

/** Searches skip documents that cannot be among the best: scores must not be negative, sink with the frequency or rise with the length. */
export function checkScriptedSimilarity(scripted: ScriptedSimilarity): void {
  const scorer = new ScriptedScorer(scripted, 2, SAMPLE, [SAMPLE_TERM])
  const shown = (freq: number, length: number) => printed(scorer.explain(freq, length))
  for (let freq = 1; freq <= 10; freq++) {
    if (scorer.score(freq, SAMPLE_LENGTH) < 0) {
      throw illegalArgument(`Similarities should not return negative scores:\n${shown(freq, SAMPLE_LENGTH)}`)
    }
  }
  for (let freq = 2; freq <= 10; freq++) {
    if (scorer.score(freq, SAMPLE_LENGTH) < scorer.score(freq - 1, SAMPLE_LENGTH)) {
      throw illegalArgument(
        'Similarity scores should not decrease when term frequency increases:\n' +
          `${shown(freq - 1, SAMPLE_LENGTH)}\n${shown(freq, SAMPLE_LENGTH)}`,
      )
    }
  }
  for (let length = 2; length <= SAMPLE_LENGTH; length++) {
    if (scorer.score(1, length) > scorer.score(1, length - 1)) {
      throw illegalArgument(
        `Similarity scores should not increase when norm increases:\n${shown(1, length - 1)}\n${shown(1, length)}`,
      )
    }
  }
}

/** As Lucene prints explanations: a line each, indented by depth. */
function printed({ value, description, details }: ScorePart): string {
  const number = (one: ScorePart) => (one.isCount ? String(one.value) : formatFloat(one.value))
  const lines = details.map((one) => `  ${number(one)} = ${one.description}\n`)
  return `${Number.isFinite(value) ? formatFloat(value) : formatDouble(value)} = ${description}\n${lines.join('')}`
}
