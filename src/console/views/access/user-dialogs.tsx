/** The dialogs of a user: create or change, and set a password. */
import { useState } from 'preact/hooks'
import { type ApiRequest, call, renewPassword, segment } from '../../api/client.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useLoad } from '../../components/load.ts'
import { TextField } from '../../components/text-field.tsx'
import { toast } from '../../components/toasts.tsx'
import { TokenField } from '../../components/token-field.tsx'
import { signedInAs } from '../../state/features.ts'
import type { Role, User } from './accounts.ts'

/** Stands for a password where a request is shown. */
const HIDDEN = '••••••'
const LENGTH_MIN = 6

interface UserDialogProps {
  /** The user to change; undefined to create one. */
  readonly user: User | undefined
  readonly onDone: () => void
  readonly onClose: () => void
}

export function UserDialog({ user, onDone, onClose }: UserDialogProps) {
  const [name, setName] = useState(user?.username ?? '')
  const [password, setPassword] = useState('')
  const [fullName, setFullName] = useState(user?.full_name ?? '')
  const [email, setEmail] = useState(user?.email ?? '')
  const [roles, setRoles] = useState<readonly string[]>(user?.roles ?? [])
  const { value: known } = useLoad(
    async (abort) => Object.keys(await call<Record<string, Role>>('GET', '/_security/role', undefined, abort)),
    'role names',
  )
  const request = (secret: string): ApiRequest => ({
    method: 'PUT',
    path: `/_security/user/${segment(name)}`,
    body: {
      ...(user === undefined ? { password: secret } : {}),
      roles,
      full_name: fullName === '' ? null : fullName,
      email: email === '' ? null : email,
      metadata: user?.metadata ?? {},
      enabled: user?.enabled ?? true,
    },
  })
  return (
    <FormDialog
      title={user === undefined ? 'Create a user' : `Change ${user.username}`}
      action={user === undefined ? 'Create user' : 'Save user'}
      request={() => request(password)}
      shown={() => request(HIDDEN)}
      isReady={name !== '' && (user !== undefined || password.length >= LENGTH_MIN)}
      onDone={() => {
        toast(`User ${name} ${user === undefined ? 'created' : 'saved'}`)
        onDone()
      }}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} isFixed={user !== undefined} isMono />
      {user === undefined && (
        <TextField
          label="Password"
          isSecret
          autocomplete="new-password"
          value={password}
          onChange={setPassword}
          hint={`At least ${LENGTH_MIN} characters.`}
        />
      )}
      <TokenField label="Roles" values={roles} known={known} placeholder="viewer, editor, …" onChange={setRoles} />
      <div class="pair">
        <TextField label="Full name" value={fullName} onChange={setFullName} />
        <TextField label="Email" value={email} onChange={setEmail} />
      </div>
    </FormDialog>
  )
}

export function PasswordDialog({ username, onClose }: { readonly username: string; readonly onClose: () => void }) {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const differs = again !== '' && again !== password
  const request = (secret: string): ApiRequest => ({
    method: 'PUT',
    path: `/_security/user/${segment(username)}/_password`,
    body: { password: secret },
  })
  return (
    <FormDialog
      title={`Set the password of ${username}`}
      action="Set password"
      request={() => request(password)}
      shown={() => request(HIDDEN)}
      isReady={password.length >= LENGTH_MIN && password === again}
      onDone={() => {
        // This tab goes on with the new password.
        if (username === signedInAs.value) renewPassword(username, password)
        toast(`Password of ${username} set`)
      }}
      onClose={onClose}
    >
      <TextField
        label="New password"
        isSecret
        autocomplete="new-password"
        value={password}
        onChange={setPassword}
        hint={`At least ${LENGTH_MIN} characters.`}
      />
      <TextField
        label="The same again"
        isSecret
        autocomplete="new-password"
        value={again}
        onChange={setAgain}
        hint={differs ? 'The two are not the same.' : undefined}
      />
    </FormDialog>
  )
}
