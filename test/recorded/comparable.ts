/** What two servers are asked to agree on: answers without what depends on the machine, its clock and its random ids. */
const OF_THE_MACHINE: ReadonlySet<string> = new Set([
  'took',
  '_node',
  'node',
  'index_uuid',
  'uuid',
  '_scroll_id',
  'nodes',
])

export function comparable(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\[([a-z]+)\/[\w-]{22}\]/g, '[$1]')
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => !OF_THE_MACHINE.has(name))
  return Object.fromEntries(members.map(([name, member]) => [name, comparable(member)]))
}
