/**
 * Converts an element to an object: attributes and child elements become members; text becomes the member `content`, or
 * the value itself if there is nothing else. The rules are those of Logstash's Ruby library, including its oddities.
 */
import { Fields, type FieldValue } from '../event/fields.ts'
import type { XmlElement, XmlText } from './xml-tree.ts'

export interface XmlFieldsSettings {
  /** Every child element becomes an array, even a single one. */
  readonly forceArray: boolean
  /** Text is always in `content`. */
  readonly forceContent: boolean
  /** Empty elements are omitted. */
  readonly suppressEmpty: boolean
}

const CONTENT = 'content'

export function xmlFields(element: XmlElement, settings: XmlFieldsSettings): FieldValue {
  const result = new Fields()
  for (const { name, value } of element.attributes) result[name.full] = value
  for (const [prefix, uri] of element.namespaces) result[prefix === '' ? 'xmlns' : `xmlns:${prefix}`] = uri
  const hasAttributes = element.attributes.length + element.namespaces.size > 0
  const texts = element.children.filter((child): child is XmlText => child.kind === 'text').map(({ text }) => text)
  const children = element.children.filter((child): child is XmlElement => child.kind === 'element')
  if (children.length === 0 && texts.length > 0) {
    const text = texts.join('')
    if (isBlank(text)) return hasAttributes && !settings.suppressEmpty ? result : emptyValue(result, settings)
    if (!hasAttributes && !settings.forceContent) return text
    result[CONTENT] = text
    return result
  }
  for (const child of children) {
    const value = xmlFields(child, settings)
    if (settings.suppressEmpty && !hasAttributes && isEmpty(value)) continue
    add(result, child.name.full, value, settings.forceArray)
  }
  if (children.length > 0 && !isBlank(texts.join(''))) result[CONTENT] = texts.length === 1 ? texts[0]! : texts
  return emptyValue(result, settings)
}

function add(result: Fields, name: string, value: FieldValue, forceArray: boolean): void {
  const known = result[name]
  if (known === undefined) result[name] = forceArray ? [value] : value
  else if (Array.isArray(known)) known.push(value)
  else result[name] = [known, value]
}

function emptyValue(result: Fields, { suppressEmpty }: XmlFieldsSettings): FieldValue {
  return suppressEmpty && Object.keys(result).length === 0 ? null : result
}

function isEmpty(value: FieldValue): boolean {
  if (value === null) return true
  if (typeof value === 'string') return isBlank(value)
  return typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0
}

function isBlank(text: string): boolean {
  return !/\S/.test(text)
}
