import { isObject, type Json } from '../api/lossless-json.ts'

/** The members of nested objects by their dotted names. */
export function flat(value: Json, prefix = ''): Record<string, Json> {
  if (!isObject(value)) return {}
  const out: Record<string, Json> = {}
  for (const [name, item] of Object.entries(value)) {
    if (isObject(item) && Object.keys(item).length > 0) Object.assign(out, flat(item, `${prefix}${name}.`))
    else out[prefix + name] = item
  }
  return out
}
