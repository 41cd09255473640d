/** Functions shared by recording and replaying exchanges: members to ignore, and references between responses. */

/** Members that depend on the machine, its clock, its random ids or the version of the server. */
const OF_THE_MACHINE = new Set([
  'took',
  'ingest_took',
  '_node',
  'node',
  'index_uuid',
  'uuid',
  '_scroll_id',
  'nodes',
  'pit_id',
  'creation_date',
  'creation_date_string',
  'creation_time',
  'cluster_name',
  'cluster_uuid',
  'build',
  'took_millis',
  'suppressed',
  'index.creation_date',
  'index.uuid',
])

/** A line of Java in the stack of a script, such as `java.base/java.util.HexFormat.fromHexDigit(HexFormat.java:895)`. */
const isJavaFrame = (value) => typeof value === 'string' && /^[\w.@]+\/[\w.$<>]+\(\w+\.java:\d+\)$/.test(value)

/** A response without those members. */
export function comparable(value) {
  if (typeof value === 'string') return plainText(value)
  if (Array.isArray(value)) return value.filter((item) => !isJavaFrame(item)).map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => !OF_THE_MACHINE.has(name))
  return Object.fromEntries(members.map(([name, member]) => [name, comparable(member)]))
}

/** Replaces uuids of indices, ids of contexts and generated names of backing indices in a text. */
function plainText(text) {
  return text
    .replace(/\[([a-z][a-z0-9-]*)\/[\w-]{22}\]/g, '[$1]')
    .replace(/\.ds-([a-z0-9-]+)-\d{4}\.\d{2}\.\d{2}-/g, '.ds-$1-DATE-')
    .replace(/\b8\.19\.\d+\b/g, '8.19')
}

/** The names and types of members. Keys that are ids of nodes or indices count as one. */
export function shapeOf(value) {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])]
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  const members = Object.entries(value).map(([name, member]) => [
    /^[\w-]{22}$/.test(name) ? 'ID' : name,
    shapeOf(member),
  ])
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The values of the members that `keep` names: `{ "pit": "id" }`. */
export function keptMembers(keep, answer) {
  return Object.fromEntries(Object.entries(keep ?? {}).map(([name, member]) => [name, answer[member]]))
}

/** Replaces `${name}` by kept values. */
export function fillIn(value, kept) {
  if (value === undefined || Object.keys(kept).length === 0) return value
  const fill = (text) => text.replace(/\$\{(\w+)\}/g, (_, name) => kept[name] ?? `\${${name}}`)
  return typeof value === 'string' ? fill(value) : JSON.parse(fill(JSON.stringify(value)))
}

/** The response without the kept members, which are ids of their server. */
export function without(answer, keep) {
  if (keep === undefined) return answer
  const ids = new Set(Object.values(keep))
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !ids.has(name)))
}
