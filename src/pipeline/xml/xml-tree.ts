/** An XML document in the XPath data model, and its serialization. */

export interface XmlAttribute {
  readonly kind: 'attribute'
  readonly name: XmlName
  readonly value: string
  readonly parent: XmlElement
  order: number
}

export interface XmlText {
  readonly kind: 'text'
  readonly text: string
  readonly parent: XmlElement
  order: number
}

export interface XmlElement {
  readonly kind: 'element'
  readonly name: XmlName
  readonly attributes: XmlAttribute[]
  readonly children: (XmlElement | XmlText)[]
  readonly parent: XmlElement | XmlDocument
  /** Namespaces declared on this element, by prefix; the empty prefix is the default namespace. */
  readonly namespaces: ReadonlyMap<string, string>
  order: number
}

export interface XmlDocument {
  readonly kind: 'document'
  readonly children: XmlElement[]
  order: number
}

export interface XmlName {
  /** The name as written: `prefix:local`. */
  readonly full: string
  readonly local: string
  /** Empty without a namespace. */
  readonly namespace: string
}

export type XmlNode = XmlDocument | XmlElement | XmlAttribute | XmlText

/** All text below a node, or the value of an attribute. */
export function textOf(node: XmlNode): string {
  if (node.kind === 'text') return node.text
  if (node.kind === 'attribute') return node.value
  let text = ''
  for (const child of node.children) text += textOf(child)
  return text
}

/** Serializes a node; an attribute yields its bare value. */
export function serialize(node: XmlNode): string {
  if (node.kind === 'text') return escapeText(node.text)
  if (node.kind === 'attribute') return node.value
  if (node.kind === 'document') return node.children.map(serialize).join('')
  const declared = [...node.namespaces].map(
    ([prefix, uri]) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeText(uri)}"`,
  )
  const attributes = node.attributes.map(
    ({ name, value }) => ` ${name.full}="${escapeText(value).replaceAll('"', '&quot;')}"`,
  )
  const head = `<${node.name.full}${declared.join('')}${attributes.join('')}`
  return node.children.length === 0
    ? `${head}/>`
    : `${head}>${node.children.map(serialize).join('')}</${node.name.full}>`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The document with all namespaces removed from names. */
export function withoutNamespaces(document: XmlDocument): XmlDocument {
  const copy: XmlDocument = { kind: 'document', children: [], order: document.order }
  const plain = ({ local }: XmlName): XmlName => ({ full: local, local, namespace: '' })
  const take = (element: XmlElement, parent: XmlElement | XmlDocument): XmlElement => {
    const { order } = element
    const made: XmlElement = {
      kind: 'element',
      name: plain(element.name),
      attributes: [],
      children: [],
      parent,
      namespaces: new Map(),
      order,
    }
    for (const attribute of element.attributes) {
      made.attributes.push({ ...attribute, name: plain(attribute.name), parent: made })
    }
    for (const child of element.children) {
      made.children.push(child.kind === 'text' ? { ...child, parent: made } : take(child, made))
    }
    return made
  }
  for (const child of document.children) copy.children.push(take(child, copy))
  return copy
}
