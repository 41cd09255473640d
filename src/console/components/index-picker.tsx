/** An input for an index, alias, data stream or pattern, with suggestions of existing names. */
import { useEffect, useId, useState } from 'preact/hooks'
import { names, readNames } from '../documents/fields.ts'
import { Icon } from './icon.tsx'

export function IndexPicker({
  value,
  onChoose,
}: {
  readonly value: string
  readonly onChoose: (name: string) => void
}) {
  const id = useId()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => void readNames().catch(() => {}), [])
  const choose = (next: string) => {
    const name = next.trim()
    if (name !== '' && name !== value) onChoose(name)
  }
  return (
    <span class="field picker">
      <Icon name="indices" />
      <input
        class="grow"
        aria-label="Index, alias, data stream or pattern"
        placeholder="index or pattern"
        list={id}
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={(event) => {
          const next = event.currentTarget.value
          setText(next)
          if (names.value.some(({ name }) => name === next)) choose(next)
        }}
        onFocus={() => void readNames().catch(() => {})}
        onChange={(event) => choose(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') choose(event.currentTarget.value)
        }}
      />
      <datalist id={id}>
        {names.value.map(({ name, kind }) => (
          <option key={name} value={name}>
            {kind}
          </option>
        ))}
      </datalist>
    </span>
  )
}
