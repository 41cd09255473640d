/**
 * Byte sizes in configuration files: `10 MiB`, `64kb`, `500`. Unlike Elasticsearch's sizes they have units of both 1000
 * and 1024.
 */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  tb: 1000 ** 4,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
}

/** Undefined if the text is not a size. */
export function parseByteCount(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*$/.exec(text)
  const unit = match === null ? undefined : UNITS[match[2]!.toLowerCase()]
  return unit === undefined ? undefined : Math.trunc(Number(match![1]) * unit)
}
