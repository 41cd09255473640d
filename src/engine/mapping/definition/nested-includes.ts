/** Drops `include_in_root` of nested objects whose values reach the root already through `include_in_parent`. */
import type { Mapper, ObjectMapper } from '../object-mapper.ts'

/** `reachesRoot`: the values of the enclosing nested object are part of the root; undefined outside nested objects. */
export function withoutRepeatedIncludes(object: ObjectMapper, reachesRoot?: boolean): ObjectMapper {
  const { nested } = object
  if (nested === undefined) return withChildren(object, reachesRoot)
  const inParent = nested.includeInParent === true
  const repeated = inParent && (reachesRoot ?? true)
  const reaches = nested.includeInRoot === true || (inParent && reachesRoot === undefined)
  const kept = repeated ? object.with({ nested: { ...nested, includeInRoot: undefined } }) : object
  return withChildren(kept, reaches)
}

function withChildren(object: ObjectMapper, reachesRoot: boolean | undefined): ObjectMapper {
  const changed = new Map<string, Mapper>()
  for (const [name, child] of object.children) {
    if (child.kind !== 'object') continue
    const cleaned = withoutRepeatedIncludes(child, reachesRoot)
    if (cleaned !== child) changed.set(name, cleaned)
  }
  return changed.size === 0 ? object : object.with({ children: new Map([...object.children, ...changed]) })
}
