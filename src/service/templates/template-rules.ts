/** Rules for the names, patterns and settings of templates. Problems are collected. */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { invalidTemplate } from '../../base/errors/index-errors.ts'
import type { IndexTemplate, TemplateContent } from '../metadata/metadata.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import { FORBIDDEN_SHOWN, hasForbiddenCharacter } from '../names/name-rules.ts'
import { checkEachSetting, checkNewIndexSettings, privateSettingProblems } from '../settings/update-settings.ts'
import { anyOverlap } from './pattern-overlap.ts'

export function checkTemplate(name: string, patterns: readonly string[], content: TemplateContent = {}): void {
  rejectProblems(name, [...nameProblems(name), ...patterns.flatMap(patternProblems), ...settingProblems(content)])
}

/** Settings of a component are validated together only when an index template is composed of it. */
export function checkComponent(name: string, { settings = {}, unset = [] }: TemplateContent): void {
  if (unset.includes(VERSION_CREATED)) {
    throw illegalArgument(`[${VERSION_CREATED}] is not present in the index settings for index with UUID [_na_]`)
  }
  rejectProblems(name, [...nameProblems(name), ...privateSettingProblems(settings)])
}

const VERSION_CREATED = 'index.version.created'

function rejectProblems(name: string, problems: readonly string[]): void {
  if (problems.length === 0) return
  const list = problems.map((problem, i) => `${i + 1}: ${problem};`).join('')
  throw invalidTemplate(name, `Validation Failed: ${list}`)
}

function nameProblems(name: string): string[] {
  const problems: string[] = []
  if (name.includes(' ')) problems.push('name must not contain a space')
  if (name.includes(',')) problems.push("name must not contain a ','")
  if (name.includes('#')) problems.push("name must not contain a '#'")
  if (name.includes('*')) problems.push("name must not contain a '*'")
  if (name.startsWith('_')) problems.push("name must not start with '_'")
  if (name.toLowerCase() !== name) problems.push('name must be lower cased')
  return problems
}

function patternProblems(pattern: string): string[] {
  const problems: string[] = []
  if (pattern.includes(' ')) problems.push(`index_patterns [${pattern}] must not contain a space`)
  if (pattern.includes(',')) problems.push(`index_pattern [${pattern}] must not contain a ','`)
  if (pattern.includes('#')) problems.push(`index_pattern [${pattern}] must not contain a '#'`)
  if (pattern.includes(':')) problems.push(`index_pattern [${pattern}] must not contain a ':'`)
  if (pattern.startsWith('_')) problems.push(`index_pattern [${pattern}] must not start with '_'`)
  if (hasForbiddenCharacter(pattern.replaceAll('*', ''))) {
    problems.push(`index_pattern [${pattern}] must not contain the following characters ${FORBIDDEN_SHOWN}`)
  }
  return problems
}

function settingProblems({ settings = {}, unset }: TemplateContent): string[] {
  try {
    checkEachSetting(settings, unset)
    const problems = privateSettingProblems(settings, unset)
    if (problems.length === 0) checkNewIndexSettings(settings, unset)
    return problems
  } catch (error) {
    if (error instanceof ApiError) return [error.message]
    throw error
  }
}

/** Two templates with the same priority must not match the same name, because it would be ambiguous which applies. */
export function checkPriorityConflict(name: string, template: IndexTemplate, state: MetadataState): void {
  const priority = template.priority ?? 0
  const rivals = [...state.indexTemplates].filter(
    ([other, { patterns, priority: theirs }]) =>
      other !== name && (theirs ?? 0) === priority && anyOverlap(patterns, template.patterns),
  )
  if (rivals.length === 0) return
  throw illegalArgument(
    `index template [${name}] has index patterns [${template.patterns.join(', ')}] matching patterns from existing templates ` +
      `[${rivals.map(([other]) => other).join(',')}] with patterns (${describe(rivals)}) that have the same priority ` +
      `[${priority}], multiple index templates may not match during index creation, please use a different priority`,
  )
}

/** The warning for a composable template that hides legacy templates. */
export function legacyOverlapWarning(
  name: string,
  patterns: readonly string[],
  state: MetadataState,
): string | undefined {
  const legacy = [...state.legacyTemplates].filter(([, template]) => anyOverlap(template.patterns, patterns))
  if (legacy.length === 0) return undefined
  return (
    `index template [${name}] has index patterns [${patterns.join(', ')}] matching patterns from existing older templates ` +
    `[${legacy.map(([other]) => other).join(',')}] with patterns (${describe(legacy)}); this template [${name}] will take ` +
    'precedence during new index creation'
  )
}

/** A legacy template below a composable one would never apply, unless it matches everything. */
export function checkLegacyConflict(
  name: string,
  patterns: readonly string[],
  state: MetadataState,
): string | undefined {
  const composable = [...state.indexTemplates].filter(([, template]) => anyOverlap(template.patterns, patterns))
  if (composable.length === 0) return undefined
  const text =
    `legacy template [${name}] has index patterns [${patterns.join(', ')}] matching patterns from existing composable ` +
    `templates [${composable.map(([other]) => other).join(',')}] with patterns (${describe(composable)})`
  const former = state.legacyTemplates.get(name)?.patterns
  const isUnchanged = former !== undefined && sameNames(former, patterns)
  if (isUnchanged || patterns.includes('*'))
    return `${text}; this template [${name}] may be ignored in favor of a composable template at index creation time`
  throw illegalArgument(`${text}, use composable templates (/_index_template) instead`)
}

const sameNames = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((name) => b.includes(name))

const describe = (templates: readonly (readonly [string, { readonly patterns: readonly string[] }])[]) =>
  templates.map(([name, { patterns }]) => `${name} => [${patterns.join(', ')}]`).join(',')
