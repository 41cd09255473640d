/** Applies the common options of inputs and filters to an event. */
import type { Event } from '../event/event.ts'
import { fieldReference } from '../event/field-reference.ts'
import { type FieldValue, toFieldValue } from '../event/fields.ts'
import { isTemplate } from '../event/template.ts'
import type { ConfigValue } from '../plugin/options.ts'

type Change = (event: Event) => void

/** Applies add_field, remove_field, add_tag and remove_tag, in this order; undefined if none is set. */
export function filterSuccess(options: Readonly<Record<string, unknown>>): Change | undefined {
  return inOrder([
    ...addFields(options['add_field'] as Map<string, ConfigValue> | undefined),
    ...(options['remove_field'] as string[]).map(removeField),
    ...(options['add_tag'] as string[]).map(
      (tag): Change =>
        (event) =>
          event.appendTag(event.expand(tag)),
    ),
    ...(options['remove_tag'] as string[]).map(
      (tag): Change =>
        (event) =>
          event.removeTag(event.expand(tag)),
    ),
  ])
}

/** Applies type, tags and add_field of an input. */
export function inputDecoration(options: Readonly<Record<string, unknown>>): Change | undefined {
  const type = options['type'] as string | undefined
  const setType: Change[] = type === undefined ? [] : [(event) => event.setDefault('type', type)]
  return inOrder([
    ...setType,
    ...(options['tags'] as string[]).map(
      (tag): Change =>
        (event) =>
          event.appendTag(tag),
    ),
    ...addFields(options['add_field'] as Map<string, ConfigValue> | undefined),
  ])
}

function inOrder(changes: readonly Change[]): Change | undefined {
  if (changes.length < 2) return changes[0]
  return (event) => {
    for (let i = 0; i < changes.length; i++) changes[i]!(event)
  }
}

function addFields(fields: Map<string, ConfigValue> | undefined): Change[] {
  if (fields === undefined) return []
  return [...fields].flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => addField(name, item)),
  )
}

function addField(name: string, value: ConfigValue): Change {
  const known = isTemplate(name) ? undefined : fieldReference(name)
  const fixed = addedValue(value)
  const expands = typeof fixed === 'string' && isTemplate(fixed)
  return (event) => {
    const item = expands ? event.expand(fixed) : fixed
    event.append(known ?? event.expand(name), item)
  }
}

/** Unquoted numbers are added as strings. */
function addedValue(value: ConfigValue): FieldValue {
  return typeof value === 'object' ? toFieldValue(value) : String(value)
}

function removeField(name: string): Change {
  const known = isTemplate(name) ? undefined : fieldReference(name)
  return (event) => {
    event.remove(known ?? event.expand(name))
  }
}
