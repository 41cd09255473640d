/** The list of keyboard shortcuts. */
import { Dialog } from '../components/dialog.tsx'

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['g then o r d a i c t', 'Go to Overview, Requests, Discover, Aggregations, Indices, Contexts, Tasks'],
  ['g then u l k w', 'Go to Users, Roles, API keys, Gateway, where the service has them'],
  ['g p then g c r', 'Go to the grok debugger, configuration, running pipelines'],
  ['/', 'The search field of the view'],
  ['Ctrl+K', 'Go to any view or index'],
  ['?', 'This list'],
  ['Esc', 'Close what lies on top'],
  ['Ctrl+Enter', 'Run'],
  ['Ctrl+Shift+Enter', 'Run all requests of the document'],
  ['Ctrl+Space', 'Complete'],
  ['Ctrl+Alt+H', 'History of requests'],
  ['Ctrl+I', 'Indent the request'],
  ['Ctrl+/', 'Comment'],
  ['F8', 'Next fault in the editor'],
  ['Alt+Enter', 'Take the suggested fix'],
  ['j k or arrows', 'Move in a table; Enter opens, Home and End go to the first and last loaded row'],
  ['c', 'Count exactly'],
  ['[ ]', 'Earlier, later time span'],
  ['x', 'Show the request'],
  ['y', 'Copy a link to this view'],
  ['Alt+T  Alt+D', 'Theme, density'],
]

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" wide onClose={onClose}>
      <table class="keys">
        <tbody>
          {KEYS.map(([keys, does]) => (
            <tr key={keys}>
              <th scope="row">
                <kbd class="kbd">{keys}</kbd>
              </th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">Single letters work outside of input fields. In an editor, Esc and then Tab leaves it.</p>
      <div class="row">
        <span class="push" />
        <button type="button" class="button primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
