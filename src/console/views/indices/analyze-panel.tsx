/** Analyzer playground: the output of each analysis step, and why a word does not match. */
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { counted } from '../../api/format.ts'
import type { Json } from '../../api/lossless-json.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Icon } from '../../components/icon.tsx'
import { query, setQuery } from '../../state/router.ts'

interface Token {
  readonly token: string
  readonly start_offset: number
  readonly end_offset: number
  readonly position: number
  readonly type: string
}

interface Detail {
  readonly custom_analyzer: boolean
  readonly analyzer?: { readonly name: string; readonly tokens: readonly Token[] }
  readonly charfilters?: readonly { readonly name: string; readonly filtered_text: readonly string[] }[]
  readonly tokenizer?: { readonly name: string; readonly tokens: readonly Token[] }
  readonly tokenfilters?: readonly { readonly name: string; readonly tokens: readonly Token[] }[]
}

const BUILT_IN = ['standard', 'simple', 'whitespace', 'stop', 'keyword', 'english', 'german', 'french']
const CUSTOM = 'own steps'

interface AnalyzePanelProps {
  readonly path: string
  readonly analyzers: readonly string[]
  readonly fields: readonly string[]
}

export function AnalyzePanel({ path, analyzers, fields }: AnalyzePanelProps) {
  const text = query.value.get('text') ?? 'The quick brown foxes weren’t running in 2025'
  const by = query.value.get('by') ?? 'standard'
  const [tokenizer, setTokenizer] = useState('standard')
  const [filters, setFilters] = useState('lowercase, stop, porter_stem')
  const [detail, setDetail] = useState<Detail | undefined>()
  const [failure, setFailure] = useState<unknown>()
  const body: Json = {
    text,
    explain: true,
    ...(by === CUSTOM
      ? {
          tokenizer,
          filter: filters
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name !== ''),
        }
      : by.startsWith('field:')
        ? { field: by.slice(6) }
        : { analyzer: by }),
  }
  useEffect(() => {
    const abort = new AbortController()
    const timer = window.setTimeout(() => {
      call<{ detail: Detail }>('POST', `${path}/_analyze`, body, abort.signal).then(
        (answer) => {
          setDetail(answer.detail)
          setFailure(undefined)
        },
        (error) => {
          if (!abort.signal.aborted) setFailure(error)
        },
      )
    }, 150)
    return () => {
      window.clearTimeout(timer)
      abort.abort()
    }
  }, [JSON.stringify(body)])
  return (
    <div class="scroll pad stack analyze">
      <label class="stack">
        <span class="label">Text</span>
        <textarea
          class="area"
          rows={2}
          value={text}
          onInput={(event) => setQuery({ text: event.currentTarget.value })}
        />
      </label>
      <div class="row wrap wide">
        <label class="row">
          <span class="label">Analyzed by</span>
          <span class="field">
            <select value={by} onChange={(event) => setQuery({ by: event.currentTarget.value })}>
              {analyzers.length > 0 && (
                <optgroup label="of this index">
                  {analyzers.map((name) => (
                    <option key={name}>{name}</option>
                  ))}
                </optgroup>
              )}
              <optgroup label="built in">
                {BUILT_IN.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </optgroup>
              <optgroup label="as the field">
                {fields.slice(0, 200).map((name) => (
                  <option key={name} value={`field:${name}`}>
                    {name}
                  </option>
                ))}
              </optgroup>
              <option>{CUSTOM}</option>
            </select>
            <Icon name="down" />
          </span>
        </label>
        {by === CUSTOM && (
          <>
            <span class="field w-160">
              <input
                class="grow mono"
                aria-label="Tokenizer"
                value={tokenizer}
                onInput={(event) => setTokenizer(event.currentTarget.value.trim())}
              />
            </span>
            <span class="field w-320">
              <input
                class="grow mono"
                aria-label="Token filters"
                value={filters}
                onInput={(event) => setFilters(event.currentTarget.value)}
              />
            </span>
          </>
        )}
      </div>
      {failure !== undefined && <ErrorPanel error={failure} />}
      {detail !== undefined && failure === undefined && <Steps detail={detail} />}
    </div>
  )
}

function Steps({ detail }: { readonly detail: Detail }) {
  const { charfilters = [], tokenizer, tokenfilters = [], analyzer } = detail
  const steps = tokenizer !== undefined ? [tokenizer, ...tokenfilters] : analyzer !== undefined ? [analyzer] : []
  return (
    <div class="asteps">
      {charfilters.map(({ name, filtered_text }) => (
        <div class="astep" key={name}>
          <span>
            <b class="strong">{name}</b> <span class="hint">char filter</span>
          </span>
          <code>{filtered_text.join(' ')}</code>
        </div>
      ))}
      {steps.map(({ name, tokens }, i) => (
        <div class="astep" key={`${i} ${name}`}>
          <span>
            <b class="strong">{name}</b>{' '}
            <span class="hint">
              {tokenizer === undefined ? 'analyzer' : i === 0 ? 'tokenizer' : 'filter'} ·{' '}
              {counted(tokens.length, 'token')}
            </span>
          </span>
          <Tokens tokens={tokens} before={i === 0 ? undefined : steps[i - 1]!.tokens} />
        </div>
      ))}
    </div>
  )
}

/** Changed tokens are highlighted; removed tokens are shown as outlines. */
function Tokens({
  tokens,
  before,
}: {
  readonly tokens: readonly Token[]
  readonly before: readonly Token[] | undefined
}) {
  const at = (token: Token) => `${token.position} ${token.start_offset}`
  const was = new Map(before?.map((token) => [at(token), token.token]))
  const still = new Set(tokens.map(at))
  const gone = before?.filter((token) => !still.has(at(token))) ?? []
  const all = [
    ...tokens.map((token) => ({ token, isGone: false })),
    ...gone.map((token) => ({ token, isGone: true })),
  ].sort((a, b) => a.token.start_offset - b.token.start_offset || a.token.position - b.token.position)
  return (
    <div class="tokens">
      {all.map(({ token, isGone }, i) => {
        const isNew = before !== undefined && !isGone && was.get(at(token)) !== token.token
        return (
          <span
            key={`${i} ${at(token)}`}
            class={`token${isGone ? ' gone' : isNew ? ' new' : ''}`}
            title={`position ${token.position}, characters ${token.start_offset} to ${token.end_offset}, ${token.type}`}
          >
            {token.token}
          </span>
        )
      })}
    </div>
  )
}
