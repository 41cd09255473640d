/** A modal dialog. The browser traps the focus, closes the dialog on Esc and restores the focus. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly wide?: boolean
  readonly children: ComponentChildren
}

export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null
    element.current!.showModal()
    return () => before?.focus?.()
  }, [])
  return (
    <dialog
      ref={element}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === element.current) onClose()
      }}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') onClose()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  /** What will be lost, with numbers. */
  readonly children: ComponentChildren
  /** Verb and object, such as "Delete index". */
  readonly action: string
  /** The name to type before the button is enabled. Without it a click is enough. */
  readonly name?: string | undefined
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** A confirmation of an action that cannot be undone. */
export function Confirm({ title, children, action, name, onConfirm, onClose }: ConfirmProps) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">{children}</div>
      {name !== undefined && (
        <label class="stack">
          <span class="label">
            Type <code>{name}</code> to confirm
          </span>
          <span class="field">
            <input
              class="grow mono"
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => (button.current!.disabled = event.currentTarget.value !== name)}
            />
          </span>
        </label>
      )}
      <div class="row">
        <span class="push" />
        <button type="button" class="button" onClick={onClose}>
          Keep it
        </button>
        <button
          type="button"
          class="button danger primary"
          ref={button}
          disabled={name !== undefined}
          onClick={() => {
            onClose()
            onConfirm()
          }}
        >
          {action}
        </button>
      </div>
    </Dialog>
  )
}
