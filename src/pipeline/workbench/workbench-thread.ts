/** The thread that runs trials. It may be terminated at any time. */
import { parentPort } from 'node:worker_threads'
import { type ConfigTrialRequest, tryConfig } from './config-trial.ts'
import { type GrokTrialRequest, tryGrok } from './grok-trial.ts'

export type TrialJob = { readonly grok: GrokTrialRequest } | { readonly config: ConfigTrialRequest }
/** `ready` comes once, when the tool is loaded. */
export type TrialReply = { readonly ready: true } | { readonly result: unknown } | { readonly error: string }

parentPort!.on('message', async (job: TrialJob) => {
  let reply: TrialReply
  try {
    const result = 'grok' in job ? tryGrok(job.grok) : await tryConfig(job.config)
    // Events may contain values that cannot be sent between threads.
    reply = { result: JSON.parse(JSON.stringify(result)) }
  } catch (error) {
    reply = { error: (error as Error).message }
  }
  parentPort!.postMessage(reply)
})

parentPort!.postMessage({ ready: true } satisfies TrialReply)
