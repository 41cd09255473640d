/** The XML of responses: elements by name, and errors. */
import { parseXml } from '../xml/parse-xml.ts'
import type { XmlElement } from '../xml/xml-tree.ts'

export class S3Error extends Error {
  readonly status: number
  /** The service's name of the problem, such as `NoSuchKey`. */
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'S3Error'
    this.status = status
    this.code = code
  }
}

/** The root element. */
export function parseAnswer(text: string): XmlElement {
  return parseXml(text).children[0] as XmlElement
}

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  const children = element?.children ?? []
  return children.filter((child): child is XmlElement => child.kind === 'element' && child.name.local === name)
}

export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return childrenOf(element, name)[0]
}

export function textOf(element: XmlElement | undefined, name: string): string {
  const child = childOf(element, name)
  return (child?.children ?? []).map((piece) => (piece.kind === 'text' ? piece.text : '')).join('')
}

/** The error of a response. Responses to HEAD requests have no text that names the problem. */
export function errorOf(status: number, text: string, what: string): S3Error {
  let code = String(status)
  let message = ''
  try {
    const root = parseAnswer(text)
    // The token service wraps its error in a response element.
    const error = childOf(root, 'Error') ?? root
    code = textOf(error, 'Code') || code
    message = textOf(error, 'Message')
  } catch {
    message = text.slice(0, 200)
  }
  return new S3Error(status, code, `${what}: ${message === '' ? code : `${message} (${code})`}`)
}
