/** Rules between fields: targets of aliases and `copy_to`, and name collisions. */
import { illegalArgument } from '../../../base/api-error.ts'
import { mapperParsing } from '../../../base/errors/mapping-errors.ts'
import { JoinType, severalJoins } from '../field-types/join/join.ts'
import type { AliasMapper, LeafMapper } from '../leaf-mapper.ts'
import type { MappingLayout } from '../mapping-layout.ts'
import type { ObjectMapper } from '../object-mapper.ts'
import { METADATA_FIELDS, type RootDefinition } from './root-settings.ts'

export function validateReferences(definition: RootDefinition, layout: MappingLayout): void {
  for (const name of definition.object.children.keys()) {
    if (METADATA_FIELDS.includes(name)) throw mapperParsing(`Field [${name}] is defined more than once`)
  }
  validateObject(definition.object, undefined, layout)
  const joins = [...layout.types.values()].filter((type) => type instanceof JoinType).map(({ name }) => name)
  if (joins.length > 1) throw severalJoins(joins.sort().reverse())
  if (definition.settings.dataStreamTimestamp === true) validateTimestamp(layout)
}

function validateObject(object: ObjectMapper, nestedPath: string | undefined, layout: MappingLayout): void {
  const within = object.nested === undefined ? nestedPath : object.path
  for (const child of object.children.values()) {
    if (child.kind === 'object') validateObject(child, within, layout)
    else if (child.kind === 'alias') validateAlias(child, within, layout)
    else validateLeaf(child, within, layout)
  }
}

function validateAlias(alias: AliasMapper, scope: string | undefined, layout: MappingLayout): void {
  const text = (why: string) => `Invalid [path] value [${alias.target}] for field alias [${alias.path}]: ${why}`
  const fail = (why: string) => mapperParsing(text(why))
  if (alias.target === alias.path) throw fail('an alias cannot refer to itself.')
  if (layout.aliases.has(alias.target)) throw fail('an alias cannot refer to another alias.')
  const target = layout.types.get(alias.target)
  if (target === undefined) throw fail('an alias must refer to an existing field in the mappings.')
  if (target.nestedPath === scope) return
  const mine = scope === undefined ? 'The alias is not nested' : `The alias's nested scope is [${scope}]`
  const its =
    target.nestedPath === undefined
      ? 'the target is not nested.'
      : `the target's nested scope is [${target.nestedPath}].`
  throw illegalArgument(text(`an alias must have the same nested scope as its target. ${mine}, but ${its}`))
}

function validateLeaf(leaf: LeafMapper, scope: string | undefined, layout: MappingLayout): void {
  for (const sub of leaf.subFields.values()) {
    if (sub.copyTo.length > 0) {
      throw illegalArgument(`[copy_to] may not be used to copy from a multi-field: [${sub.path}]`)
    }
  }
  for (const target of leaf.copyTo) validateCopyTarget(target, scope, layout)
}

function validateCopyTarget(target: string, scope: string | undefined, layout: MappingLayout): void {
  const type = layout.types.get(target)
  if (type !== undefined && type.sourcePath !== target) {
    throw illegalArgument(`[copy_to] may not be used to copy to a multi-field: [${target}]`)
  }
  if (layout.objects.has(target))
    throw illegalArgument(`Cannot copy to field [${target}] since it is mapped as an object`)
  const targetScope = type === undefined ? nestedScopeOf(target, layout) : type.nestedPath
  const reachable = targetScope === undefined || scope === targetScope || scope?.startsWith(`${targetScope}.`)
  if (!reachable) {
    throw illegalArgument(
      `Illegal combination of [copy_to] and [nested] mappings: [copy_to] may only copy data to the current nested document or any of its parents, however one [copy_to] directive is trying to copy data from nested object [${scope ?? 'null'}] to [${targetScope}]`,
    )
  }
}

function nestedScopeOf(path: string, layout: MappingLayout): string | undefined {
  let scope: string | undefined
  for (const nested of layout.nestedPaths) {
    if (path.startsWith(`${nested}.`) && (scope === undefined || nested.length > scope.length)) scope = nested
  }
  return scope
}

function validateTimestamp(layout: MappingLayout): void {
  const type = layout.types.get('@timestamp')
  if (type === undefined) throw illegalArgument('data stream timestamp field [@timestamp] does not exist')
  if (type.traits.family !== 'date') {
    throw illegalArgument(
      `data stream timestamp field [@timestamp] is of type [${type.type}], but [date,date_nanos] is expected`,
    )
  }
}
