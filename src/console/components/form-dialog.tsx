/** A dialog whose fields become one request: shows the request, sends it, and keeps what was typed when the service refuses it. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type ApiRequest, call } from '../api/client.ts'
import type { Json } from '../api/lossless-json.ts'
import { Dialog } from './dialog.tsx'
import { ErrorPanel } from './error-panel.tsx'
import { ShowRequest } from './show-request.tsx'

interface FormDialogProps {
  readonly title: string
  /** The verb and the thing: "Create user". */
  readonly action: string
  /** The request that the fields make; an error of the fields is thrown. */
  readonly request: () => ApiRequest
  /** The same request without its secrets, to be shown. */
  readonly shown?: () => ApiRequest
  readonly isReady: boolean
  readonly onDone: (answer: Json) => void
  readonly onClose: () => void
  readonly wide?: boolean
  readonly children: ComponentChildren
}

export function FormDialog(props: FormDialogProps) {
  const { title, action, request, isReady, onDone, onClose, wide = false, children } = props
  const shown = props.shown ?? request
  const [failure, setFailure] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const submit = async () => {
    setSending(true)
    try {
      const { method, path, body } = request()
      const answer = await call(method, path, body)
      onDone(answer)
      onClose()
    } catch (error) {
      setFailure(error)
      setSending(false)
    }
  }
  return (
    <Dialog title={title} wide={wide} onClose={onClose}>
      <form
        class="stack form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !isSending) void submit()
        }}
      >
        {children}
        {failure !== undefined && <ErrorPanel error={failure} />}
        <div class="row">
          <ShowRequest
            plain
            requests={() => {
              try {
                return [shown()]
              } catch (error) {
                setFailure(error)
                return []
              }
            }}
          />
          <span class="push" />
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={!isReady || isSending}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
