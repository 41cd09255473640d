/** Roles: list with what they grant, create, change, delete by typing the name. */
import { useState } from 'preact/hooks'
import { call, segment } from '../../api/client.ts'
import { Confirm } from '../../components/dialog.tsx'
import { useLoad } from '../../components/load.ts'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { toast } from '../../components/toasts.tsx'
import { query, setQuery } from '../../state/router.ts'
import { useTitle } from '../../state/title.ts'
import { isReserved, type Role } from './accounts.ts'
import { AccessTable, IncludeBox, isFound, ListFrame } from './list-frame.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { entryLine } from './role-form.ts'

const PATH = '/_security/role'

export default function Roles() {
  useTitle('Roles')
  const { value, failure, reload } = useLoad(
    (abort) => call<Record<string, Role>>('GET', PATH, undefined, abort),
    'roles',
  )
  const [leaving, setLeaving] = useState<string | undefined>()
  const withReserved = query.value.has('reserved')
  const all = Object.entries(value ?? {})
  const shown = all
    .filter(([name, role]) => (withReserved || !isReserved(role)) && isFound(name, role.description))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const edited = query.value.get('edit')
  const copied = query.value.get('copy')
  const remove = async (name: string) => {
    try {
      await call('DELETE', `${PATH}/${segment(name)}`)
      toast(`Role ${name} deleted`)
      reload()
    } catch (error) {
      toast((error as Error).message)
    }
  }
  return (
    <>
      <ListFrame
        title="Roles"
        noun="role"
        path={PATH}
        action="Create role"
        failure={failure}
        total={value === undefined ? undefined : all.length}
        shown={shown.length}
        check={<IncludeBox name="reserved" label="Built-in roles" />}
        nothing="A role says what its users may do with which indices, documents and fields. Built-in roles are listed on request."
      >
        <AccessTable columns={[['Role', 'w-240'], ['Cluster', 'w-240'], ['Indices']]} last={['Actions', 'w-72']}>
          {shown.map(([name, role]) => (
            <tr key={name}>
              <td class="first">
                <span class="two-line">
                  <b class="strong" title={name}>
                    {name}
                  </b>
                  <span class="hint">{role.description ?? (isReserved(role) ? 'built in' : '')}</span>
                </span>
              </td>
              <td>
                <span class="badges">
                  {role.cluster.map((privilege) => (
                    <span class="badge" key={privilege} title={privilege}>
                      {privilege}
                    </span>
                  ))}
                </span>
              </td>
              <td>
                <span class="badges">
                  {role.indices.map((entry) => (
                    <span class="quiet" key={JSON.stringify(entry)}>
                      {entryLine(entry)}
                    </span>
                  ))}
                  {role.indices.length === 0 && <span class="hint">no index</span>}
                </span>
              </td>
              <td class="last">
                <Menu label="Actions" of={name} isSmall>
                  <MenuItem
                    label="Change…"
                    isOff={isReserved(role)}
                    onPick={() => setQuery({ create: undefined, copy: undefined, edit: name }, 'push')}
                  />
                  <MenuItem
                    label="Copy…"
                    onPick={() => setQuery({ edit: undefined, create: 'new', copy: name }, 'push')}
                  />
                  <MenuItem label="Delete…" isDanger isOff={isReserved(role)} onPick={() => setLeaving(name)} />
                </Menu>
              </td>
            </tr>
          ))}
        </AccessTable>
      </ListFrame>
      {query.value.has('create') && value !== undefined && (
        <RoleDialog
          key={copied}
          name={undefined}
          role={copied === null ? undefined : value[copied]}
          onDone={reload}
          onClose={() => setQuery({ create: undefined, copy: undefined })}
        />
      )}
      {edited !== null && value?.[edited] !== undefined && (
        <RoleDialog name={edited} role={value[edited]} onDone={reload} onClose={() => setQuery({ edit: undefined })} />
      )}
      {leaving !== undefined && (
        <Confirm
          title={`Delete ${leaving}`}
          action="Delete role"
          name={leaving}
          onConfirm={() => remove(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>Users who have the role lose what it grants at their next request.</p>
        </Confirm>
      )}
    </>
  )
}
