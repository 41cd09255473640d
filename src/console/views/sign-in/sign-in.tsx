/** The sign-in form for a user name and password or an API key. Credentials are kept for this tab only. */
import { useState } from 'preact/hooks'
import { ApiFault, basic, call, setAuthorization } from '../../api/client.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Bird } from '../../components/icon.tsx'
import { navigate, query } from '../../state/router.ts'
import { useTitle } from '../../state/title.ts'

export default function SignIn() {
  useTitle('Sign in')
  const [kind, setKind] = useState<'user' | 'key'>('user')
  const [user, setUser] = useState('')
  const [secret, setSecret] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const signIn = async () => {
    setAuthorization(kind === 'key' ? `ApiKey ${secret.trim()}` : basic(user, secret))
    try {
      await call('GET', '/_security/_authenticate')
      navigate(query.value.get('next') ?? '/', 'replace')
    } catch (error) {
      setAuthorization(undefined)
      setFailure(
        error instanceof ApiFault && error.answer.status === 401
          ? new Error(kind === 'key' ? 'That key is not known here' : 'That user and password do not match')
          : error,
      )
    }
  }
  return (
    <div class="scroll signin-view">
      <form
        class="dialog"
        aria-label="Sign in"
        onSubmit={(event) => {
          event.preventDefault()
          void signIn()
        }}
      >
        <span class="row signbrand">
          <Bird />
          <h1>Sign in to {location.host}</h1>
        </span>
        <fieldset class="segments" aria-label="Sign in with">
          <button type="button" aria-pressed={kind === 'user'} onClick={() => setKind('user')}>
            User
          </button>
          <button type="button" aria-pressed={kind === 'key'} onClick={() => setKind('key')}>
            API key
          </button>
        </fieldset>
        {kind === 'user' && (
          <label class="stack">
            <span class="label">User</span>
            <span class="field">
              <input
                class="grow"
                autocomplete="username"
                value={user}
                onInput={(event) => setUser(event.currentTarget.value)}
              />
            </span>
          </label>
        )}
        <label class="stack">
          <span class="label">{kind === 'user' ? 'Password' : 'Encoded key'}</span>
          <span class="field">
            <input
              class="grow"
              type="password"
              autocomplete={kind === 'user' ? 'current-password' : 'off'}
              value={secret}
              onInput={(event) => setSecret(event.currentTarget.value)}
            />
          </span>
        </label>
        {failure !== undefined && <ErrorPanel error={failure} />}
        <button type="submit" class="button primary" disabled={secret === '' || (kind === 'user' && user === '')}>
          Sign in
        </button>
        <p class="hint">What you type is sent to this service only and forgotten when the tab is closed.</p>
      </form>
    </div>
  )
}
