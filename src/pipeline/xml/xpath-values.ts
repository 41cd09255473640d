/** The four types of XPath 1.0 values and their conversions. */
import { textOf, type XmlNode } from './xml-tree.ts'

export type XPathValue = XmlNode[] | string | number | boolean

export function asText(value: XPathValue): string {
  if (Array.isArray(value)) return value.length === 0 ? '' : textOf(value[0]!)
  return String(value)
}

export function asNumber(value: XPathValue): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  const text = asText(value).trim()
  return /^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN
}

export function asBoolean(value: XPathValue): boolean {
  if (typeof value === 'number') return value !== 0 && !Number.isNaN(value)
  return typeof value === 'boolean' ? value : value.length > 0
}
