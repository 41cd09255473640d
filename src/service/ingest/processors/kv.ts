/** kv: parses pairs such as `a=1 b=2` into fields. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { IngestBudget } from '../document/ingest-budget.ts'
import type { ConfigReader } from '../pipeline/config-reader.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'
import { replaceAll, split, userPattern } from '../regex/java-pattern.ts'

export const kv: ProcessorFactory = (reader) => {
  const field = reader.text('field')
  const target = reader.optionalText('target_field')
  const fieldSplit = reader.string('field_split')
  const valueSplit = reader.string('value_split')
  const trimKey = trimmer(reader.optionalString('trim_key'))
  const trimValue = trimmer(reader.optionalString('trim_value'))
  const strips = reader.boolean('strip_brackets', false)
  const ignoresMissing = reader.boolean('ignore_missing', false)
  const wanted = keyFilter(reader)
  const prefix = reader.optionalString('prefix') ?? ''
  const splitFields = splitter(fieldSplit, 0)
  const splitValue = splitter(valueSplit, 2)
  return (document) => {
    const name = field.constant ?? field.render(document)
    if (!document.has(name)) {
      if (ignoresMissing) return
      throw illegalArgument(`field [${name}] doesn't exist`)
    }
    const text = document.text(name)
    if (text === null || text === undefined) {
      if (ignoresMissing) return
      throw illegalArgument(`field [${name}] is null, cannot extract key-value pairs.`)
    }
    const path = target === undefined ? prefix : `${target.render(document)}.${prefix}`
    for (const part of splitFields(text, document.budget)) {
      const pair = splitValue(part, document.budget)
      if (pair.length !== 2) throw illegalArgument(`field [${name}] does not contain value_split [${valueSplit}]`)
      const key = trimKey(pair[0]!, document.budget)
      if (!wanted(key)) continue
      const value = trimValue(strips ? stripped(pair[1]!) : pair[1]!, document.budget)
      if (document.has(path + key)) document.append(path + key, value)
      else document.set(path + key, value)
    }
  }
}

const SPECIAL = /[.$|()[{^?*+\\]/

/** A single character without special meaning is split on without a regular expression. */
function splitter(separator: string, limit: number): (text: string, budget: IngestBudget) => string[] {
  if (separator.length === 1 && !SPECIAL.test(separator)) {
    return (text, budget) => {
      budget.text(text.length)
      if (limit > 0) {
        const at = text.indexOf(separator)
        return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
      }
      const parts = text.split(separator)
      budget.elements(parts.length)
      while (parts.length > 1 && parts.at(-1) === '') parts.pop()
      return parts
    }
  }
  const pattern = userPattern(separator)
  return (text, budget) => split(pattern, text, limit, budget)
}

function trimmer(characters: string | undefined): (text: string, budget: IngestBudget) => string {
  if (characters === undefined) return (text) => text
  const pattern = userPattern(`(^([${characters}]+))|([${characters}]+$)`)
  return (text, budget) => replaceAll(pattern, text, '', budget)
}

const stripped = (value: string): string => value.replace(/(^[([<"'])|([\])>"']$)/g, '')

function keyFilter(reader: ConfigReader): (key: string) => boolean {
  const included = reader.optionalList('include_keys')?.map(String)
  const excluded = reader.optionalList('exclude_keys')?.map(String)
  const kept = included === undefined ? undefined : new Set(included)
  const left = new Set(excluded)
  return (key) => (kept === undefined || kept.has(key)) && !left.has(key)
}
