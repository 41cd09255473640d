/**
 * A null in `search_after` for a field of numbers. Elasticsearch's shards refuse it with a text that names the position,
 * OpenSearch's fail with an exception of Java. The shadow does not notice it if it skips its shards, which are empty.
 */
import { isObject } from './field-types.ts'

/** The text of Java, as JSON, with the class of the value. */
const JAVA_ERROR =
  /"type":"null_pointer_exception","reason":"Cannot invoke \\"java\.lang\.(Long|Integer|Double|Float)\.\w+Value\(\)\\" because \\"value\\" is null"/g

/** The body of a response with failed shards, in which such failures are those of Elasticsearch. */
export function withRefusedNulls(body: Buffer, request: Readonly<Record<string, unknown>>): Buffer {
  const refused = refusedNull(request)
  if (refused === undefined) return body
  const text = body.toString('utf8')
  const changed = text.replaceAll(JAVA_ERROR, (_all, javaClass: string) => {
    const reason = `[search_after] value at position ${refused.position} cannot be null for sort field [${refused.field}] of type [${javaClass.toUpperCase()}].`
    return `"type":"illegal_argument_exception","reason":${JSON.stringify(reason)}`
  })
  return changed === text ? body : Buffer.from(changed)
}

/** The sort field of the only null. Which of several is refused depends on the types of their fields. */
function refusedNull({
  search_after: after,
  sort,
}: Readonly<Record<string, unknown>>): { position: number; field: string } | undefined {
  if (!Array.isArray(after)) return undefined
  const position = after.indexOf(null)
  if (position < 0 || after.indexOf(null, position + 1) >= 0) return undefined
  const item: unknown = Array.isArray(sort) ? sort[position] : sort
  const field = isObject(item) ? Object.keys(item)[0] : item
  return typeof field === 'string' ? { position, field } : undefined
}
