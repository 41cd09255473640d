/** `prune`: keeps or removes top-level fields by name and value. */

import { WatchedRegexp } from '../../text/regex/watched-regexp.ts'
import type { Event } from '../event/event.ts'
import { topLevelReference } from '../event/field-reference.ts'
import { namesOf } from '../event/fields.ts'
import { textForm } from '../event/text-form.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'

/** A regular expression, recompiled per event if it contains references. */
type Test = (text: string, event: Event) => boolean

export const prune = filterPlugin({
  name: 'prune',
  touches: 'nothing',
  options: {
    whitelist_names: option.strings({ default: [] }),
    blacklist_names: option.strings({ default: ['%\\{[^}]+\\}'] }),
    whitelist_values: option.hash({ default: new Map<string, ConfigValue>() }),
    blacklist_values: option.hash({ default: new Map<string, ConfigValue>() }),
    interpolate: option.boolean({ default: false }),
  },
  create(options) {
    const testOf = (pattern: string): Test => {
      if (options.interpolate && pattern.includes('%{')) {
        return (text, event) => new WatchedRegexp(event.expand(pattern)).test(text)
      }
      const regexp = new WatchedRegexp(pattern)
      return (text) => regexp.test(text)
    }
    const nameOf = (name: string, event: Event) => (options.interpolate ? event.expand(name) : name)
    const wanted = options.whitelist_names.map(testOf)
    const unwanted = options.blacklist_names.map(testOf)
    const wantedValues = [...options.whitelist_values].map(([name, text]) => [name, testOf(String(text))] as const)
    const unwantedValues = [...options.blacklist_values].map(([name, text]) => [name, testOf(String(text))] as const)
    return {
      filter(event) {
        // All decisions are made before anything is removed, because expressions may refer to removed fields.
        const named = namesOf(event.fields).filter((name) => {
          const keep = wanted.length === 0 || wanted.some((test) => test(name, event))
          return !keep || unwanted.some((test) => test(name, event))
        })
        const valued = [
          ...wantedValues.map(([name, test]) => passing(event, nameOf(name, event), (text) => test(text, event))),
          ...unwantedValues.map(([name, test]) => passing(event, nameOf(name, event), (text) => !test(text, event))),
        ]
        for (const name of named) event.remove(topLevelReference(name))
        for (const change of valued) change()
        return true
      },
    }
  },
})

/** Elements that fail are removed from an array. A scalar that fails is removed with its field. */
function passing(event: Event, name: string, passes: (text: string) => boolean): () => void {
  const reference = topLevelReference(name)
  const value = event.get(reference)
  if (value === undefined || value === null) return () => {}
  if (!Array.isArray(value)) {
    return passes(textForm(value)) ? () => {} : () => event.remove(reference)
  }
  const failing = new Set(value.filter((item) => item === null || !passes(textForm(item))))
  return () => {
    const kept = event.get(reference)
    if (!Array.isArray(kept)) return
    const left = kept.filter((item) => !failing.has(item))
    if (left.length === 0) event.remove(reference)
    else event.set(reference, left)
  }
}
