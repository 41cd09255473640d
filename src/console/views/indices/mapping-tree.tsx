/** The mapping as a tree that is expanded level by level and filtered by a part of a name. */
import { useState } from 'preact/hooks'
import { count, counted } from '../../api/format.ts'
import { isObject, type Json, writeJson } from '../../api/lossless-json.ts'
import { Icon } from '../../components/icon.tsx'
import { ListSearch } from '../../components/list-search.tsx'
import { typeLetter } from '../../documents/fields.ts'
import { type MappingNode, nodesOf, visibleNodes } from './mapping-nodes.ts'

const PAGE = 300

export function MappingTree({ mapping }: { readonly mapping: Record<string, Json> }) {
  const [part, setPart] = useState('')
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [shown, setShown] = useState(PAGE)
  const all = nodesOf(mapping)
  const found = visibleNodes(all, part, opened)
  const { properties: _properties, ...rest } = mapping
  const toggle = (path: string) => {
    const next = new Set(opened)
    if (!next.delete(path)) next.add(path)
    setOpened(next)
  }
  return (
    <div class="scroll">
      <div class="toolbar listbar">
        <ListSearch label="Find a field" placeholder="Part of a field name" value={part} onChange={setPart} />
        <span class="hint">{counted(all.length, 'field')}</span>
      </div>
      {all.length === 0 ? (
        <div class="empty">
          <p class="quiet">No field is mapped yet; the first document makes some.</p>
        </div>
      ) : (
        <ul class="tree" aria-label="Fields">
          {found.slice(0, shown).map((node) => (
            <Node
              key={node.path}
              node={node}
              isOpen={opened.has(node.path) || part !== ''}
              onToggle={() => toggle(node.path)}
            />
          ))}
        </ul>
      )}
      {found.length > shown && (
        <p class="pad">
          <button type="button" class="button" onClick={() => setShown(shown + 1000)}>
            Show {count(Math.min(1000, found.length - shown))} more of {count(found.length)}
          </button>
        </p>
      )}
      {Object.keys(rest).length > 0 && (
        <details class="template pad">
          <summary>Other settings of the mapping</summary>
          <pre class="copytext">{writeJson(rest, 2)}</pre>
        </details>
      )}
    </div>
  )
}

function Node({
  node,
  isOpen,
  onToggle,
}: {
  readonly node: MappingNode
  readonly isOpen: boolean
  readonly onToggle: () => void
}) {
  const { type: _type, properties: _properties, fields: _fields, ...options } = node.definition
  const isParent = node.children > 0
  return (
    <li class={`node-row d${Math.min(node.depth, 6)}`}>
      {isParent ? (
        <button
          type="button"
          class="button plain small square"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Close' : 'Open'} ${node.path}`}
          onClick={onToggle}
        >
          <Icon name={isOpen ? 'down' : 'right'} />
        </button>
      ) : (
        <span class="treegap" />
      )}
      <span class="ftype" aria-hidden="true">
        {typeLetter(node.type)}
      </span>
      <b class="clip">
        <bdi>{node.name}</bdi>
      </b>
      {node.isSubField && <span class="hint">sub-field</span>}
      <span class="badge">{node.type}</span>
      {isParent && <span class="hint nowrap">{counted(node.children, 'field')}</span>}
      {Object.keys(options).length > 0 && (
        <code class="clip hint grow">
          {Object.entries(options)
            .map(([key, value]) => `${key}: ${isObject(value) ? '{…}' : writeJson(value)}`)
            .join(', ')}
        </code>
      )}
    </li>
  )
}
