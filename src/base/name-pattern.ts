/** Name patterns of field lists and aggregations, where `*` matches any run of characters. */
export function namePattern(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return (name) => name === pattern
  if (pattern === '*') return () => true
  const parts = pattern.split('*')
  const first = parts[0]!
  const last = parts[parts.length - 1]!
  const middle = parts.slice(1, -1)
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
    let at = first.length
    const end = name.length - last.length
    for (const part of middle) {
      const found = name.indexOf(part, at)
      if (found < 0 || found + part.length > end) return false
      at = found + part.length
    }
    return true
  }
}
