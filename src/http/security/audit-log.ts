/** The audit log: a JSON line for every decision of the gate, with Elasticsearch's member names, without bodies and credentials. */
import { randomUUID } from 'node:crypto'
import type { Caller } from '../../security/authorization/caller.ts'
import type { IncomingRequest } from '../dispatcher.ts'
import { toApiError } from '../error-response.ts'
import { splitTarget } from '../request-target.ts'
import type { AuditSink } from './request-gate.ts'

/** Parameters that may contain data of documents or contexts. */
const HIDDEN = /([?&](?:source|scroll_id|q)=)[^&]*/g

export class AuditLog implements AuditSink {
  readonly #write: (line: string) => void
  readonly #nodeId: string

  constructor(write: (line: string) => void, nodeId: string) {
    this.#write = write
    this.#nodeId = nodeId
  }

  granted(incoming: IncomingRequest, caller: Caller, action: string | undefined): void {
    this.#line('access_granted', incoming, caller, action, undefined)
  }

  denied(incoming: IncomingRequest, caller: Caller | undefined, action: string | undefined, error: unknown): void {
    const { status } = toApiError(error)
    if (caller === undefined) this.#line('authentication_failed', incoming, caller, action, status)
    else if (status === 403) this.#line('access_denied', incoming, caller, action, status)
    // The request was authorized and is invalid for other reasons.
    else this.#line('access_granted', incoming, caller, action, status)
  }

  #line(
    event: string,
    incoming: IncomingRequest,
    caller: Caller | undefined,
    action: string | undefined,
    status: number | undefined,
  ): void {
    const { path, query } = splitTarget(incoming.uri)
    const hidden = query === '' ? '' : `?${query}`.replace(HIDDEN, '$1…').slice(1)
    const opaqueId = incoming.headers['x-opaque-id']
    this.#write(
      JSON.stringify({
        type: 'audit',
        timestamp: new Date().toISOString(),
        'node.id': this.#nodeId,
        'event.type': 'rest',
        'event.action': event,
        'request.id': randomUUID(),
        'request.method': incoming.method,
        'url.path': path,
        ...(hidden === '' ? {} : { 'url.query': hidden }),
        'origin.type': 'rest',
        'origin.address': incoming.address,
        ...(caller === undefined ? {} : describe(caller)),
        action,
        indices: namesIn(path),
        ...(status === undefined ? {} : { status }),
        opaque_id: opaqueId,
      }),
    )
  }
}

function describe({
  username,
  authenticationRealm,
  authenticationType,
  apiKey,
  actor,
}: Caller): Record<string, unknown> {
  return {
    'authentication.type': authenticationType.toUpperCase(),
    'user.name': username,
    'user.realm': authenticationRealm.name,
    ...(apiKey === undefined ? {} : { 'apikey.id': apiKey.id, 'apikey.name': apiKey.name }),
    ...(actor === undefined ? {} : { 'user.run_by.name': actor.username }),
  }
}

/** The index names in the first segment of the path; undefined if it is a word of the API. */
function namesIn(path: string): string[] | undefined {
  const first = path.split('/')[1]
  return first === undefined || first === '' || first.startsWith('_') ? undefined : first.split(',')
}
