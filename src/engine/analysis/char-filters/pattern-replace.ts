/** `pattern_replace`: replaces the matches of a regular expression. */
import { illegalArgument } from '../../../base/api-error.ts'
import { javaFlags, javaPattern, javaReplacement } from '../java-pattern.ts'
import type { CharFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'

export function patternReplaceCharFilter(settings: ComponentSettings): CharFilter {
  const pattern = settings.string('pattern')
  if (pattern === undefined || pattern === '') {
    throw illegalArgument(`pattern is missing for [${settings.name}] char filter of type 'pattern_replace'`)
  }
  const compiled = javaPattern(pattern, javaFlags(settings.string('flags')))
  const replacement = javaReplacement(settings.string('replacement') ?? '')
  return (input) => {
    const { text } = input
    const output = input.rewrite()
    let at = 0
    for (const match of compiled.matchesIn(text)) {
      output.append(text.slice(at, match.start()))
      output.replace(match.end() - match.start(), replacement(match))
      at = match.end()
    }
    output.append(text.slice(at))
    return output.finish()
  }
}
