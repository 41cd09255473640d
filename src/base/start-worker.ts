/**
 * Starts one of our modules as a worker thread, from the compiled package or from the sources. Node 20 does not pass a
 * loader on to threads, so a source module is started by a few lines that install the loader first.
 */
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** `name` is the module's path relative to `from` (an `import.meta.url`), without its extension. */
export function startWorker(name: string, from: string, options: WorkerOptions = {}): Worker {
  if (!from.endsWith('.ts')) return new Worker(new URL(`${name}.js`, from), options)
  const loader = import.meta.resolve('tsx/esm/api')
  const module = new URL(`${name}.ts`, from).href
  const script = `import(${JSON.stringify(loader)}).then(({ register }) => {
    register()
    return import(${JSON.stringify(module)})
  })`
  return new Worker(script, { ...options, eval: true, execArgv: [] })
}
