/** A list of names as chips with a field to add one: Enter, a comma or a choice adds, Backspace in the empty field removes the last. */
import { useId, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface TokenFieldProps {
  readonly label: string
  readonly values: readonly string[]
  /** Names to choose from; others can be typed. */
  readonly known?: readonly string[] | undefined
  readonly placeholder?: string
  readonly onChange: (values: readonly string[]) => void
}

export function TokenField({ label, values, known = [], placeholder, onChange }: TokenFieldProps) {
  const id = useId()
  const [text, setText] = useState('')
  const add = (typed: string) => {
    const names = typed
      .split(/[,\n]/)
      .map((name) => name.trim())
      .filter((name) => name !== '' && !values.includes(name))
    setText('')
    if (names.length > 0) onChange([...values, ...new Set(names)])
  }
  return (
    <div class="stack">
      <label class="label" for={id}>
        {label}
      </label>
      <div class="field tokens-field">
        {values.map((name) => (
          <span class="chip" key={name}>
            <span class="clip">{name}</span>
            <button
              type="button"
              aria-label={`Remove ${name} from ${label}`}
              onClick={() => onChange(values.filter((other) => other !== name))}
            >
              <Icon name="close" />
            </button>
          </span>
        ))}
        <input
          id={id}
          class="grow"
          list={`${id}-known`}
          spellcheck={false}
          autocomplete="off"
          placeholder={values.length === 0 ? placeholder : undefined}
          value={text}
          onInput={(event) => {
            const next = event.currentTarget.value
            // A choice from the list comes as one change to a known name.
            const isChosen = next.length - text.length > 1 && known.includes(next)
            if (isChosen || /[,\n]/.test(next)) add(next)
            else setText(next)
          }}
          onBlur={() => add(text)}
          onKeyDown={(event) => {
            // Enter never sends the form from here: it also takes a name from the list of the browser.
            if (event.key === 'Enter') {
              event.preventDefault()
              add(text)
            } else if (event.key === 'Backspace' && text === '' && values.length > 0) onChange(values.slice(0, -1))
          }}
        />
        <datalist id={`${id}-known`}>
          {known
            .filter((name) => !values.includes(name))
            .map((name) => (
              <option key={name} value={name} />
            ))}
        </datalist>
      </div>
    </div>
  )
}
