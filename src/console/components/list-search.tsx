/** The search field above a list. The key `/` focuses it. */
import { Icon } from './icon.tsx'

interface ListSearchProps {
  /** Names the field for screen readers. */
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
}

export function ListSearch({ label, placeholder, value, onChange }: ListSearchProps) {
  return (
    <span class="field soft listsearch">
      <Icon name="discover" />
      <input
        class="grow"
        data-hotkey="/"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </span>
  )
}
