/** Which fields a role may read. Fields that begin with `_` are metadata and always readable. */
import { namePattern } from '../../base/name-pattern.ts'
import { nameSet } from './name-set.ts'
import type { FieldSecurity } from './role-descriptor.ts'

/** Whether every field that `pattern` matches is among the granted ones. */
export const fieldsCover = (granted: readonly string[], pattern: string) => nameSet(granted).covers(pattern)

/** A field is readable when one of the entries grants it. Each entry takes its own exceptions off. */
export function fieldTest(entries: readonly FieldSecurity[]): (field: string) => boolean {
  const tests = entries.map(({ grant, except }) => {
    const granted = (grant ?? ['*']).map(namePattern)
    const excepted = (except ?? []).map(namePattern)
    return (field: string) => granted.some((matches) => matches(field)) && !excepted.some((matches) => matches(field))
  })
  return (field) => field.startsWith('_') || tests.some((grants) => grants(field))
}
