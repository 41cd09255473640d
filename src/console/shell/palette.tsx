/** Ctrl+K: opens a view or an index by a part of its name. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { call, segment } from '../api/client.ts'
import { Dialog } from '../components/dialog.tsx'
import { Icon, type IconName } from '../components/icon.tsx'
import { listed } from '../state/features.ts'
import { navigate } from '../state/router.ts'

interface Target {
  readonly label: string
  readonly hint: string
  readonly icon: IconName
  readonly to: string
}

const SHOWN = 12

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [indices, setIndices] = useState<readonly string[]>([])
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus()
    call<{ index: string }[]>('GET', '/_cat/indices?format=json&h=index&expand_wildcards=all').then(
      (rows) => setIndices(rows.map(({ index }) => index)),
      () => {},
    )
  }, [])
  const targets: Target[] = [
    ...listed.value.map(({ label, icon, path }) => ({ label, icon: icon as IconName, hint: 'view', to: `/${path}` })),
    ...indices.flatMap((name): Target[] => [
      { label: name, icon: 'discover', hint: 'documents', to: `/discover?index=${encodeURIComponent(name)}` },
      { label: name, icon: 'indices', hint: 'index', to: `/indices/${segment(name)}` },
    ]),
  ]
  const found = targets.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase())).slice(0, SHOWN)
  const chosen = Math.min(at, found.length - 1)
  const go = (target: Target | undefined) => {
    if (target === undefined) return
    onClose()
    navigate(target.to)
  }
  return (
    <Dialog title="Go to" onClose={onClose}>
      <span class="field">
        <Icon name="discover" />
        <input
          ref={input}
          class="grow"
          role="combobox"
          aria-label="View or index"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={found.length > 0 ? `palette-${chosen}` : undefined}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, found.length - 1))
            else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0))
            else if (event.key === 'Enter') go(found[chosen])
            else return
            event.preventDefault()
          }}
        />
      </span>
      <div id="palette-list" class="palette" role="listbox" aria-label="Places">
        {found.map((target, i) => (
          <div
            key={`${target.to}`}
            id={`palette-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen}
            onClick={() => go(target)}
          >
            <Icon name={target.icon} />
            <span class="clip grow">{target.label}</span>
            <span class="hint">{target.hint}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="quiet">Nothing has this in its name.</p>}
    </Dialog>
  )
}
