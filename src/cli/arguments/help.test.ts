import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wrapHelp } from './help.ts'

const HELP = `sandpiper x: does this and that and a third thing that makes the line long

Flags
  --data FOLDER   the data folder of a node, which is written by the service

Examples
  sandpiper x --data /var/lib/sandpiper/with/a/path/that/is/longer/than/the/terminal
`

test('long rows of a help text continue below their second column, and commands to copy stay whole', () => {
  assert.equal(
    wrapHelp(HELP, 50),
    `sandpiper x: does this and that and a third thing
that makes the line long

Flags
  --data FOLDER   the data folder of a node, which
                  is written by the service

Examples
  sandpiper x --data /var/lib/sandpiper/with/a/path/that/is/longer/than/the/terminal
`,
  )
  assert.equal(wrapHelp(HELP, 200), HELP)
})
