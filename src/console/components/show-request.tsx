/** "Show the request": the request of a view as console text, curl, JavaScript or Python. */
import { useState } from 'preact/hooks'
import type { ApiRequest } from '../api/client.ts'
import { consoleText, formatRequests, REQUEST_FORMS, type RequestForm } from '../api/request-forms.ts'
import { navigate } from '../state/router.ts'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { copyText } from './toasts.tsx'

export function ShowRequest({
  requests,
  plain = false,
}: {
  readonly requests: () => readonly ApiRequest[]
  readonly plain?: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        class={plain ? 'button plain' : 'button'}
        data-hotkey="x"
        aria-label="Show the request"
        onClick={() => setOpen(true)}
      >
        <Icon name="code" />
        <span class="wide-only">Show the request</span>
      </button>
      {isOpen && <RequestDialog requests={requests()} onClose={() => setOpen(false)} />}
    </>
  )
}

function RequestDialog({
  requests,
  onClose,
}: {
  readonly requests: readonly ApiRequest[]
  readonly onClose: () => void
}) {
  const [form, setForm] = useState<RequestForm>('console')
  const text = formatRequests(requests, form, location.origin)
  return (
    <Dialog
      title={requests.length === 1 ? 'The request of this view' : 'The requests of this view'}
      wide
      onClose={onClose}
    >
      <fieldset class="segments" aria-label="Language">
        {REQUEST_FORMS.map(([name, label]) => (
          <button type="button" key={name} aria-pressed={form === name} onClick={() => setForm(name)}>
            {label}
          </button>
        ))}
      </fieldset>
      <pre class="copytext" tabIndex={0}>
        {text}
      </pre>
      <div class="row">
        <button type="button" class="button plain" onClick={() => openInRequests(requests)}>
          <Icon name="requests" />
          Open in Requests
        </button>
        <span class="push" />
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
        <button type="button" class="button primary" onClick={() => copyText(text, 'Request')}>
          <Icon name="copy" />
          Copy
        </button>
      </div>
    </Dialog>
  )
}

/** The text is in the fragment of the address, which browsers do not send to a server. */
export function openInRequests(requests: readonly ApiRequest[]): void {
  navigate(`/requests#t=${encodeURIComponent(requests.map(consoleText).join('\n\n'))}`)
}
