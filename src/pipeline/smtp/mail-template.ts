/** Mail templates: Mustache with values escaped for HTML and printed as events print them. */
import { Template, type TemplateParameters, type TemplateStyle } from '../../base/mustache/mustache.ts'
import type { FieldValue } from '../event/fields.ts'
import { textForm } from '../event/text-form.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const MAIL: TemplateStyle = {
  name: 'template',
  escape: (text) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!),
  print: (value) => (value === undefined || value === null ? '' : textForm(value as FieldValue)),
  // An empty string counts as true, as in Ruby.
  isFalse: (value) =>
    value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0),
  hasFunctions: false,
}

export type MailTemplate = (fields: FieldValue) => string

/** Throws a `MustacheError` for a section that is not closed, or closed by another name. */
export function compileMailTemplate(source: string): MailTemplate {
  const template = new Template(source, MAIL)
  return (fields) => template.render(fields as TemplateParameters)
}
