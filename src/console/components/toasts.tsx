/** Short messages at the bottom right about actions. A view shows its own errors itself. */
import { signal } from '@preact/signals'
import { Icon } from './icon.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void } | undefined
}

const SHOWN_MS = 6000

const toasts = signal<readonly Toast[]>([])
let lastId = 0

export function toast(text: string, action?: Toast['action']): void {
  const id = ++lastId
  toasts.value = [...toasts.value.slice(-3), { id, text, action }]
  window.setTimeout(() => dismiss(id), SHOWN_MS)
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, action }) => (
        <div class="toast" key={id}>
          <span class="grow">{text}</span>
          {action !== undefined && (
            <button
              type="button"
              class="button small"
              onClick={() => {
                action.run()
                dismiss(id)
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="button plain small square" aria-label="Close note" onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}

/** Copies text to the clipboard and shows a message. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(`${what} copied`)
  } catch {
    toast(`This browser does not let the page copy. Select the text and copy it by hand.`)
  }
}
