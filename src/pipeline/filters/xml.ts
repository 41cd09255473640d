/** `xml`: stores the XML of a field as fields, completely or the parts that XPath expressions select. */
import type { Event } from '../event/event.ts'
import type { FieldValue } from '../event/fields.ts'
import { rubyFloat } from '../event/ruby-text.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { evaluate } from '../xml/evaluate-xpath.ts'
import { parseXml, XmlError } from '../xml/parse-xml.ts'
import { parseXPath, XPathError } from '../xml/parse-xpath.ts'
import { xmlFields } from '../xml/xml-fields.ts'
import { serialize, withoutNamespaces, type XmlDocument } from '../xml/xml-tree.ts'

const FAILURE_TAG = '_xmlparsefailure'

export const xml = filterPlugin({
  name: 'xml',
  touches: 'nothing',
  options: {
    source: option.field({ required: true }),
    target: option.field(),
    store_xml: option.boolean({ default: true }),
    xpath: option.hash(),
    namespaces: option.hash(),
    remove_namespaces: option.boolean({ default: false }),
    force_array: option.boolean({ default: true }),
    force_content: option.boolean({ default: false }),
    suppress_empty: option.boolean({ default: true }),
    // Documents are always parsed strictly.
    parse_options: option.words(['strict']),
  },
  create(options, { log }) {
    const { target, store_xml: storesXml } = options
    if (storesXml && target === undefined) {
      throw new PluginOptionError("When the 'store_xml' configuration option is true, 'target' must also be set")
    }
    const namespaces = new Map([...(options.namespaces ?? [])].map(([prefix, uri]) => [prefix, String(uri)]))
    const paths = [...(options.xpath ?? [])].map(([path, to]) => {
      try {
        return { expression: parseXPath(path, namespaces), to: String(to) }
      } catch (error) {
        if (error instanceof XPathError) throw new PluginOptionError(error.message)
        throw error
      }
    })
    const fieldSettings = {
      forceArray: options.force_array,
      forceContent: options.force_content,
      suppressEmpty: options.suppress_empty,
    }

    /** Returns whether at least one expression selected something. */
    const takePaths = (event: Event, document: XmlDocument): boolean => {
      let hasMatched = false
      const place = { node: document, position: 1, size: 1 }
      for (const { expression, to } of paths) {
        const texts = textsOf(evaluate(expression, place))
        if (texts.length === 0) continue
        hasMatched = true
        event.set(to, texts.length === 1 && !options.force_array ? texts[0]! : texts)
      }
      return hasMatched
    }
    const fail = (event: Event, message: string): boolean => {
      event.tag(FAILURE_TAG)
      log.warn(message, { source: options.source })
      return false
    }

    return {
      filter(event) {
        const given = event.get(options.source)
        if (given === undefined || given === null || given === false) return false
        if (Array.isArray(given) && given.length !== 1) return fail(event, 'XML filter expects single item array')
        const value = (Array.isArray(given) ? given[0] : given) as FieldValue
        if (typeof value !== 'string') return fail(event, 'XML filter expects a string')
        if (value.trim() === '') return false
        try {
          const document = parseXml(value)
          const searched = options.remove_namespaces ? withoutNamespaces(document) : document
          const hasMatched = takePaths(event, searched)
          if (!storesXml) return hasMatched
          event.set(target!, xmlFields(document.children[0]!, fieldSettings))
          return true
        } catch (error) {
          if (!(error instanceof XmlError) && !(error instanceof XPathError)) throw error
          return fail(event, `Error parsing xml: ${error.message}`)
        }
      },
      failed: (event) => event.tag(FAILURE_TAG),
    }
  },
})

/** Nodes are serialized, numbers are floats, and false is no result. */
function textsOf(found: ReturnType<typeof evaluate>): string[] {
  if (Array.isArray(found)) return found.map(serialize)
  if (typeof found === 'number') return [rubyFloat(found)]
  return found === false ? [] : [String(found)]
}
