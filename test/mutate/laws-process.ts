/** The process that judges mutants by the laws, started again after a mutant has ended it. */
import { type ChildProcess, fork } from 'node:child_process'
import { CHOSEN } from './scratch.ts'

interface Verdict {
  readonly isCaught: boolean
  readonly isClean: boolean
}

export class LawsProcess {
  readonly #module: string
  readonly #args: readonly string[]
  #child: ChildProcess | undefined

  constructor(module: string, seed: number, rounds: number) {
    this.#module = module
    this.#args = [String(seed), String(rounds)]
  }

  /** Whether a mutant breaks a law. One of a module needs a process that is started with it. */
  async notices(mutant: number, isOfModule = false): Promise<boolean> {
    if (isOfModule) this.stop()
    const child = (this.#child ??= fork(this.#module, this.#args, {
      stdio: 'ignore',
      execArgv: [],
      env: { ...process.env, [CHOSEN]: String(isOfModule ? mutant : -1) },
    }))
    const { isCaught, isClean } = await new Promise<Verdict>((resolve) => {
      child.once('message', (verdict) => resolve(verdict as Verdict))
      child.once('exit', () => resolve({ isCaught: true, isClean: false }))
      child.send(mutant)
    })
    if (isOfModule || !isClean) this.stop()
    return isCaught
  }

  stop(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }
}
