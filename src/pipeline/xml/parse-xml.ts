/**
 * Parses XML 1.0 strictly: malformed documents are rejected. Comments, processing instructions and document types are
 * skipped. Only the five standard entities and character references are supported, so that no document can expand
 * itself.
 */
import type { XmlDocument, XmlElement, XmlName } from './xml-tree.ts'

export class XmlError extends Error {}

const NAME = /[\p{L}_:][\p{L}\p{N}\p{M}_:.\u00b7-]*/uy
const SPACE = /\s+/y
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'
/** Deeper documents would overflow the stack of code that traverses the tree. */
const DEPTH_MAX = 1000

export function parseXml(text: string): XmlDocument {
  return new XmlParser(text).parse()
}

type Scope = ReadonlyMap<string, string>

class XmlParser {
  readonly #text: string
  #at = 0
  #order = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): XmlDocument {
    const document: XmlDocument = { kind: 'document', children: [], order: this.#order++ }
    if (this.#text.startsWith('\ufeff')) this.#at = 1
    this.#passOver()
    if (this.#text[this.#at] !== '<') throw this.#error('expected an element')
    document.children.push(this.#element(document, new Map([['xml', XML_NAMESPACE]]), 0))
    this.#passOver()
    if (this.#at < this.#text.length) throw this.#error('expected nothing after the root element')
    return document
  }

  /** Skips the content allowed outside the root element. */
  #passOver(): void {
    for (;;) {
      this.#take(SPACE)
      if (this.#skip('<?', '?>') || this.#skip('<!--', '-->')) continue
      if (!this.#text.startsWith('<!DOCTYPE', this.#at)) return
      this.#skipDoctype()
    }
  }

  #skip(open: string, close: string): boolean {
    if (!this.#text.startsWith(open, this.#at)) return false
    const end = this.#text.indexOf(close, this.#at + open.length)
    if (end < 0) throw this.#error(`expected ${close}`)
    this.#at = end + close.length
    return true
  }

  #skipDoctype(): void {
    let depth = 0
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]
      if (char === '<' || char === '[') depth++
      else if (char === '>' || char === ']') depth--
      if (depth === 0) {
        this.#at++
        return
      }
    }
    throw this.#error('the document type does not end')
  }

  #element(parent: XmlElement | XmlDocument, scope: Scope, depth: number): XmlElement {
    if (depth > DEPTH_MAX) throw this.#error(`elements are nested more than ${DEPTH_MAX} deep`)
    this.#at++
    const full = this.#name()
    const order = this.#order++
    const given = this.#attributes()
    const namespaces = new Map<string, string>()
    for (const [name, value] of given) {
      if (name === 'xmlns') namespaces.set('', value)
      else if (name.startsWith('xmlns:')) namespaces.set(name.slice(6), value)
    }
    const inner: Scope = namespaces.size === 0 ? scope : new Map([...scope, ...namespaces])
    const element: XmlElement = {
      kind: 'element',
      name: this.#resolve(full, inner, true),
      attributes: [],
      children: [],
      parent,
      namespaces,
      order,
    }
    for (const [name, value] of given) {
      if (name === 'xmlns' || name.startsWith('xmlns:')) continue
      const resolved = this.#resolve(name, inner, false)
      element.attributes.push({ kind: 'attribute', name: resolved, value, parent: element, order: this.#order++ })
    }
    if (this.#accept('/>')) return element
    this.#expect('>')
    this.#content(element, inner, depth)
    return element
  }

  #content(element: XmlElement, scope: Scope, depth: number): void {
    let text = ''
    const flush = () => {
      if (text !== '') element.children.push({ kind: 'text', text, parent: element, order: this.#order++ })
      text = ''
    }
    for (;;) {
      const next = this.#text.indexOf('<', this.#at)
      if (next < 0) throw this.#error(`the element ${element.name.full} does not end`)
      text += this.#decode(this.#text.slice(this.#at, next))
      this.#at = next
      if (this.#text.startsWith('<![CDATA[', next)) {
        const start = next + 9
        this.#skip('<![CDATA[', ']]>')
        text += this.#text.slice(start, this.#at - 3)
      } else if (this.#skip('<!--', '-->') || this.#skip('<?', '?>')) continue
      else if (this.#accept('</')) {
        flush()
        if (this.#name() !== element.name.full) throw this.#error(`expected </${element.name.full}>`)
        this.#take(SPACE)
        this.#expect('>')
        return
      } else {
        flush()
        element.children.push(this.#element(element, scope, depth + 1))
      }
    }
  }

  #attributes(): Map<string, string> {
    const attributes = new Map<string, string>()
    while (this.#take(SPACE) !== undefined) {
      const char = this.#text[this.#at]
      if (char === '>' || char === '/') break
      const name = this.#name()
      this.#take(SPACE)
      this.#expect('=')
      this.#take(SPACE)
      const quote = this.#text[this.#at]
      if (quote !== '"' && quote !== "'") throw this.#error('expected a quoted value')
      const end = this.#text.indexOf(quote, this.#at + 1)
      if (end < 0) throw this.#error('the value does not end')
      const value = this.#text.slice(this.#at + 1, end)
      if (value.includes('<')) throw this.#error('a value must not contain <')
      if (attributes.has(name)) throw this.#error(`the attribute ${name} is there twice`)
      attributes.set(name, this.#decode(value.replaceAll(/[\t\r\n]/g, ' ')))
      this.#at = end + 1
    }
    return attributes
  }

  /** Attributes without a prefix have no namespace; elements have the default one. */
  #resolve(full: string, scope: Scope, isElement: boolean): XmlName {
    const colon = full.indexOf(':')
    if (colon <= 0) return { full, local: full, namespace: isElement ? (scope.get('') ?? '') : '' }
    const namespace = scope.get(full.slice(0, colon))
    // The prefix is undeclared, so it is part of the name, as in lenient parsers.
    if (namespace === undefined) return { full, local: full, namespace: '' }
    return { full, local: full.slice(colon + 1), namespace }
  }

  #decode(text: string): string {
    const plain = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
    if (!plain.includes('&')) return plain
    return plain.replaceAll(/&(?:#x([0-9a-fA-F]+);|#(\d+);|(\w+);)?/g, (whole, hex, decimal, name) => {
      const code = hex !== undefined ? Number.parseInt(hex, 16) : decimal !== undefined ? Number(decimal) : undefined
      if (code !== undefined && code <= 0x10ffff) return String.fromCodePoint(code)
      const known = name === undefined ? undefined : ENTITIES[name]
      if (known === undefined) throw this.#error(`${whole} is no known entity`)
      return known
    })
  }

  #name(): string {
    const name = this.#take(NAME)
    if (name === undefined) throw this.#error('expected a name')
    return name
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match === null) return undefined
    this.#at = pattern.lastIndex
    return match[0]
  }

  #accept(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #expect(text: string): void {
    if (!this.#accept(text)) throw this.#error(`expected ${text}`)
  }

  #error(message: string): XmlError {
    const before = this.#text.slice(0, this.#at).split('\n')
    return new XmlError(`${message} at line ${before.length}, column ${before[before.length - 1]!.length + 1}`)
  }
}
