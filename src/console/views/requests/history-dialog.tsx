/** The requests that were sent from this browser, filtered by a part of their text. */
import { useState } from 'preact/hooks'
import { duration, shortDate } from '../../api/format.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { sent } from './documents.ts'

const SHOWN = 60

export function HistoryDialog({
  onTake,
  onClose,
}: {
  readonly onTake: (text: string) => void
  readonly onClose: () => void
}) {
  const [part, setPart] = useState('')
  const found = sent.value.filter(({ text }) => text.toLowerCase().includes(part.toLowerCase())).slice(0, SHOWN)
  return (
    <Dialog title="History" wide onClose={onClose}>
      <span class="field">
        <Icon name="discover" />
        <input
          class="grow"
          aria-label="Find in history"
          placeholder="Part of a request"
          value={part}
          onInput={(event) => setPart(event.currentTarget.value)}
        />
      </span>
      {found.length === 0 && (
        <p class="quiet">{sent.value.length === 0 ? 'No request was sent yet.' : 'No request has this text.'}</p>
      )}
      <ul class="history">
        {found.map((entry) => (
          <li key={entry.atMs}>
            <button
              type="button"
              onClick={() => {
                onTake(entry.text)
                onClose()
              }}
            >
              <span class={`badge ${entry.status < 400 ? 'ok' : 'danger'}`}>{entry.status}</span>
              <code class="clip grow">{entry.text.replace(/\s+/g, ' ').slice(0, 160)}</code>
              <span class="hint nowrap">
                {duration(entry.ms)} · {shortDate(entry.atMs)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
