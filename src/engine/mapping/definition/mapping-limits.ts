/** Limits on the size of a mapping. */

import { illegalArgument } from '../../../base/api-error.ts'
import { mappingTooDeep } from '../../../base/errors/mapping-errors.ts'
import type { MappingLimits } from '../mapping-context.ts'
import type { Mapper, ObjectMapper } from '../object-mapper.ts'
import type { RootDefinition } from './root-settings.ts'

export function checkLimits(definition: RootDefinition, limits: MappingLimits): void {
  if (fieldCount(definition) > limits.totalFields) {
    throw illegalArgument(`Limit of total fields [${limits.totalFields}] has been exceeded`)
  }
  checkDepth(definition.object, limits.depth)
  if (countNested(definition.object) > limits.nestedFields) {
    throw illegalArgument(`Limit of nested fields [${limits.nestedFields}] has been exceeded`)
  }
  if (limits.fieldNameLength !== Number.POSITIVE_INFINITY) checkNames(definition.object, limits.fieldNameLength)
}

/** Fields, objects, multi-fields, aliases and runtime fields all count; metadata fields do not. */
export function fieldCount(definition: RootDefinition): number {
  return countChildren(definition.object) + definition.settings.runtime.size
}

function countChildren(object: ObjectMapper): number {
  let count = 0
  for (const child of object.children.values()) {
    count++
    if (child.kind === 'object') count += countChildren(child)
    else if (child.kind === 'leaf') count += child.subFields.size
  }
  return count
}

/** The depth of an object is the number of names in its path, one more for its contents. */
function checkDepth(object: ObjectMapper, limit: number): void {
  for (const child of object.children.values()) {
    if (child.kind !== 'object') continue
    if (child.path.split('.').length + 1 > limit) {
      throw mappingTooDeep(limit, child.path)
    }
    checkDepth(child, limit)
  }
}

function countNested(object: ObjectMapper): number {
  let count = 0
  for (const child of object.children.values()) {
    if (child.kind === 'object') count += (child.nested === undefined ? 0 : 1) + countNested(child)
  }
  return count
}

function checkNames(object: ObjectMapper, limit: number): void {
  const check = (mapper: Mapper) => {
    if (mapper.name.length > limit) {
      throw illegalArgument(`Field name [${mapper.name}] is longer than the limit of [${limit}] characters`)
    }
    if (mapper.kind === 'object') for (const child of mapper.children.values()) check(child)
    if (mapper.kind === 'leaf') for (const sub of mapper.subFields.values()) check(sub)
  }
  for (const child of object.children.values()) check(child)
}
