/** Parses a Mustache template into a tree. */

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly raw: boolean }
  | { readonly kind: 'section' | 'inverted'; readonly name: string; readonly children: readonly TemplateNode[] }
  | { readonly kind: 'toJson'; readonly name: string }
  | { readonly kind: 'join'; readonly name: string; readonly delimiter: string }
  | { readonly kind: 'url'; readonly children: readonly TemplateNode[] }

/** A malformed template, with the message of the library that Elasticsearch uses. */
export class MustacheError extends Error {}

/** Maximum nesting of sections. */
const MAX_DEPTH = 500

const JOIN = /^join(?:\s+delimiter='(.*)')?$/s

export interface ParseOptions {
  /** The template's name in errors. */
  readonly name: string
  /** Whether sections named `toJson`, `join` and `url` are Elasticsearch's functions. */
  readonly hasFunctions: boolean
}

export function parseTemplate(source: string, options: ParseOptions): TemplateNode[] {
  return new TemplateParser(source, options).parse()
}

class TemplateParser {
  readonly #source: string
  readonly #options: ParseOptions
  #at = 0
  #depth = 0
  #open = '{{'
  #close = '}}'

  constructor(source: string, options: ParseOptions) {
    this.#source = source
    this.#options = options
  }

  parse(): TemplateNode[] {
    return this.#nodes(undefined)
  }

  /** Parses nodes up to the tag that closes `section`, or up to the end. */
  #nodes(section: string | undefined): TemplateNode[] {
    if (++this.#depth > MAX_DEPTH) throw this.#error(`Sections are nested more than ${MAX_DEPTH} deep`)
    const nodes: TemplateNode[] = []
    const startedAt = this.#at
    while (this.#at < this.#source.length) {
      const start = this.#source.indexOf(this.#open, this.#at)
      const end = start < 0 ? this.#source.length : start
      if (end > this.#at) nodes.push({ kind: 'text', text: this.#source.slice(this.#at, end) })
      this.#at = end
      if (start < 0) break
      const tag = this.#tag()
      if (tag.sign === '/') {
        if (tag.name === section) {
          this.#depth--
          return nodes
        }
        throw this.#error(`Mismatched start/end tags: ${section ?? null} != ${tag.name} in ${this.#place()}`)
      }
      const node = this.#node(tag)
      if (node !== undefined) nodes.push(node)
    }
    if (section !== undefined) throw this.#error(`Failed to close '${section}' tag`, startedAt)
    return nodes
  }

  #tag(): { sign: string; name: string } {
    const bodyAt = this.#at + this.#open.length
    const sign = this.#source[bodyAt] ?? ''
    const closing = sign === '{' ? `}${this.#close}` : sign === '=' ? `=${this.#close}` : this.#close
    const end = this.#source.indexOf(closing, bodyAt + (sign === '' ? 0 : 1))
    if (end < 0) throw this.#error(`Improperly closed variable in ${this.#place()}`)
    const isSign = '#^/{&!>='.includes(sign) && sign !== ''
    const name = this.#source.slice(isSign ? bodyAt + 1 : bodyAt, end).trim()
    this.#at = end + closing.length
    return { sign: isSign ? sign : '', name }
  }

  #node({ sign, name }: { sign: string; name: string }): TemplateNode | undefined {
    switch (sign) {
      case '!':
        return undefined
      case '=':
        this.#changeDelimiters(name)
        return undefined
      case '>':
        throw this.#error(`Cannot expand '${name}' because partial templates are not supported`)
      case '{':
      case '&':
        return { kind: 'variable', name, raw: true }
      case '^':
        return { kind: 'inverted', name, children: this.#nodes(name) }
      case '#':
        return this.#section(name)
      default:
        return { kind: 'variable', name, raw: false }
    }
  }

  #section(name: string): TemplateNode {
    const children = this.#nodes(name)
    if (!this.#options.hasFunctions) return { kind: 'section', name, children }
    if (name === 'toJson') return { kind: 'toJson', name: onlyVariable(name, children) }
    if (name === 'url') return { kind: 'url', children }
    const join = JOIN.exec(name)
    if (join !== null) return { kind: 'join', name: onlyVariable('join', children), delimiter: join[1] ?? ',' }
    return { kind: 'section', name, children }
  }

  #changeDelimiters(text: string): void {
    const [open, close, ...more] = text.split(/\s+/)
    if (!open || !close || more.length > 0) throw this.#error(`Invalid delimiter string: =${text}=`)
    this.#open = open
    this.#close = close
  }

  #place(at = this.#at): string {
    return `${this.#options.name}:${this.#source.slice(0, at).split('\n').length}`
  }

  #error(problem: string, at?: number): MustacheError {
    return new MustacheError(`${problem} @[${this.#place(at)}]`)
  }
}

/** Checks that a single-value function contains only a variable name. */
function onlyVariable(name: string, children: readonly TemplateNode[]): string {
  const [child] = children
  if (children.length === 1 && child?.kind === 'text') return child.text.trim()
  throw new MustacheError(`Mustache function [${name}] must contain one and only one identifier`)
}
