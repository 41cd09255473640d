/** Shows an error in place of the response: its reason, type and remedy. */
import type { ComponentChildren } from 'preact'
import { ApiFault } from '../api/client.ts'
import { faultOf } from '../api/fault.ts'
import { Icon } from './icon.tsx'

export function ErrorPanel({ error, children }: { readonly error: unknown; readonly children?: ComponentChildren }) {
  const fault =
    error instanceof ApiFault
      ? faultOf(error.answer)
      : {
          title: (error as Error).message ?? String(error),
          type: undefined,
          line: undefined,
          column: undefined,
          advice: undefined,
        }
  const place = fault.line === undefined ? '' : ` · line ${fault.line}, column ${fault.column} of the body`
  return (
    <div class="fault-panel" role="alert">
      <Icon name="fault" />
      <div>
        <h3>
          <bdi>{fault.title}</bdi>
        </h3>
        {fault.type !== undefined && (
          <div class="type">
            {fault.type}
            {place}
          </div>
        )}
        {(fault.advice !== undefined || (children !== undefined && children !== false)) && (
          <div class="do">
            {fault.advice}
            {children}
          </div>
        )}
      </div>
    </div>
  )
}
