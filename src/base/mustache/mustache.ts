/**
 * Mustache templates: variables, sections, inverted sections, comments and custom delimiters. Partials are rejected.
 * Elasticsearch's search templates and a pipeline's mails escape and print values differently, which `TemplateStyle`
 * describes.
 *
 * A template is parsed once and rendered against parameters. A variable in double braces is escaped; triple braces or
 * `&` write it unchanged.
 */
import { encodeJson } from '../json/json-writer.ts'
import { type ParseOptions, parseTemplate, type TemplateNode } from './mustache-parser.ts'

/** Maximum characters of a rendered template: the default of `mustache.max_output_size_bytes`. */
const MAX_OUTPUT = 1 << 20
/** Maximum nodes rendered, many of which may produce no output. */
const MAX_NODES = 1_000_000

/** The rendered text exceeds the limit. */
export class TemplateTooLarge extends Error {
  constructor() {
    super(`Maximum of ${MAX_OUTPUT} bytes is exceeded`)
    this.name = 'TemplateTooLarge'
  }
}

export type TemplateParameters = Readonly<Record<string, unknown>>

/** Escapes a variable in double braces for its destination. */
export type Escape = (text: string) => string

const ESCAPES: Readonly<Record<string, Escape>> = {
  'application/json': (text) => JSON.stringify(text).slice(1, -1),
  'text/plain': (text) => text,
  'application/x-www-form-urlencoded': urlEncode,
}

/** The escape function of a template's content type. Parameters of the type (`;charset=utf-8`) are ignored. */
export function escapeFor(contentType: string | undefined): Escape {
  const [type = ''] = (contentType ?? 'application/json').toLowerCase().split(';', 1)
  return ESCAPES[type.trim()] ?? ESCAPES['application/json']!
}

export interface TemplateStyle extends ParseOptions {
  readonly escape: Escape
  /** Prints a value; by default as Java prints it. */
  readonly print?: (value: unknown) => string
  /** Whether the rendered size is limited, for templates that come with requests. */
  readonly isLimited?: boolean
  /** Whether a value omits its section. Default: missing and false values, and empty strings and lists. */
  readonly isFalse?: (value: unknown) => boolean
}

/** The style of search templates, with the escape function of their content type. */
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

  /** Throws a MustacheError if the template is malformed. */
  constructor(source: string, style: TemplateStyle = searchTemplateStyle()) {
    this.#nodes = parseTemplate(source, style)
    this.#escape = style.escape
    this.#isLimited = style.isLimited === true
    this.#print = style.print ?? printValue
    this.#isFalse = style.isFalse ?? isFalse
  }

  /** Throws a TemplateTooLarge when the output or the work exceeds Elasticsearch's limit. */
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

/** Sections are omitted for missing, false and empty values. Zero is not false. */
function isFalse(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true
  return Array.isArray(value) && value.length === 0
}

/** The innermost scope that has the first part of the name is used. The remaining parts are resolved from there. */
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

/** A member of an object, an element of a list by number, or the `size` of a list. */
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

/** A string or number is written without quotes, because the template has its own. */
function toJson(value: unknown): string {
  return typeof value === 'object' && value !== null ? Buffer.from(encodeJson(value)).toString() : printValue(value)
}

/** Form encoding: a space becomes a plus sign. */
function urlEncode(text: string): string {
  const special = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text)
    .replace(/%20/g, '+')
    .replace(/[!'()~]/g, special)
}
