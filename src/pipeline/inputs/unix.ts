/** `unix`: reads lines (or whatever the codec decodes) from connections of a Unix socket, as a server or as a client. */
import { lstatSync, unlinkSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../event/event.ts'
import { StreamServer } from '../net/stream-server.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { readSocket } from './socket-reader.ts'

const OPTIONS = {
  path: option.string({ required: true }),
  codec: option.codec({ default: 'line' }),
  mode: option.words(['server', 'client'], { default: 'server' }),
  force_unlink: option.boolean({ default: false }),
  /** Seconds without data after which a connection is closed; never if negative. */
  data_timeout: option.number({ default: -1 }),
  socket_not_present_retry_interval_seconds: option.number({ default: 5 }),
} as const

type Options = OptionValues<typeof OPTIONS>
type Read = (socket: Socket, sink: InputSink) => Promise<void>

const RETRY_S = 5

export const unix = inputPlugin({
  name: 'unix',
  touches: 'network',
  options: OPTIONS,
  create(options, context) {
    const read = readerOf(options, context)
    if (options.mode === 'client') return new UnixClient(options, context, read)
    return new StreamServer({
      create: (take) => createServer(take),
      listen: async (server) => {
        await listenAt(server, options)
        context.log.info(`Listening for unix at ${options.path}`)
      },
      read,
      log: context.log,
    })
  },
})

function readerOf({ path, codec, data_timeout: idleS }: Options, { ecs, hostName }: PluginContext): Read {
  const stream = codec.forStream()
  const [hostField, pathField] = ecs === 'disabled' ? ['host', 'path'] : ['[host][name]', '[file][path]']
  const decorate = (event: Event) => {
    event.setDefault(hostField!, hostName)
    event.setDefault(pathField!, path)
  }
  return async (socket, sink) => {
    if (idleS >= 0) socket.setTimeout(idleS * 1000, () => socket.destroy())
    await readSocket(socket, stream.createDecoder(), decorate, sink)
  }
}

/** A socket that a dead process has left is in the way, too. */
async function listenAt(server: Server, { path, force_unlink: replaces }: Options): Promise<void> {
  try {
    await attempt(server, path)
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (!isTaken || !replaces || !lstatSync(path).isSocket()) {
      const advice = isTaken && !replaces ? ' (force_unlink => true replaces it)' : ''
      throw new Error(
        `Could not start UNIX server at ${path}: ${isTaken ? 'address in use' : (error as Error).message}${advice}`,
      )
    }
    unlinkSync(path)
    await attempt(server, path)
  }
}

function attempt(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
}

class UnixClient implements Input {
  readonly #path: string
  readonly #retryMs: number
  readonly #context: PluginContext
  readonly #read: Read
  readonly #stopping = new AbortController()
  #socket: Socket | undefined

  constructor(options: Options, context: PluginContext, read: Read) {
    const { path, socket_not_present_retry_interval_seconds: seconds } = options
    this.#path = path
    this.#retryMs = (seconds < 0 ? RETRY_S : seconds) * 1000
    this.#context = context
    this.#read = read
  }

  async run(sink: InputSink): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await this.#read(await this.#connect(), sink)
      } catch (error) {
        this.#context.log.warn(`Could not connect to ${this.#path}: ${(error as Error).message}`)
      }
      await sleep(this.#retryMs, undefined, { signal }).catch(() => {})
    }
  }

  stop(): void {
    this.#stopping.abort()
    this.#socket?.destroy()
  }

  #connect(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#path, () => resolve(socket))
      this.#socket = socket
      socket.once('error', reject)
    })
  }
}
