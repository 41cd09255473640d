/** Reads a password from the terminal without echo, or from standard input. Arguments are visible to all users of the machine. */
import { SettingsError } from '../arguments/settings-error.ts'

export async function readPassword(question: string): Promise<string> {
  const { stdin } = process
  if (!stdin.isTTY) return firstLine()
  process.stderr.write(question)
  stdin.setRawMode(true)
  stdin.resume()
  let typed = ''
  try {
    for await (const chunk of stdin) {
      for (const character of String(chunk)) {
        if (character === '\r' || character === '\n' || character === '\u0004') return typed
        if (character === '\u0003') throw new SettingsError('nothing was changed')
        if (character === '\u007f' || character === '\b') typed = typed.slice(0, -1)
        else typed += character
      }
    }
    return typed
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    process.stderr.write('\n')
  }
}

async function firstLine(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) text += String(chunk)
  const [line] = text.split(/\r?\n/)
  if (line === undefined || line === '') throw new SettingsError('the password is expected on standard input')
  return line
}
