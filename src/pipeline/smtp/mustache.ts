/**
 * Mustache templates, as mails use them: `{{name}}` (escaped for HTML), `{{{name}}}` and `{{&name}}` (as it is), `{{#list}}…{{/list}}`,
 * `{{^nothing}}…{{/nothing}}` and `{{! remarks }}`. Names may have dots. Partials and other delimiters are not there.
 */
import { type FieldValue, isFields } from '../event/fields.ts'
import { textForm } from '../event/text-form.ts'

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'value'; readonly name: string; readonly escaped: boolean }
  | { readonly type: 'section'; readonly name: string; readonly inverted: boolean; readonly parts: Part[] }

export type Mustache = (fields: FieldValue) => string

/** Throws when a section is not closed, or another one is. */
export function compileMustache(template: string): Mustache {
  const root: Part[] = []
  const open: { readonly name: string; readonly parts: Part[] }[] = [{ name: '', parts: root }]
  let at = 0
  for (const tag of template.matchAll(/\{\{\{([^}]*)\}\}\}|\{\{([#^/!&]?)([^}]*)\}\}/g)) {
    const { parts } = open[open.length - 1]!
    if (tag.index > at) parts.push({ type: 'text', text: template.slice(at, tag.index) })
    at = tag.index + tag[0].length
    const kind = tag[1] === undefined ? tag[2]! : '&'
    const name = (tag[1] ?? tag[3]!).trim()
    if (kind === '#' || kind === '^') {
      const section = { type: 'section' as const, name, inverted: kind === '^', parts: [] }
      parts.push(section)
      open.push(section)
    } else if (kind === '/') {
      if (open.length === 1 || open.pop()!.name !== name) throw new Error(`{{/${name}}} closes no section`)
    } else if (kind !== '!') parts.push({ type: 'value', name, escaped: kind === '' })
  }
  if (open.length > 1) throw new Error(`the section {{#${open[open.length - 1]!.name}}} is not closed`)
  root.push({ type: 'text', text: template.slice(at) })
  return (fields) => render(root, [fields])
}

/** `scopes`: what names are looked up in, innermost last. */
function render(parts: readonly Part[], scopes: readonly FieldValue[]): string {
  let text = ''
  for (const part of parts) {
    if (part.type === 'text') text += part.text
    else if (part.type === 'value') text += valueText(lookUp(part.name, scopes), part.escaped)
    else text += renderSection(part, scopes)
  }
  return text
}

function renderSection(part: Extract<Part, { type: 'section' }>, scopes: readonly FieldValue[]): string {
  const value = lookUp(part.name, scopes)
  const isNothing = value === undefined || value === null || value === false
  const items = isNothing ? [] : Array.isArray(value) ? value : [value]
  if (part.inverted) return items.length === 0 ? render(part.parts, scopes) : ''
  return items.map((item) => render(part.parts, [...scopes, item])).join('')
}

function lookUp(name: string, scopes: readonly FieldValue[]): FieldValue | undefined {
  if (name === '.') return scopes[scopes.length - 1]
  const [first, ...rest] = name.split('.')
  const scope = scopes.findLast((one) => isFields(one) && one[first!] !== undefined)
  let value = isFields(scope) ? scope[first!] : undefined
  for (const part of rest) value = isFields(value) ? value[part] : undefined
  return value
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function valueText(value: FieldValue | undefined, escaped: boolean): string {
  if (value === undefined || value === null) return ''
  const text = textForm(value)
  return escaped ? text.replace(/[&<>"']/g, (character) => ENTITIES[character]!) : text
}
