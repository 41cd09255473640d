/**
 * Mustache templates: variables, sections, inverted sections, comments and other delimiters. Partials are refused. Search
 * templates of Elasticsearch and mails of a pipeline differ in how values are escaped and printed, which a `TemplateStyle` says.
 *
 * A template is parsed once into a tree and rendered against parameters. A variable in double braces is escaped; three braces
 * or `&` write it as it is.
 */
import { encodeJson } from '../json/json-writer.ts'
import { type ParseOptions, parseTemplate, type TemplateNode } from './mustache-parser.ts'

/** Characters of a rendered template, as the setting `mustache.max_output_size_bytes` has it by default. */
const MAX_OUTPUT = 1 << 20
/** Parts that are rendered, of which many may be empty. */
const MAX_NODES = 1_000_000

/** The text a template makes is too long. */
export class TemplateTooLarge extends Error {
  constructor() {
    super(`Maximum of ${MAX_OUTPUT} bytes is exceeded`)
    this.name = 'TemplateTooLarge'
  }
}

export type TemplateParameters = Readonly<Record<string, unknown>>

/** How a variable in double braces is made safe for where it goes. */
export type Escape = (text: string) => string

const ESCAPES: Readonly<Record<string, Escape>> = {
  'application/json': (text) => JSON.stringify(text).slice(1, -1),
  'text/plain': (text) => text,
  'application/x-www-form-urlencoded': urlEncode,
}

/** The escaping of a template's content type; parameters of the type (`;charset=utf-8`) do not matter. */
export function escapeFor(contentType: string | undefined): Escape {
  const [type = ''] = (contentType ?? 'application/json').toLowerCase().split(';', 1)
  return ESCAPES[type.trim()] ?? ESCAPES['application/json']!
}

export interface TemplateStyle extends ParseOptions {
  readonly escape: Escape
  /** How a value is written; by default as Java prints it. */
  readonly print?: (value: unknown) => string
  /** Whether the size of what is rendered has a limit; for templates that come with requests. */
  readonly isLimited?: boolean
  /** Whether a section is left out for a value; by default what is missing, false, or an empty text or list. */
  readonly isFalse?: (value: unknown) => boolean
}

/** Search templates, with the escaping of their content type. */
export const searchTemplateStyle = (contentType?: string): TemplateStyle => ({
  name: 'query-template',
  escape: escapeFor(contentType),
  hasFunctions: true,
  isLimited: true,
})

export class Template {
  readonly #nodes: readonly TemplateNode[]
  readonly #escape: Escape
  readonly #print: (value: unknown) => string
  readonly #isLimited: boolean
  readonly #isFalse: (value: unknown) => boolean

  /** Throws a MustacheError where the text is no template. */
  constructor(source: string, style: TemplateStyle = searchTemplateStyle()) {
    this.#nodes = parseTemplate(source, style)
    this.#escape = style.escape
    this.#isLimited = style.isLimited === true
    this.#print = style.print ?? printValue
    this.#isFalse = style.isFalse ?? isFalse
  }

  /** Throws a TemplateTooLarge when the text grows beyond what Elasticsearch lets a template make, or takes as much work. */
  render(parameters: TemplateParameters): string {
    this.#sizeLeft = this.#isLimited ? MAX_OUTPUT : Number.POSITIVE_INFINITY
    this.#nodesLeft = this.#isLimited ? MAX_NODES : Number.POSITIVE_INFINITY
    return this.#renderAll(this.#nodes, [parameters])
  }

  #sizeLeft = 0
  #nodesLeft = 0

  #renderAll(nodes: readonly TemplateNode[], scopes: readonly unknown[]): string {
    let out = ''
    for (const node of nodes) {
      const text = this.#renderOne(node, scopes)
      if (node.kind !== 'section' && node.kind !== 'inverted') this.#sizeLeft -= text.length
      if (--this.#nodesLeft < 0 || this.#sizeLeft < 0) throw new TemplateTooLarge()
      out += text
    }
    return out
  }

  #renderOne(node: TemplateNode, scopes: readonly unknown[]): string {
    switch (node.kind) {
      case 'text':
        return node.text
      case 'variable': {
        const text = this.#print(lookUp(scopes, node.name))
        return node.raw ? text : this.#escape(text)
      }
      case 'inverted':
        return this.#isFalse(lookUp(scopes, node.name)) ? this.#renderAll(node.children, scopes) : ''
      case 'section':
        return this.#renderSection(lookUp(scopes, node.name), node.children, scopes)
      case 'toJson':
        return toJson(lookUp(scopes, node.name))
      case 'join': {
        const value = lookUp(scopes, node.name)
        const text = Array.isArray(value) ? value.map(this.#print).join(node.delimiter) : this.#print(value)
        return this.#escape(text)
      }
      case 'url':
        return urlEncode(this.#renderAll(node.children, scopes))
    }
  }

  #renderSection(value: unknown, children: readonly TemplateNode[], scopes: readonly unknown[]): string {
    if (this.#isFalse(value)) return ''
    if (!Array.isArray(value)) return this.#renderAll(children, [...scopes, value])
    if (children.length === 0) return ''
    return value.map((item) => this.#renderAll(children, [...scopes, item])).join('')
  }
}

/** Sections are left out for what is missing, false or empty; zero counts as something. */
function isFalse(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true
  return Array.isArray(value) && value.length === 0
}

/** The innermost scope that has the first part of the name decides; the parts behind it lead on from there. */
function lookUp(scopes: readonly unknown[], name: string): unknown {
  if (name === '.') return scopes.at(-1)
  const [first, ...rest] = name.split('.') as [string, ...string[]]
  for (let i = scopes.length - 1; i >= 0; i--) {
    let value = memberOf(scopes[i], first)
    if (value === undefined) continue
    for (const part of rest) value = memberOf(value, part)
    return value
  }
  return undefined
}

/** A member of an object, an element of a list by its number, or the `size` of a list. */
function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return name === 'size' ? value.length : /^\d+$/.test(name) ? value[Number(name)] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

/** Lists and objects print as Java prints them: `[a, b]`, `{a=1}`. */
function printValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return `[${value.map(inner).join(', ')}]`
  if (typeof value === 'object') {
    const members = Object.entries(value).map(([name, member]) => `${name}=${inner(member)}`)
    return `{${members.join(', ')}}`
  }
  return String(value)
}

const inner = (value: unknown) => (value === null || value === undefined ? 'null' : printValue(value))

/** A plain value stays as it is: the template puts its own quotes around it. */
function toJson(value: unknown): string {
  return typeof value === 'object' && value !== null ? Buffer.from(encodeJson(value)).toString() : printValue(value)
}

/** As HTML forms do it: a blank becomes a plus. */
function urlEncode(text: string): string {
  const special = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text)
    .replace(/%20/g, '+')
    .replace(/[!'()~]/g, special)
}
