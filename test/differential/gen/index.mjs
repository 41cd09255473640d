// The areas, slow ones first. To add one: write gen/<name>.mjs exporting
// `area`, and list it here.

const NAMES = [
  'documents',
  'mapping',
  'paging',
  'search',
  'sort',
  'aggs',
  'composite',
  'nested',
  'errors',
  'geo',
  'dates',
]

export async function loadAreas(wanted, extraModule) {
  if (extraModule) {
    const loaded = await import(extraModule)
    const areas = loaded.areas ?? [loaded.area]
    return wanted.includes('all') ? areas : areas.filter((a) => wanted.includes(a.name))
  }
  const names = wanted.includes('all') ? NAMES : wanted
  for (const name of names)
    if (!NAMES.includes(name)) throw new Error(`unknown area "${name}"; known: ${NAMES.join(', ')}, all`)
  return Promise.all(names.map(async (name) => (await import(`./${name}.mjs`)).area))
}
