/** `translate`: replaces values using a dictionary. */

import { WatchedRegexp } from '../../text/regex/watched-regexp.ts'
import { copyValue, type Event } from '../event/event.ts'
import { referenceWithin } from '../event/field-reference.ts'
import { type FieldValue, toFieldValue } from '../event/fields.ts'
import { rubyText } from '../event/ruby-text.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { type Dictionary, FileDictionary } from './dictionary.ts'

/** The longest YAML dictionary, in code points. */
const CODE_POINTS_MAX = 134_217_728

export const translate = filterPlugin({
  name: 'translate',
  touches: 'nothing',
  options: {
    source: option.field({ required: true }),
    target: option.field(),
    dictionary: option.hash({ default: new Map<string, ConfigValue>() }),
    dictionary_path: option.path(),
    refresh_interval: option.number({ default: 300 }),
    yaml_dictionary_code_point_limit: option.number(),
    yaml_load_strategy: option.ignored('A dictionary is read in one go.'),
    refresh_behaviour: option.words(['merge', 'replace'], { default: 'merge' }),
    exact: option.boolean({ default: true }),
    regex: option.boolean({ default: false }),
    override: option.boolean(),
    fallback: option.string(),
    iterate_on: option.field(),
    field: option.renamed('source'),
    destination: option.renamed('target'),
  },
  create(options, { ecs, clock, log }) {
    const { source, dictionary_path: path, iterate_on: iterateOn, fallback } = options
    if (path !== undefined && options.dictionary.size > 0) {
      throw new PluginOptionError('The configuration options dictionary and dictionary_path are mutually exclusive')
    }
    const target = options.target ?? (ecs === 'disabled' ? 'translation' : source)
    const override = options.override ?? target === source
    const words = wordsOf()
    const lookUp = lookUpOf(options.exact, options.regex)

    function wordsOf(): () => Dictionary {
      if (path === undefined) {
        const fixed = new Map([...options.dictionary].map(([word, meaning]) => [word, toFieldValue(meaning)] as const))
        return () => fixed
      }
      const { yaml_dictionary_code_point_limit: limit } = options
      const isYaml = /\.ya?ml$/.test(path)
      if (!isYaml && limit !== undefined) {
        throw new PluginOptionError(
          `yaml_dictionary_code_point_limit is for YAML only: remove it, ${path} is no YAML file`,
        )
      }
      if (limit !== undefined && limit <= 0) {
        throw new PluginOptionError(`yaml_dictionary_code_point_limit must be more than 0, not ${limit}`)
      }
      const yamlCharactersMax = limit ?? CODE_POINTS_MAX
      const merges = options.refresh_behaviour === 'merge'
      const settings = {
        refreshMs: options.refresh_interval * 1000,
        merges,
        log,
        nowMs: clock.nowMs(),
        yamlCharactersMax,
      }
      const file = new FileDictionary(path, settings)
      return () => file.words(clock.nowMs())
    }

    // Copied, because changing a value in an event must not change the dictionary.
    const meaningOf = (value: FieldValue, event: Event): FieldValue | undefined =>
      copyValue(lookUp(rubyText(value), words())) ?? (fallback === undefined ? undefined : event.expand(fallback))

    return {
      filter(event) {
        if (iterateOn !== undefined) return iterate(event, iterateOn, source, target, meaningOf)
        const value = event.get(source)
        if (value === undefined || (!override && event.has(target))) return false
        const meaning = meaningOf(Array.isArray(value) ? (value[0] ?? null) : value, event)
        if (meaning !== undefined) event.set(target, meaning)
        // Translating in place always succeeds, even without a match.
        return meaning !== undefined || target === source
      },
    }
  },
})

type Meaning = (value: FieldValue, event: Event) => FieldValue | undefined

/** Translates each element of an array, or a field inside each element. */
function iterate(event: Event, iterateOn: string, source: string, target: string, meaningOf: Meaning): boolean {
  const items = event.get(iterateOn)
  if (items === undefined) return false
  const list = Array.isArray(items) ? items : items === null ? [] : [items]
  if (iterateOn === source) {
    const meanings = list.map((item) => meaningOf(item, event) ?? null)
    event.set(target, meanings)
    return meanings.some((meaning) => meaning !== null && meaning !== false)
  }
  let matched = false
  list.forEach((_item, i) => {
    const place = referenceWithin(iterateOn, `[${i}]`)
    const meaning = meaningOf(event.get(referenceWithin(place, source)) ?? null, event)
    if (meaning === undefined) return
    event.set(referenceWithin(place, target), meaning)
    matched = true
  })
  return matched
}

type LookUp = (text: string, words: Dictionary) => FieldValue | undefined

function lookUpOf(exact: boolean, regex: boolean): LookUp {
  if (exact && !regex) return (text, words) => words.get(text)
  // Compiled expressions are cached per key, because dictionaries rarely change.
  const expressions = new Map<string, WatchedRegexp>()
  const expressionOf = (word: string): WatchedRegexp => {
    let expression = expressions.get(word)
    if (expression === undefined) {
      expression = new WatchedRegexp(word)
      expressions.set(word, expression)
    }
    return expression
  }
  if (exact) {
    return (text, words) => {
      for (const [word, meaning] of words) if (expressionOf(word).test(text)) return meaning
      return undefined
    }
  }
  let expressionWords: Dictionary | undefined
  let expression = /(?!)/g
  return (text, words) => {
    // All keys are replaced in one pass, so that a replacement is not translated again. Keys are expressions only with
    // `exact`.
    if (words !== expressionWords) {
      const escaped = [...words.keys()].map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      expression = escaped.length === 0 ? /(?!)/g : new RegExp(escaped.join('|'), 'g')
      expressionWords = words
    }
    const changed = text.replace(expression, (word) => rubyText(words.get(word) ?? null))
    return changed === text ? undefined : changed
  }
}
