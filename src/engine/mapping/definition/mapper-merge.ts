/** Merges two definitions of one field or object, or throws Elasticsearch's conflict. */
import { type ApiError, illegalArgument } from '../../../base/api-error.ts'
import { mapperConflict, mapperException, objectOverField } from '../../../base/errors/mapping-errors.ts'
import { hashedText } from '../../values/java-text.ts'
import { AliasMapper, LeafMapper } from '../leaf-mapper.ts'
import type { Mapper, ObjectMapper, ObjectOptions } from '../object-mapper.ts'
import type { Parameter } from './parameter.ts'

export function mergeMappers(existing: Mapper, incoming: Mapper): Mapper {
  const conflict = kindConflict(existing, incoming)
  if (conflict !== undefined) throw conflict
  if (existing.kind === 'object') return mergeObjects(existing, incoming as ObjectMapper)
  if (existing.kind === 'alias') {
    if (incoming.kind === 'alias') return new AliasMapper(existing.name, existing.path, incoming.target)
    throw illegalArgument(
      `Cannot merge a field alias mapping [${existing.path}] with a mapping that is not for a field alias.`,
    )
  }
  if (incoming.kind === 'alias') throw typeChange(existing, 'FieldAliasMapper')
  return mergeLeaves(existing, incoming as LeafMapper)
}

function kindConflict(existing: Mapper, incoming: Mapper): ApiError | undefined {
  const wasNested = existing.kind === 'object' && existing.nested !== undefined
  const isNested = incoming.kind === 'object' && incoming.nested !== undefined
  if (wasNested !== isNested) {
    return illegalArgument(`can't merge a non-nested mapping [${incoming.path}] with a nested mapping`)
  }
  if ((existing.kind === 'object') !== (incoming.kind === 'object')) {
    return objectOverField(incoming.path)
  }
  return undefined
}

const typeChange = (existing: LeafMapper, type: string) =>
  illegalArgument(`mapper [${existing.path}] cannot be changed from type [${existing.type}] to [${type}]`)

export function mergeObjects(existing: ObjectMapper, incoming: ObjectMapper): ObjectMapper {
  const fixed = (name: string, where = ` for the object mapping [${existing.path || '_doc'}]`) =>
    mapperException(`the [${name}] parameter can't be updated${where}`)
  if (incoming.enabled !== undefined && incoming.enabled !== (existing.enabled ?? true)) throw fixed('enabled')
  if (incoming.subobjects !== undefined && incoming.subobjects !== (existing.subobjects ?? true)) {
    throw fixed('subobjects')
  }
  const nested = mergeNested(existing, incoming, (name) => fixed(name, ' on a nested object mapping'))
  return existing.with({
    dynamic: incoming.dynamic ?? existing.dynamic,
    enabled: incoming.enabled ?? existing.enabled,
    sourceKeep: incoming.sourceKeep ?? existing.sourceKeep,
    nested,
    children: mergeChildren(existing, incoming),
  })
}

function mergeNested(existing: ObjectMapper, incoming: ObjectMapper, fixed: (name: string) => Error) {
  const before = existing.nested
  const after = incoming.nested
  if (before === undefined || after === undefined) return before
  if (after.includeInParent !== undefined && after.includeInParent !== (before.includeInParent ?? false)) {
    throw fixed('include_in_parent')
  }
  if (after.includeInRoot !== undefined && after.includeInRoot !== (before.includeInRoot ?? false)) {
    throw fixed('include_in_root')
  }
  return {
    includeInParent: after.includeInParent ?? before.includeInParent,
    includeInRoot: after.includeInRoot ?? before.includeInRoot,
  }
}

function mergeChildren(existing: ObjectMapper, incoming: ObjectMapper): ReadonlyMap<string, Mapper> {
  if (incoming.children.size === 0) return existing.children
  const children = new Map(existing.children)
  const brought = existing.subobjects === false ? spread(existing, incoming) : incoming.children
  for (const [name, child] of brought) {
    const present = children.get(name)
    children.set(name, present === undefined ? child : mergeMappers(present, child))
  }
  return children
}

/** The fields of objects under `subobjects: false`, with the object names as prefixes. */
function spread(parent: ObjectMapper, added: ObjectMapper, prefix = ''): Map<string, Mapper> {
  const fields = new Map<string, Mapper>()
  for (const mapper of added.children.values()) {
    const name = `${prefix}${mapper.name}`
    if (mapper.kind === 'object') {
      checkSpread(parent, name, mapper)
      for (const [inner, field] of spread(parent, mapper, `${name}.`)) fields.set(inner, field)
    } else fields.set(name, named(mapper, name))
  }
  return fields
}

/** Rejects an object that cannot be replaced by its fields below a parent with `subobjects: false`. */
export function checkSpread(
  parent: ObjectMapper,
  name: string,
  { enabled, subobjects, dynamic }: Pick<ObjectOptions, 'enabled' | 'subobjects' | 'dynamic'>,
): void {
  const fail = (why: string) =>
    illegalArgument(
      `Object mapper [${name}] was found in a context where subobjects is set to false. Auto-flattening [${name}] failed because ${why}`,
    )
  if (enabled === false) throw fail('the value of [enabled] is [false]')
  if (subobjects === true) throw fail('the value of [subobjects] is [true]')
  const around = parent.dynamic ?? 'true'
  if (dynamic !== undefined && dynamic !== around) {
    throw fail(
      `the value of [dynamic] (${dynamic.toUpperCase()}) is not compatible with the value from its parent context (${around.toUpperCase()})`,
    )
  }
}

function named(mapper: LeafMapper | AliasMapper, name: string): Mapper {
  if (mapper.name === name) return mapper
  return mapper.kind === 'alias'
    ? new AliasMapper(name, mapper.path, mapper.target)
    : new LeafMapper({ ...mapper, name })
}

function mergeLeaves(existing: LeafMapper, incoming: LeafMapper): LeafMapper {
  if (existing.type !== incoming.type) throw typeChange(existing, incoming.type)
  const subFields = new Map(existing.subFields)
  for (const [name, sub] of incoming.subFields) {
    const present = subFields.get(name)
    subFields.set(name, present === undefined ? sub : mergeLeaves(present, sub))
  }
  const conflicts: string[] = []
  for (const parameter of existing.definition.parameters) {
    const from = existing.value(parameter.name)
    const to = incoming.value(parameter.name)
    if (mayChange(parameter, from, to)) continue
    for (const why of parameter.conflicts?.(from, to) ?? []) {
      conflicts.push(`Conflict in parameter [${parameter.name}]: ${why}`)
    }
    conflicts.push(
      `Cannot update parameter [${parameter.name}] from [${conflictText(parameter, from)}] to [${conflictText(parameter, to)}]`,
    )
  }
  if (conflicts.length > 0) {
    throw mapperConflict(existing.path, conflicts.join('\n\t'))
  }
  return new LeafMapper({
    definition: existing.definition,
    name: existing.name,
    path: existing.path,
    given: incoming.given,
    subFields,
    copyTo: incoming.copyTo,
  })
}

function mayChange(parameter: Parameter, from: unknown, to: unknown): boolean {
  if (hashedText(from) === hashedText(to)) return true
  return typeof parameter.updatable === 'function' ? parameter.updatable(from, to) : parameter.updatable
}

function conflictText(parameter: Parameter, value: unknown): string {
  return value === null ? 'null' : (parameter.describe?.(value) ?? hashedText(value))
}
