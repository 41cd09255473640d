/** Lengths with a unit: `5km`, `3 mi`, `200`. */
import { parseDouble } from './java-number.ts'

/** Metres of each unit. */
const UNITS: readonly (readonly [names: readonly string[], meters: number])[] = [
  [['inch', 'in'], 0.0254],
  [['yards', 'yd'], 0.9144],
  [['feet', 'ft'], 0.3048],
  [['kilometers', 'km'], 1000],
  [['nauticalmiles', 'NM', 'nmi'], 1852],
  [['millimeters', 'mm'], 0.001],
  [['centimeters', 'cm'], 0.01],
  [['miles', 'mi'], 1609.344],
  [['meters', 'm'], 1],
]

/** The metres of a unit; undefined for an unknown name. */
export function unitMeters(name: string): number | undefined {
  return UNITS.find(([names]) => names.includes(name))?.[1]
}

/** A distance in metres. Without a unit it is in `otherwise`. */
export function parseDistance(text: string, otherwise = 1): number {
  const trimmed = text.trim()
  for (const [names, meters] of UNITS) {
    for (const name of names) {
      if (trimmed.endsWith(name)) return parseDouble(trimmed.slice(0, -name.length).trim()) * meters
    }
  }
  return parseDouble(trimmed) * otherwise
}
