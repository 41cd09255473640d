/** The documents of the editor as tabs; double click renames one. */
import { useState } from 'preact/hooks'
import { Icon } from '../../components/icon.tsx'
import { addDocument, closeDocument, kept, openDocument, renameDocument } from './documents.ts'

export function FileTabs() {
  const { documents, active } = kept.value
  const [renaming, setRenaming] = useState<string | undefined>()
  return (
    <div class="filetabs">
      <div class="tablist" role="tablist" aria-label="Documents">
        {documents.map(({ id, name }) =>
          renaming === id ? (
            <input
              key={id}
              class="tab mono-s"
              aria-label="Name of the document"
              defaultValue={name}
              ref={(input) => input?.focus()}
              onBlur={(event) => {
                renameDocument(id, event.currentTarget.value.trim() || name)
                setRenaming(undefined)
              }}
              onKeyDown={(event) => {
                if (event.key === 'Enter') event.currentTarget.blur()
              }}
            />
          ) : (
            <button
              type="button"
              key={id}
              class="tab"
              role="tab"
              aria-selected={id === active}
              title="Double click renames"
              onClick={() => openDocument(id)}
              onDblClick={() => setRenaming(id)}
            >
              <span class="clip">{name}</span>
            </button>
          ),
        )}
      </div>
      <button
        type="button"
        class="button plain small square"
        aria-label="New document"
        onClick={() => addDocument(`Document ${documents.length + 1}`, '')}
      >
        <Icon name="add" />
      </button>
      {documents.length > 1 && (
        <button
          type="button"
          class="button plain small square"
          aria-label="Close this document"
          onClick={() => closeDocument(active)}
        >
          <Icon name="close" />
        </button>
      )}
      <span class="push hint wide-only">Kept in this browser</span>
    </div>
  )
}
