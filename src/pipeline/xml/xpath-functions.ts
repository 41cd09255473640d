/** The functions of XPath 1.0, except those about ids and languages. */
import type { Place } from './evaluate-xpath.ts'
import { XPathError } from './parse-xpath.ts'
import { textOf, type XmlNode } from './xml-tree.ts'
import { asBoolean, asNumber, asText, type XPathValue } from './xpath-values.ts'

type XPathFunction = (args: readonly XPathValue[], place: Place) => XPathValue

const FUNCTIONS: Readonly<Record<string, XPathFunction>> = {
  last: (_, { size }) => size,
  position: (_, { position }) => position,
  count: ([nodes]) => (Array.isArray(nodes) ? nodes.length : 0),
  name: (args, place) => nameOf(args, place, 'full'),
  'local-name': (args, place) => nameOf(args, place, 'local'),
  'namespace-uri': (args, place) => nameOf(args, place, 'namespace'),
  string: (args, place) => textArgument(args, place),
  concat: (args) => args.map(asText).join(''),
  'starts-with': ([text, start]) => asText(text!).startsWith(asText(start!)),
  contains: ([text, part]) => asText(text!).includes(asText(part!)),
  'substring-before': ([text, part]) => {
    const at = asText(text!).indexOf(asText(part!))
    return at < 0 ? '' : asText(text!).slice(0, at)
  },
  'substring-after': ([text, part]) => {
    const at = asText(text!).indexOf(asText(part!))
    return at < 0 ? '' : asText(text!).slice(at + asText(part!).length)
  },
  substring: ([text, start, length]) => {
    const from = Math.round(asNumber(start!))
    const end = length === undefined ? Number.POSITIVE_INFINITY : from + Math.round(asNumber(length))
    return [...asText(text!)].filter((_, i) => i + 1 >= from && i + 1 < end).join('')
  },
  'string-length': (args, place) => [...textArgument(args, place)].length,
  'normalize-space': (args, place) => textArgument(args, place).trim().replaceAll(/\s+/g, ' '),
  translate: ([text, from, to]) => {
    const [old, fresh] = [[...asText(from!)], [...asText(to!)]]
    return [...asText(text!)]
      .map((char) => {
        const at = old.indexOf(char)
        return at < 0 ? char : (fresh[at] ?? '')
      })
      .join('')
  },
  boolean: ([value]) => asBoolean(value!),
  not: ([value]) => !asBoolean(value!),
  true: () => true,
  false: () => false,
  number: (args, { node }) => asNumber(args[0] ?? [node]),
  sum: ([nodes]) => (Array.isArray(nodes) ? nodes.reduce((sum, node) => sum + asNumber(textOf(node)), 0) : Number.NaN),
  floor: ([value]) => Math.floor(asNumber(value!)),
  ceiling: ([value]) => Math.ceil(asNumber(value!)),
  round: ([value]) => Math.round(asNumber(value!)),
}

/** The number of required arguments; more are optional. */
const NEEDED: Readonly<Record<string, number>> = {
  count: 1,
  concat: 2,
  'starts-with': 2,
  contains: 2,
  'substring-before': 2,
  'substring-after': 2,
  substring: 2,
  translate: 3,
  boolean: 1,
  not: 1,
  sum: 1,
  floor: 1,
  ceiling: 1,
  round: 1,
}

export function callFunction(name: string, args: readonly XPathValue[], place: Place): XPathValue {
  const called = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
  if (called === undefined) throw new XPathError(`there is no function ${name}`)
  if (args.length < (NEEDED[name] ?? 0)) throw new XPathError(`${name} needs ${NEEDED[name]} arguments`)
  return called(args, place)
}

function textArgument([given]: readonly XPathValue[], { node }: Place): string {
  return given === undefined ? textOf(node) : asText(given)
}

function nameOf([given]: readonly XPathValue[], place: Place, part: 'full' | 'local' | 'namespace'): string {
  const node: XmlNode | undefined = given === undefined ? place.node : Array.isArray(given) ? given[0] : undefined
  return node?.kind === 'element' || node?.kind === 'attribute' ? node.name[part] : ''
}
