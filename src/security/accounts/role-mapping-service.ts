/** Creates, updates, shows and deletes role mappings, which give roles to users of client certificates. */
import { parseFailure, validationFailed } from '../../base/api-error.ts'
import { isObject, readBoolean, readStrings, tokenName } from '../model/object-reader.ts'
import type { RoleMapping, RoleTemplate } from '../model/role-mapping.ts'
import { withMember } from '../store/security-state.ts'
import type { SecurityStore } from '../store/security-store.ts'

export class RoleMappingService {
  readonly #store: SecurityStore

  constructor(store: SecurityStore) {
    this.#store = store
  }

  all(): [string, RoleMapping][] {
    return [...this.#store.state.roleMappings]
  }

  /** Returns whether the mapping is new. */
  async put(name: string, body: unknown): Promise<boolean> {
    const mapping = parseMapping(body)
    return this.#store.update((state) => ({
      state: withMember(state, 'roleMappings', name, mapping),
      result: !state.roleMappings.has(name),
    }))
  }

  async remove(name: string): Promise<boolean> {
    return this.#store.update((state) => {
      if (!state.roleMappings.has(name)) return { state, result: false }
      return { state: withMember(state, 'roleMappings', name, undefined), result: true }
    })
  }
}

export function printMapping({ enabled, roles, roleTemplates, rules, metadata }: RoleMapping): Record<string, unknown> {
  return {
    enabled,
    ...(roleTemplates.length === 0 ? { roles } : { role_templates: roleTemplates }),
    rules,
    metadata,
  }
}

function parseMapping(body: unknown): RoleMapping {
  if (!isObject(body)) throw parseFailure('failed to parse role-mapping. expected an object')
  const { enabled = true, roles, role_templates: templates, rules, metadata = {}, ...rest } = body
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw parseFailure(`failed to parse role-mapping. unexpected field [${unknown}]`)
  const problems: string[] = []
  const names = roles === undefined ? [] : readStrings(roles, () => parseFailure('[roles] must be a list of strings'))
  const templateList = templates === undefined ? [] : parseTemplates(templates)
  if (names.length === 0 && templateList.length === 0) problems.push('role-mapping roles or role-templates are missing')
  if (names.length > 0 && templateList.length > 0)
    problems.push('role-mapping cannot have both roles and role-templates')
  if (rules === undefined || rules === null) problems.push('role-mapping rules are missing')
  if (!isObject(metadata)) throw parseFailure('[metadata] must be an object')
  if (Object.keys(metadata).some((key) => key.startsWith('_'))) problems.push('metadata keys may not start with [_]')
  if (problems.length > 0) throw validationFailed(...problems)
  checkRule(rules)
  return {
    enabled: readBoolean(enabled, 'enabled'),
    roles: names,
    roleTemplates: templateList,
    rules: rules as Record<string, unknown>,
    metadata,
  }
}

function parseTemplates(templates: unknown): RoleTemplate[] {
  if (!Array.isArray(templates)) throw parseFailure('[role_templates] must be an array')
  return templates.map((entry) => {
    if (!isObject(entry)) throw parseFailure('[role-mapping-template] expected an object')
    const { template, format = 'string', ...rest } = entry
    const [unknown] = Object.keys(rest)
    if (unknown !== undefined) throw parseFailure(`[role-mapping-template] unknown field [${unknown}]`)
    if (template === undefined) throw parseFailure('Required [template]')
    if (format !== 'string' && format !== 'json') {
      throw parseFailure(`Invalid format [${String(format)}] expected one of [json,string]`)
    }
    const text = typeof template === 'string' ? template : JSON.stringify(template)
    checkTemplate(text)
    return { template: text, format }
  })
}

/** A template is a JSON object with `source` or `id`. */
function checkTemplate(text: string): void {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw parseFailure('failed to parse role-mapping. a template must be a JSON object with [source] or [id]')
  }
  if (!isObject(parsed) || (parsed['source'] === undefined && parsed['id'] === undefined)) {
    throw parseFailure('failed to parse role-mapping. a template must be a JSON object with [source] or [id]')
  }
}

/** A rule is one of `field`, `any`, `all` and `except`. */
function checkRule(rule: unknown): void {
  if (!isObject(rule))
    throw parseFailure(`failed to parse rules expression. expected an object but found [${tokenName(rule)}]`)
  const entries = Object.entries(rule)
  const [entry] = entries
  if (entry === undefined || entries.length > 1) {
    throw parseFailure(
      `failed to parse rules expression. expected a single field name within an object but found [${entries.length}]`,
    )
  }
  const [kind, content] = entry
  if (kind === 'any' || kind === 'all') {
    if (!Array.isArray(content))
      throw parseFailure(`failed to parse rules expression. expected field [${kind}] to be an array`)
    for (const inner of content) checkRule(inner)
  } else if (kind === 'except') checkRule(content)
  else if (kind === 'field') {
    if (!isObject(content) || Object.keys(content).length !== 1) {
      throw parseFailure('failed to parse rules expression. expected a single field in [field]')
    }
    const [value] = Object.values(content)
    if (isObject(value) || (Array.isArray(value) && (value.length === 0 || value.some(isContainer)))) {
      throw parseFailure(
        `failed to parse rules expression. expected a field value but found [${tokenName(value)}] instead`,
      )
    }
  } else throw parseFailure(`failed to parse rules expression. field [${kind}] is not recognised in a rule`)
}

const isContainer = (value: unknown) => isObject(value) || Array.isArray(value)
