/** Options that may be Mustache templates over the document, such as `{{{user.name}}}-{{_ingest.timestamp}}`. */
import { type ApiError, illegalArgument } from '../../../base/api-error.ts'
import { escapeFor, Template, type TemplateParameters, TemplateTooLarge } from '../../../base/mustache/mustache.ts'
import { MustacheError } from '../../../base/mustache/mustache-parser.ts'
import { JList, JMap, javaString } from '../../../engine/painless/index.ts'
import { isMetadataName } from '../document/ctx-map.ts'
import type { IngestBudget } from '../document/ingest-budget.ts'
import { type IngestDocument, LazyTimestamp } from '../document/ingest-document.ts'

export interface CompiledText {
  /** The text itself if it is not a template. */
  readonly constant: string | undefined
  render(document: IngestDocument): string
}

interface ErrorPlace {
  error(property: string | undefined, reason: string): ApiError
}

export function compileText(source: string, place: ErrorPlace, property: string, mediaType?: string): CompiledText {
  if (!source.includes('{{')) return { constant: source, render: () => source }
  try {
    const style = { name: 'template', escape: escapeFor(mediaType), print: javaOf, isLimited: true, hasFunctions: true }
    const template = new Template(source, style)
    return { constant: undefined, render: (document) => rendered(template, document) }
  } catch (error) {
    if (!(error instanceof MustacheError)) throw error
    throw place.error(property, error.message)
  }
}

/** The limit of templates is the caller's mistake; it is no failure of this node. */
function rendered(template: Template, document: IngestDocument): string {
  try {
    const text = template.render(parametersOf(document))
    document.budget.text(text.length)
    return text
  } catch (error) {
    throw error instanceof TemplateTooLarge ? illegalArgument(error.message) : error
  }
}

/**
 * The variables of templates: the members of `ctx`, the source as `_source`, and the ingest metadata. Values are
 * converted on use.
 */
function parametersOf(document: IngestDocument): TemplateParameters {
  const parameters: Record<string, unknown> = {}
  const source: Record<string, unknown> = {}
  const { budget } = document
  budget.elements(document.ctx.size_0())
  for (const { key, value } of document.ctx.entries()) {
    const name = String(key)
    define(parameters, name, () => templateValue(value, budget))
    if (!isMetadataName(name)) define(source, name, () => templateValue(value, budget))
  }
  define(parameters, '_source', () => source)
  define(parameters, '_ingest', () => templateValue(document.ingest, budget))
  return parameters
}

function define(object: object, name: string, get: () => unknown): void {
  Object.defineProperty(object, name, { get, enumerable: true, configurable: true })
}

function templateValue(value: unknown, budget: IngestBudget): unknown {
  if (value instanceof JMap) {
    const object: Record<string, unknown> = {}
    budget.elements(value.size_0())
    for (const { key, value: member } of value.entries())
      define(object, String(key), () => templateValue(member, budget))
    // A whole map prints as in Java.
    Object.defineProperty(object, JAVA, { value })
    return object
  }
  if (value instanceof JList) {
    budget.elements(value.items.length)
    const items = value.items.map((item) => templateValue(item, budget))
    Object.defineProperty(items, JAVA, { value })
    return items
  }
  return value instanceof LazyTimestamp ? value.date : value
}

const JAVA = Symbol('the Java value of a template value')

function javaOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  const java = typeof value === 'object' ? (value as Record<symbol, unknown>)[JAVA] : undefined
  return javaString(java ?? value)
}
