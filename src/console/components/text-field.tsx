/** A labelled input of one line. */
import { useId } from 'preact/hooks'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isSecret?: boolean
  readonly autocomplete?: string
  readonly placeholder?: string
  readonly isFixed?: boolean
  readonly isMono?: boolean
  readonly hint?: string | undefined
}

export function TextField({
  label,
  value,
  onChange,
  isSecret = false,
  autocomplete = 'off',
  placeholder,
  isFixed = false,
  isMono = false,
  hint,
}: TextFieldProps) {
  const id = useId()
  const given = {
    id,
    class: isMono ? 'grow mono' : 'grow',
    autocomplete,
    spellcheck: false,
    placeholder,
    readOnly: isFixed,
    value,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value),
  }
  return (
    <div class="stack grow">
      <label class="label" for={id}>
        {label}
      </label>
      <span class="field">{isSecret ? <input type="password" {...given} /> : <input {...given} />}</span>
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  )
}
