/** The similarities of an index: those defined by its settings, and the two built-in ones. */

import { illegalArgument } from '../../base/api-error.ts'
import { formatDouble } from '../../base/json/json-writer.ts'
import { newMembers } from '../../base/json/members.ts'
import { ComponentSettings, type SettingValue } from '../analysis/registry/component-settings.ts'
import { scriptOf } from '../scripts/script.ts'
import { checkScriptedSimilarity, type ScriptedSimilarity } from '../scripts/scripted-similarity.ts'

/** BM25 with its two parameters, or a constant score of one for every matching term. */
export interface FieldSimilarity {
  readonly k1: number
  readonly b: number
  readonly isConstant?: boolean
  /** Lucene's own BM25, without the constant factor that Elasticsearch keeps. */
  readonly isPlain?: boolean
  /** A script makes the scores instead. */
  readonly scripted?: ScriptedSimilarity
}

const BM25: FieldSimilarity = { k1: 1.2, b: 0.75 }
export const PLAIN_BM25: FieldSimilarity = { ...BM25, isPlain: true }
const BOOLEAN: FieldSimilarity = { ...BM25, isConstant: true }
const PREFIX = 'index.similarity.'
const DEFAULT = 'default'

export class Similarities {
  readonly #byName: ReadonlyMap<string, FieldSimilarity>

  constructor(named: ReadonlyMap<string, FieldSimilarity> = new Map()) {
    this.#byName = new Map([...named, ['BM25', BM25], ['boolean', BOOLEAN]])
  }

  /** Parses `index.similarity.*` of flat settings; throws Elasticsearch's error for an invalid definition. */
  static fromSettings(settings: Readonly<Record<string, unknown>>): Similarities {
    const groups = new Map<string, Map<string, SettingValue>>()
    for (const [key, value] of Object.entries(settings)) {
      if (!key.startsWith(PREFIX)) continue
      const rest = key.slice(PREFIX.length)
      const dot = rest.indexOf('.')
      if (dot < 0) throw illegalArgument(`[${key}] is no similarity: it has no settings of its own`)
      const name = rest.slice(0, dot)
      let group = groups.get(name)
      if (group === undefined) groups.set(name, (group = new Map()))
      group.set(rest.slice(dot + 1), value as SettingValue)
    }
    const named = new Map<string, FieldSimilarity>()
    for (const [name, values] of groups) named.set(name, parseSimilarity(name, new ComponentSettings(name, values)))
    return new Similarities(named)
  }

  has(name: string): boolean {
    return this.#byName.has(name)
  }

  /** The similarity of a field: the one it names, else the default of the index. */
  of(name: string | undefined): FieldSimilarity {
    return this.#byName.get(name ?? DEFAULT) ?? BM25
  }
}

export const BUILT_IN_SIMILARITIES = new Similarities()

function parseSimilarity(name: string, settings: ComponentSettings): FieldSimilarity {
  if (name === 'BM25' || name === 'boolean') {
    throw illegalArgument(`illegal value for [${PREFIX}${name}] cannot redefine built-in similarity`)
  }
  const type = settings.string('type')
  if (type === undefined) throw illegalArgument(`Similarity [${name}] must have an associated type`)
  if (type === 'boolean') {
    refuseUnknown(settings, type, [])
    return BOOLEAN
  }
  if (type === 'scripted') return scriptedSimilarity(settings)
  if (type !== 'BM25') throw illegalArgument(`Unknown Similarity type [${type}] for [${name}]`)
  refuseUnknown(settings, type, ['k1', 'b', 'discount_overlaps'])
  const k1 = settings.float('k1', BM25.k1)
  const b = settings.float('b', BM25.b)
  settings.boolean('discount_overlaps', true)
  if (!(k1 >= 0) || k1 === Number.POSITIVE_INFINITY) {
    throw illegalArgument(`illegal k1 value: ${formatDouble(k1)}, must be a non-negative finite value`)
  }
  if (!(b >= 0 && b <= 1)) throw illegalArgument(`illegal b value: ${formatDouble(b)}, must be between 0 and 1`)
  return { k1, b }
}

/** `script.source`, `script.params.x`, `weight_script.source` … */
function scriptedSimilarity(settings: ComponentSettings): FieldSimilarity {
  const given = (prefix: string): Record<string, unknown> | undefined => {
    const members: Record<string, unknown> = newMembers()
    const params: Record<string, unknown> = newMembers()
    for (const key of settings.keys()) {
      if (!key.startsWith(prefix)) continue
      const member = key.slice(prefix.length)
      if (member.startsWith('params.')) params[member.slice('params.'.length)] = settings.string(key)
      else members[member] = settings.string(key)
    }
    const isGiven = Object.keys(members).length + Object.keys(params).length > 0
    return isGiven ? { ...members, ...(Object.keys(params).length > 0 ? { params } : {}) } : undefined
  }
  const weight = given('weight_script.')
  const scripted: ScriptedSimilarity = {
    script: scriptOf(given('script.') ?? {}),
    weightScript: weight && scriptOf(weight),
  }
  checkScriptedSimilarity(scripted)
  return { ...BM25, scripted }
}

function refuseUnknown(settings: ComponentSettings, type: string, known: readonly string[]): void {
  const unknown = [...settings.keys()].filter((key) => key !== 'type' && !known.includes(key))
  if (unknown.length > 0) {
    throw illegalArgument(`Unknown settings for similarity of type [${type}]: [${unknown.join(', ')}]`)
  }
}
