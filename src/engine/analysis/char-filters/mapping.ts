/** `mapping`: replaces texts by others, longest match first. */
import { illegalArgument, runtimeFailure } from '../../../base/api-error.ts'
import { decodeEscapes } from '../escapes.ts'
import type { CharFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import type { AnalysisEnvironment } from '../registry/component-types.ts'

export function mappingCharFilter(settings: ComponentSettings, environment: AnalysisEnvironment): CharFilter {
  const path = settings.string('mappings_path')
  const rules = path === undefined ? settings.list('mappings') : environment.readLines('mappings_path', path)
  if (rules === undefined)
    throw illegalArgument('mapping requires either `mappings` or `mappings_path` to be configured')
  return mapTexts(parseRules(rules))
}

/** Replaces each key by its value. */
export function mapTexts(replacements: ReadonlyMap<string, string>): CharFilter {
  // Keys by first character, longest first, so that the first match is the longest.
  const byFirst = new Map<string, string[]>()
  for (const key of [...replacements.keys()].sort((a, b) => b.length - a.length)) {
    byFirst.set(key[0]!, [...(byFirst.get(key[0]!) ?? []), key])
  }
  return (input) => {
    const { text } = input
    const output = input.rewrite()
    let copied = 0
    for (let i = 0; i < text.length; ) {
      const key = byFirst.get(text[i]!)?.find((candidate) => text.startsWith(candidate, i))
      if (key === undefined) {
        i++
        continue
      }
      output.append(text.slice(copied, i))
      output.replace(key.length, replacements.get(key)!)
      i += key.length
      copied = i
    }
    output.append(text.slice(copied))
    return output.finish()
  }
}

function parseRules(rules: readonly string[]): Map<string, string> {
  const map = new Map<string, string>()
  for (const rule of rules) {
    const match = /^(.*)\s*=>\s*(.*)\s*$/s.exec(rule)
    if (match === null) throw runtimeFailure(`Invalid Mapping Rule : [${rule}]`)
    const key = decodeEscapes(match[1]!.trim())
    if (key === '') throw illegalArgument('cannot match the empty string')
    if (map.has(key)) throw illegalArgument(`match "${key}" was already added`)
    map.set(key, decodeEscapes(match[2]!.trim()))
  }
  return map
}
