// What legitimately differs between two correct servers, or between two runs,
// is taken out before answers are compared.

const VOLATILE_KEYS = new Set([
  'took',
  '_scroll_id',
  'pit_id',
  'skipped',
  'uuid',
  'index_uuid',
  'node',
  'creation_date',
  'stack_trace',
  'ingest_took',
  'num_reduce_phases',
])

export function normalise(value, key = '') {
  if (Array.isArray(value)) return value.map((v) => normalise(v))
  if (value && typeof value === 'object') {
    const out = {}
    for (const [k, v] of Object.entries(value)) {
      if (VOLATILE_KEYS.has(k) && key !== '_source' && key !== 'properties') continue
      out[k] = k === '_source' ? v : normalise(v, k)
    }
    return out
  }
  return value
}

/** Error texts carry positions, object hashes and unique ids. */
export function normaliseReason(text, strict = false) {
  if (typeof text !== 'string') return text
  let out = text
    .replace(/\/[A-Za-z0-9_-]{22}(?=\])/g, '/UUID')
    .replace(/@[0-9a-f]{5,8}\b/g, '@HASH')
    .replace(/\[[A-Za-z0-9+/=_-]{40,}\]/g, '[ID]')
    .replace(/\{[A-Za-z0-9_-]{22}\}/g, '{NODE}')
    .replace(/(['[])[A-Za-z0-9_-]{20}(?=['\]])/g, '$1ID')
    .replace(/(context found for id )\[\d+\]/g, '$1[ID]')
  if (!strict)
    out = out.replace(/\[-?\d+:-?\d+\]/g, '[line:column]').replace(/line: -?\d+, column: -?\d+/g, 'line: L, column: C')
  return out
}
