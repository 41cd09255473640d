/** How much more frequent a term is among the selected documents than in the background, by several heuristics. */
import { illegalArgument } from '../../../base/api-error.ts'
import { toJava } from '../../painless/index.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_OBJECT, type MemberParser } from '../../request/request-reader.ts'
import { ACCEPTS_SCRIPT, readScript } from '../../request/script.ts'
import { compile } from '../../scripts/compile-script.ts'
import type { Script } from '../../scripts/script.ts'

export interface TermCounts {
  /** Selected documents with the term, and all selected documents. */
  readonly subsetFreq: number
  readonly subsetSize: number
  /** Background documents with the term, and all background documents. */
  readonly supersetFreq: number
  readonly supersetSize: number
}

export type Heuristic = (counts: TermCounts) => number

/** The change of the frequency times its ratio. The default. */
export const jlh: Heuristic = ({ subsetFreq, subsetSize, supersetFreq, supersetSize }) => {
  if (subsetSize === 0 || supersetSize === 0) return 0
  const share = subsetFreq / subsetSize
  // A background that is not a superset may lack the term.
  const usual = Math.max(1, supersetFreq) / supersetSize
  return share <= usual ? 0 : (share - usual) * (share / usual)
}

/** A script makes the score; it sees the counts as parameters. */
function scripted(script: Script): Heuristic {
  return ({ subsetFreq, subsetSize, supersetFreq, supersetSize }) => {
    const counts = {
      _subset_freq: subsetFreq,
      _subset_size: subsetSize,
      _superset_freq: supersetFreq,
      _superset_size: supersetSize,
    }
    const params = { ...script.params, ...counts }
    const instance = compile(script, 'script_heuristic').newInstance({ params })
    instance.set('params', toJava(params))
    return instance.execute() as number
  }
}

const percentage: Heuristic = ({ subsetFreq, supersetFreq }) => (supersetFreq === 0 ? 0 : subsetFreq / supersetFreq)

/** Documents by whether they have the term (first index) and are selected (second). */
interface Table {
  readonly n00: number
  readonly n01: number
  readonly n10: number
  readonly n11: number
}

function tableOf(counts: TermCounts, isSuperset: boolean): Table {
  const { subsetFreq, subsetSize, supersetFreq, supersetSize } = counts
  const n01 = subsetSize - subsetFreq
  if (isSuperset) checkSuperset(counts)
  if (!isSuperset) return { n00: supersetSize - supersetFreq, n01, n10: supersetFreq, n11: subsetFreq }
  return { n00: supersetSize - supersetFreq - n01, n01, n10: supersetFreq - subsetFreq, n11: subsetFreq }
}

/** A background filter may exclude selected documents, which makes numbers of the table negative. */
function checkSuperset({ subsetFreq, subsetSize, supersetFreq, supersetSize }: TermCounts): void {
  const wrong =
    subsetFreq > supersetFreq
      ? 'subsetFreq > supersetFreq'
      : subsetSize > supersetSize
        ? 'subsetSize > supersetSize'
        : supersetFreq - subsetFreq > supersetSize - subsetSize
          ? 'supersetFreq - subsetFreq > supersetSize - subsetSize'
          : undefined
  if (wrong === undefined) return
  throw illegalArgument(
    `${wrong}, does your background filter not include all documents in the bucket? If so and it is intentional, set ` +
      '"background_is_superset": false\n',
  )
}

interface TableOptions {
  isSuperset: boolean
  includeNegatives: boolean
}

/** Terms that are less frequent among the selected documents are insignificant unless requested. */
function isNegative({ n00, n01, n10, n11 }: Table): boolean {
  return n11 / (n01 + n11) < n10 / (n00 + n10)
}

/** A heuristic for terms that may be more or less frequent than expected. */
const overTable =
  (measure: (table: Table, all: number) => number) =>
  ({ isSuperset, includeNegatives }: TableOptions): Heuristic =>
  (counts) => {
    const table = tableOf(counts, isSuperset)
    if (!includeNegatives && isNegative(table)) return Number.NEGATIVE_INFINITY
    return measure(table, table.n00 + table.n01 + table.n10 + table.n11)
  }

const chiSquare = overTable(
  ({ n00, n01, n10, n11 }, all) =>
    (all * (n11 * n00 - n01 * n10) ** 2) / ((n01 + n11) * (n10 + n11) * (n00 + n01) * (n00 + n10)),
)

const mutualInformation = overTable(({ n00, n01, n10, n11 }, all) => {
  const part = (cell: number, row: number, docValues: number) =>
    cell === 0 ? 0 : (cell / all) * Math.log(Math.abs(all * cell) / Math.abs(row * docValues))
  const sum =
    part(n00, n00 + n01, n00 + n10) +
    part(n01, n00 + n01, n01 + n11) +
    part(n10, n10 + n11, n00 + n10) +
    part(n11, n10 + n11, n01 + n11)
  const score = sum / Math.LN2
  return Number.isNaN(score) ? Number.NEGATIVE_INFINITY : score
})

/** Google's normalized distance, inverted so that near terms score high. */
const googleDistance =
  ({ isSuperset }: TableOptions): Heuristic =>
  (counts) => {
    const { n00, n01, n10, n11 } = tableOf(counts, isSuperset)
    const withTerm = n10 + n11
    const chosen = n01 + n11
    if (n11 === 0) return 0
    if (withTerm === chosen && withTerm === n11) return 1
    const [x, y] = [Math.log(withTerm), Math.log(chosen)]
    const distance = (Math.max(x, y) - Math.log(n11)) / (Math.log(n00 + n01 + n10 + n11) - Math.min(x, y))
    return Math.exp(-distance)
  }

/** The members that select a heuristic. */
export function heuristicMembers(
  reader: RequestReader,
  set: (heuristic: Heuristic) => void,
): Record<string, MemberParser> {
  const plain = (name: string, heuristic: Heuristic): MemberParser => ({
    accepts: ACCEPTS_OBJECT,
    parse: () => {
      reader.parseObject(name, {})
      set(heuristic)
    },
  })
  const withTable = (
    name: string,
    make: (options: TableOptions) => Heuristic,
    hasNegatives: boolean,
  ): MemberParser => ({
    accepts: ACCEPTS_OBJECT,
    parse: () => {
      const options: TableOptions = { isSuperset: true, includeNegatives: false }
      const members: Record<string, MemberParser> = {
        background_is_superset: {
          accepts: ACCEPTS_BOOLEAN,
          parse: () => {
            options.isSuperset = reader.boolean()
          },
        },
      }
      if (hasNegatives) {
        members['include_negatives'] = {
          accepts: ACCEPTS_BOOLEAN,
          parse: () => {
            options.includeNegatives = reader.boolean()
          },
        }
      }
      reader.parseObject(name, members)
      set(make(options))
    },
  })
  return {
    jlh: plain('jlh', jlh),
    percentage: plain('percentage', percentage),
    chi_square: withTable('chi_square', chiSquare, true),
    mutual_information: withTable('mutual_information', mutualInformation, true),
    gnd: withTable('gnd', googleDistance, false),
    script_heuristic: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        let script: Script | undefined
        reader.parseObject('script_heuristic', {
          script: { accepts: ACCEPTS_SCRIPT, parse: () => (script = readScript(reader)) },
        })
        if (script === undefined) throw illegalArgument('Required [script]')
        set(scripted(script))
      },
    },
  }
}
