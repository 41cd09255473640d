/** Users: list, create, change, password, enable and disable, delete by typing the name. */
import { useState } from 'preact/hooks'
import { call, segment } from '../../api/client.ts'
import { Confirm } from '../../components/dialog.tsx'
import { useLoad } from '../../components/load.ts'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { toast } from '../../components/toasts.tsx'
import { signedInAs } from '../../state/features.ts'
import { query, setQuery } from '../../state/router.ts'
import { useTitle } from '../../state/title.ts'
import { isReserved, type User } from './accounts.ts'
import { AccessTable, IncludeBox, isFound, ListFrame } from './list-frame.tsx'
import { PasswordDialog, UserDialog } from './user-dialogs.tsx'

const PATH = '/_security/user'

export default function Users() {
  useTitle('Users')
  const { value, failure, reload } = useLoad(
    async (abort) => Object.values(await call<Record<string, User>>('GET', PATH, undefined, abort)),
    'users',
  )
  const [password, setPassword] = useState<User | undefined>()
  const [leaving, setLeaving] = useState<User | undefined>()
  const withReserved = query.value.has('reserved')
  const shown = (value ?? [])
    .filter((user) => withReserved || !isReserved(user) || user.username === signedInAs.value)
    .filter(({ username, full_name, email }) => isFound(username, full_name, email))
    .sort((a, b) => Number(isReserved(a)) - Number(isReserved(b)) || (a.username < b.username ? -1 : 1))
  const edited = query.value.get('edit')
  const editing = value?.find(({ username }) => username === edited)
  const change = async (text: string, request: Promise<unknown>) => {
    try {
      await request
      toast(text)
      reload()
    } catch (error) {
      toast((error as Error).message)
    }
  }
  const enable = ({ username, enabled }: User) =>
    change(
      `User ${username} ${enabled ? 'disabled' : 'enabled'}`,
      call('PUT', `${PATH}/${segment(username)}/${enabled ? '_disable' : '_enable'}`),
    )
  return (
    <>
      <ListFrame
        title="Users"
        noun="user"
        path={PATH}
        action="Create user"
        failure={failure}
        total={value?.length}
        shown={shown.length}
        check={<IncludeBox name="reserved" label="Built-in users" />}
        nothing="Every person who signs in has a user; programs have API keys. Built-in users are listed on request."
      >
        <AccessTable columns={[['User'], ['Roles', 'w-320'], ['State', 'w-120']]} last={['Actions', 'w-72']}>
          {shown.map((user) => (
            <tr key={user.username}>
              <td class="first">
                <span class="two-line">
                  <span>
                    <b class="strong">{user.username}</b>
                    {isReserved(user) && <span class="hint"> built in</span>}
                    {user.username === signedInAs.value && <span class="hint"> · you</span>}
                  </span>
                  <span class="hint">
                    {[user.full_name, user.email].filter((text) => (text ?? '') !== '').join(' · ')}
                  </span>
                </span>
              </td>
              <td>
                <span class="badges">
                  {user.roles.map((role) => (
                    <span class="badge" key={role}>
                      {role}
                    </span>
                  ))}
                  {user.roles.length === 0 && <span class="hint">no role</span>}
                </span>
              </td>
              <td>
                <span class={user.enabled ? 'badge ok' : 'badge warn'}>{user.enabled ? 'enabled' : 'disabled'}</span>
              </td>
              <td class="last">
                <Menu label="Actions" of={user.username} isSmall>
                  <MenuItem
                    label="Change…"
                    isOff={isReserved(user)}
                    onPick={() => setQuery({ create: undefined, edit: user.username }, 'push')}
                  />
                  <MenuItem label="Set password…" onPick={() => setPassword(user)} />
                  <MenuItem
                    label={user.enabled ? 'Disable' : 'Enable'}
                    isOff={user.username === signedInAs.value}
                    onPick={() => enable(user)}
                  />
                  <MenuItem
                    label="Delete…"
                    isDanger
                    isOff={isReserved(user) || user.username === signedInAs.value}
                    onPick={() => setLeaving(user)}
                  />
                </Menu>
              </td>
            </tr>
          ))}
        </AccessTable>
      </ListFrame>
      {query.value.has('create') && (
        <UserDialog onDone={reload} onClose={() => setQuery({ create: undefined })} user={undefined} />
      )}
      {editing !== undefined && (
        <UserDialog onDone={reload} onClose={() => setQuery({ edit: undefined })} user={editing} />
      )}
      {password !== undefined && <PasswordDialog username={password.username} onClose={() => setPassword(undefined)} />}
      {leaving !== undefined && (
        <Confirm
          title={`Delete ${leaving.username}`}
          action="Delete user"
          name={leaving.username}
          onConfirm={() =>
            change(`User ${leaving.username} deleted`, call('DELETE', `${PATH}/${segment(leaving.username)}`))
          }
          onClose={() => setLeaving(undefined)}
        >
          <p>The user can no longer sign in. API keys that the user made go on working until they are invalidated.</p>
        </Confirm>
      )}
    </>
  )
}
