/** The documents of the Requests view and the history of requests, stored in the browser. */
import { effect, signal } from '@preact/signals'
import { stored } from '../../state/preferences.ts'

export interface EditorDocument {
  readonly id: string
  readonly name: string
  readonly text: string
}

export interface HistoryEntry {
  readonly text: string
  readonly status: number
  readonly ms: number
  readonly atMs: number
}

interface Kept {
  readonly documents: readonly EditorDocument[]
  readonly active: string
}

const DOCUMENTS_KEY = 'sandpiper.requests'
const HISTORY_KEY = 'sandpiper.history'
const HISTORY_MAX = 200

const WELCOME = `# Ctrl+Enter sends the request under the cursor
GET _cat/indices?v

GET _search
{
  "query": { "match_all": {} }
}
`

const SCRATCH: EditorDocument = { id: 'scratch', name: 'Scratch', text: WELCOME }

export const kept = signal<Kept>({ documents: [SCRATCH], active: 'scratch', ...stored<Kept>(DOCUMENTS_KEY) })
export const sent = signal<readonly HistoryEntry[]>(stored<{ entries: HistoryEntry[] }>(HISTORY_KEY).entries ?? [])

effect(() => localStorage.setItem(DOCUMENTS_KEY, JSON.stringify(kept.value)))
effect(() => localStorage.setItem(HISTORY_KEY, JSON.stringify({ entries: sent.value })))

export function activeDocument(): EditorDocument {
  const { documents, active } = kept.value
  return documents.find(({ id }) => id === active) ?? documents[0] ?? SCRATCH
}

export function changeText(text: string): void {
  const { id } = activeDocument()
  kept.value = { ...kept.value, documents: kept.value.documents.map((one) => (one.id === id ? { ...one, text } : one)) }
}

export function openDocument(id: string): void {
  kept.value = { ...kept.value, active: id }
}

export function addDocument(name: string, text: string): void {
  const id = `d${Date.now().toString(36)}`
  kept.value = { documents: [...kept.value.documents, { id, name, text }], active: id }
}

export function closeDocument(id: string): void {
  const documents = kept.value.documents.filter((one) => one.id !== id)
  const left = documents.length === 0 ? [SCRATCH] : documents
  kept.value = { documents: left, active: kept.value.active === id ? left[0]!.id : kept.value.active }
}

export function renameDocument(id: string, name: string): void {
  kept.value = { ...kept.value, documents: kept.value.documents.map((one) => (one.id === id ? { ...one, name } : one)) }
}

export function remember(entry: HistoryEntry): void {
  sent.value = [entry, ...sent.value.filter(({ text }) => text !== entry.text)].slice(0, HISTORY_MAX)
}
