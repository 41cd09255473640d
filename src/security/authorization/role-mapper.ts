/** Evaluates role mappings for a user of an external realm. */
import { isPattern, type NameSet, nameSet } from '../../engine/limits/name-set.ts'
import type { RoleMapping, RoleTemplate } from '../model/role-mapping.ts'
import { normalizeName } from '../tls/distinguished-name.ts'

/** The facts that rules and templates can refer to. */
export interface MappedUser {
  readonly username: string
  readonly dn: string
  readonly groups: readonly string[]
  readonly realmName: string
  readonly metadata: Readonly<Record<string, unknown>>
}

/** Renders a search template, given as JSON, with parameters. */
export type RenderTemplate = (template: string, parameters: Readonly<Record<string, unknown>>) => string

/** The roles of all enabled mappings whose rules match, each once, sorted. */
export function mappedRoles(mappings: Iterable<RoleMapping>, user: MappedUser, render: RenderTemplate): string[] {
  const roles = new Set<string>()
  for (const { enabled, rules, roles: fixed, roleTemplates } of mappings) {
    if (!enabled || !matchesRule(rules, user)) continue
    for (const role of fixed) roles.add(role)
    for (const template of roleTemplates) for (const role of renderRoles(template, user, render)) roles.add(role)
  }
  return [...roles].sort()
}

/** A rule is one of `field`, `any`, `all` and `except`; its form was checked when the mapping was put. */
export function matchesRule(rule: Readonly<Record<string, unknown>>, user: MappedUser): boolean {
  const [[kind, content]] = Object.entries(rule) as [[string, unknown]]
  switch (kind) {
    case 'any':
      return (content as Record<string, unknown>[]).some((inner) => matchesRule(inner, user))
    case 'all':
      return (content as Record<string, unknown>[]).every((inner) => matchesRule(inner, user))
    case 'except':
      return !matchesRule(content as Record<string, unknown>, user)
    default: {
      const [[field, values]] = Object.entries(content as Record<string, unknown>) as [[string, unknown]]
      return (Array.isArray(values) ? values : [values]).some((value) => matchesField(field, value, user))
    }
  }
}

function matchesField(field: string, expected: unknown, user: MappedUser): boolean {
  switch (field) {
    case 'username':
      return matchesValue(user.username, expected)
    case 'realm.name':
      return matchesValue(user.realmName, expected)
    case 'dn':
      return matchesName(user.dn, expected)
    case 'groups':
      return user.groups.some((group) => matchesName(group, expected))
    default:
      return matchesValue(field.startsWith(METADATA) ? user.metadata[field.slice(METADATA.length)] : null, expected)
  }
}

const METADATA = 'metadata.'

/** A field without a value matches null only. */
function matchesValue(actual: unknown, expected: unknown): boolean {
  if (actual === undefined || actual === null) return expected === null
  if (Array.isArray(actual)) return actual.some((one) => matchesValue(one, expected))
  if (typeof actual !== 'string' || typeof expected !== 'string' || !isRulePattern(expected)) return actual === expected
  return patternOf(expected).has(actual)
}

/** A question mark alone makes no pattern. */
const isRulePattern = (value: string) => isPattern(value) && (value.includes('*') || value.startsWith('/'))

const patternOf = (pattern: string): NameSet => nameSet([pattern])

/** Distinguished names are equal if their normal forms are. `*,o=example` stands for everything below `o=example`. */
function matchesName(actual: string, expected: unknown): boolean {
  if (typeof expected !== 'string') return false
  const normal = normalizeName(actual)
  if (!isRulePattern(expected)) {
    if (expected.toLowerCase() === actual.toLowerCase()) return true
    return normal !== undefined && normal === (normalizeName(expected) ?? expected.toLowerCase())
  }
  const pattern = patternOf(expected)
  const forms = [actual, actual.toLowerCase(), actual.toUpperCase(), ...(normal === undefined ? [] : [normal])]
  if (forms.some((form) => pattern.has(form))) return true
  if (normal === undefined || !expected.startsWith('*,') || expected.includes('*', 1)) return false
  const parent = normalizeName(expected.slice('*,'.length))
  return parent !== undefined && normal.endsWith(`,${parent}`)
}

/** Throws if the result of a template in the format `json` is not a string or an array of strings. */
function renderRoles({ template, format }: RoleTemplate, user: MappedUser, render: RenderTemplate): string[] {
  const { username, dn, groups, realmName, metadata } = user
  // Mappings that an earlier version stored have the template as an object and may lack the format.
  const source = typeof template === 'string' ? template : JSON.stringify(template)
  const text = render(source, { username, dn, groups, metadata, realm: { name: realmName } })
  if (format !== 'json') return [text]
  const roles = JSON.parse(text) as unknown
  const list = Array.isArray(roles) ? roles.filter((role) => role !== null) : [roles]
  if (list.some((role) => typeof role !== 'string')) throw new Error('a role template must give strings')
  return list as string[]
}
