/**
 * Grok debugger: shows the matches of a pattern in sample lines, and for lines without a match the position and reason
 * of the failure.
 */
import { useState } from 'preact/hooks'
import type { ApiRequest } from '../../api/client.ts'
import { count } from '../../api/format.ts'
import { CopyLink } from '../../components/copy-link.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Icon } from '../../components/icon.tsx'
import { ShowRequest } from '../../components/show-request.tsx'
import { copyText } from '../../components/toasts.tsx'
import { visible } from '../../documents/marks.ts'
import { stored } from '../../state/preferences.ts'
import { address, navigate } from '../../state/router.ts'
import { useTitle } from '../../state/title.ts'
import { useKept, useTrial } from './trial.ts'

interface TriedLine {
  readonly matched: boolean
  readonly pieces: readonly (readonly [number, number])[]
  readonly fields: readonly { readonly field: string; readonly text: string }[]
  readonly stop?: { readonly at: number; readonly piece: string; readonly within: readonly string[] }
}

interface Trial {
  readonly error?: string
  readonly pieces: readonly string[]
  readonly lines: readonly TriedLine[]
  readonly suggestion?: { readonly pattern: string; readonly matches: number }
}

interface Kept {
  readonly pattern: string
  readonly lines: string
  readonly ecs: boolean
}

const KEY = 'sandpiper.grok'
const PATH = '/_sandpiper/pipeline/grok'
const TYPING_MS = 150
const EXAMPLE: Kept = {
  pattern:
    '%{IPORHOST:clientip} %{NOTSPACE:ident} %{NOTSPACE:auth} \\[%{HTTPDATE:timestamp}\\] "%{WORD:verb} %{NOTSPACE:request} HTTP/%{NUMBER:httpversion}" %{NUMBER:response:int} %{NUMBER:bytes:int}',
  lines: `203.0.113.58 - - [16/Nov/2026:08:12:40 +0000] "GET /shop/15/item/35 HTTP/1.1" 200 5120
203.0.113.9 - anna [16/Nov/2026:08:12:41 +0000] "POST /api/cart HTTP/1.1" 500 312
198.51.100.7 - - [16/Nov/2026:08:12:42 +0000] "GET /health HTTP/1.1" 204 -`,
  ecs: false,
}

export default function Grok() {
  useTitle('Grok debugger')
  const linked = new URLSearchParams(address.value.hash.slice(1))
  const [kept, setKept] = useState<Kept>(() => ({
    ...EXAMPLE,
    ...stored<Kept>(KEY),
    ...(linked.has('p') ? { pattern: linked.get('p')!, lines: linked.get('l') ?? '' } : {}),
  }))
  const [chosen, setChosen] = useState(0)
  const lines = kept.lines.split('\n').filter((line) => line !== '')
  const body = { pattern: kept.pattern, lines, ecs: kept.ecs }
  useKept(KEY, kept)
  const { answer: trial, failure, again } = useTrial<Trial>(PATH, body, TYPING_MS)
  const firstFailing = trial?.lines.findIndex(({ matched }) => !matched) ?? -1
  const shownAt = Math.min(chosen, lines.length - 1)
  const shown = trial?.lines[shownAt]
  const matched = trial?.lines.filter((line) => line.matched).length ?? 0
  const failing = shown?.stop === undefined ? undefined : shown.pieces.length
  const link = () => {
    const hash = `#${new URLSearchParams({ p: kept.pattern, l: kept.lines })}`
    navigate(`/pipelines/grok${hash}`, 'replace')
    void copyText(location.href, 'Link')
  }
  return (
    <>
      <header class="bar">
        <h1>Grok debugger</h1>
        {trial !== undefined && trial.error === undefined && (
          <span class={matched === lines.length ? 'badge ok' : 'badge danger'} role="status">
            {count(matched)} of {count(lines.length)} lines match
          </span>
        )}
        <span class="push" />
        <label class="check">
          <input
            type="checkbox"
            checked={kept.ecs}
            onChange={(event) => setKept({ ...kept, ecs: event.currentTarget.checked })}
          />
          ECS names
        </label>
        <CopyLink onCopy={link} />
        <ShowRequest requests={(): ApiRequest[] => [{ method: 'POST', path: PATH, body }]} />
      </header>
      <div class="pattern-box stack">
        <label class="stack">
          <span class="label">Pattern</span>
          <textarea
            class="area patternarea"
            rows={2}
            spellcheck={false}
            data-hotkey="/"
            value={kept.pattern}
            onInput={(event) => setKept({ ...kept, pattern: event.currentTarget.value.replaceAll('\n', '') })}
          />
        </label>
        {trial !== undefined && trial.error === undefined && <PatternPieces pieces={trial.pieces} failing={failing} />}
        {trial?.error !== undefined && (
          <div class="fault-panel" role="alert">
            <Icon name="fault" />
            <div>
              <h3>{trial.error}</h3>
            </div>
          </div>
        )}
        {failure !== undefined && (
          <ErrorPanel error={failure}>
            <button type="button" class="button small" onClick={again}>
              Try again
            </button>
          </ErrorPanel>
        )}
      </div>
      <div class="body groklayout">
        <section class="pane grow" aria-label="Lines">
          <label class="stack linesbox">
            <span class="label">Lines to try, one on each row</span>
            <textarea
              class="area"
              rows={5}
              spellcheck={false}
              value={kept.lines}
              onInput={(event) => setKept({ ...kept, lines: event.currentTarget.value })}
            />
          </label>
          <div class="scroll" role="listbox" aria-label="Results">
            {trial?.lines.map((line, i) => (
              <Line
                key={`${i}`}
                line={line}
                text={lines[i] ?? ''}
                isChosen={i === shownAt}
                onChoose={() => setChosen(i)}
              />
            ))}
          </div>
        </section>
        <section class="pane explain" aria-label="Explanation">
          <div class="scroll pad stack">
            {shown?.stop !== undefined && <Reason line={shown} text={lines[shownAt] ?? ''} />}
            {firstFailing >= 0 && trial?.suggestion !== undefined && (
              <div class="banner suggestion">
                <Icon name="idea" />
                <div class="grow stack">
                  <span>
                    This matches <b class="strong">{count(trial.suggestion.matches)}</b> of {count(lines.length)} lines:
                  </span>
                  <code class="wrapcode">{trial.suggestion.pattern}</code>
                  <button
                    type="button"
                    class="button small"
                    onClick={() => setKept({ ...kept, pattern: trial.suggestion!.pattern })}
                  >
                    Take it
                  </button>
                </div>
              </div>
            )}
            <span class="label">{shown === undefined || shown.matched ? 'Fields' : 'Fields so far'}</span>
            <table class="doc">
              <tbody>
                {shown?.fields.map(({ field, text }) => (
                  <tr key={field}>
                    <td>{field}</td>
                    <td>
                      <bdi>{visible(text)}</bdi>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {shown?.fields.length === 0 && <p class="quiet">No field.</p>}
          </div>
        </section>
      </div>
    </>
  )
}

function PatternPieces({
  pieces,
  failing,
}: {
  readonly pieces: readonly string[]
  readonly failing: number | undefined
}) {
  return (
    <div
      class="pattern"
      role="img"
      aria-label={
        failing === undefined ? 'The pieces of the pattern' : `The pieces of the pattern; piece ${failing + 1} fails`
      }
    >
      {pieces.map((piece, i) => (
        <span key={`${i} ${piece}`} class={i === failing ? 'bad' : `piece t${(i % 6) + 1}`} title={`piece ${i + 1}`}>
          {visibleBlank(piece)}
        </span>
      ))}
    </div>
  )
}

/** Makes a part of only spaces visible with dots. */
function visibleBlank(text: string): string {
  return /^ +$/.test(text) ? '·'.repeat(text.length) : text
}

function Line({
  line,
  text,
  isChosen,
  onChoose,
}: {
  readonly line: TriedLine
  readonly text: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}) {
  const start = line.pieces[0]?.[0] ?? 0
  const end = line.pieces.at(-1)?.[1] ?? 0
  const stop = line.stop === undefined ? undefined : Math.max(end, line.stop.at)
  return (
    <button
      type="button"
      class={line.matched ? 'grokline' : 'grokline fails'}
      role="option"
      aria-selected={isChosen}
      onClick={onChoose}
    >
      <span class={line.matched ? 'okmark' : 'badmark'}>
        <Icon name={line.matched ? 'check' : 'fault'} />
        <span class="sr">{line.matched ? 'matches' : 'does not match'}</span>
      </span>
      <span class="mono">
        {visible(text.slice(0, start))}
        {line.pieces.map(([from, to], i) => (
          <span key={`${i}`} class={`piece t${(i % 6) + 1}`}>
            {visible(text.slice(from, to))}
          </span>
        ))}
        {stop !== undefined && (
          <>
            {visible(text.slice(end, stop))}
            <i class="stopped" />
            <span class="rest">{visible(text.slice(stop))}</span>
          </>
        )}
        {stop === undefined && visible(text.slice(end))}
      </span>
      {line.stop !== undefined && (
        <span class="caretline hint">
          stops at column {count(stop! + 1)}, at {shownPiece(line.stop.piece)}
        </span>
      )}
    </button>
  )
}

function shownPiece(piece: string): string {
  return /^\s|\s$/.test(piece) ? JSON.stringify(piece) : piece
}

function Reason({ line, text }: { readonly line: TriedLine; readonly text: string }) {
  const { at, piece, within } = line.stop!
  const found = text.slice(at, at + 12)
  return (
    <div class="fault-panel">
      <Icon name="fault" />
      <div>
        <h3>
          The pattern wants {shownPiece(piece)} and the line has{' '}
          {found === '' ? 'ended' : JSON.stringify(visible(found))}
        </h3>
        <div class="type">
          column {count(at + 1)}
          {within.map((name) => ` · in ${name}`).join('')}
        </div>
      </div>
    </div>
  )
}
