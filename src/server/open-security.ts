/** Opens the security of a node: certificates, users, the audit log, and the access of commands on the same machine. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Log } from '../base/log.ts'
import { RotatingFile } from '../base/rotating-file.ts'
import { AuditLog } from '../http/security/audit-log.ts'
import { checkQueryOfRole } from '../http/security/read-limits.ts'
import type { TlsContent } from '../http/server.ts'
import { encodeToken } from '../security/model/service-token.ts'
import { Security } from '../security/security.ts'
import { automaticTls, filesMark, readTlsFiles, type TlsFiles, type TlsMaterial } from '../security/tls/tls-material.ts'
import type { SandpiperNode } from '../service/sandpiper-node.ts'

export interface SecuritySettings {
  /** The password of the user `elastic` until one is set through the API. */
  readonly bootstrapPassword?: string | undefined
  /** Whether decisions are written to the audit log. */
  readonly audit?: boolean | undefined
  readonly auditFileBytes?: number | undefined
  readonly auditFileCount?: number | undefined
  /** The scrypt cost of new password hashes; lower in tests. */
  readonly scryptCost?: number | undefined
}

export interface OpenSecurity {
  readonly security: Security
  /** The random password of the user `elastic`, if one was made. */
  readonly newPassword: string | undefined
  readonly audit: AuditLog | undefined
  /** Writes the address and a token for commands on this machine. */
  announce(url: string): void
  close(): Promise<void>
}

const OPERATOR_FILE = 'operator'
const AUDIT_FILE_BYTES = 64 * 1024 * 1024
const AUDIT_FILES = 5

export async function openSecurity(
  node: SandpiperNode,
  settings: SecuritySettings,
  tls: TlsMaterial | undefined,
  log: Log,
): Promise<OpenSecurity> {
  const directory = node.directory('security')
  const operatorToken = randomBytes(24).toString('base64url')
  const security = new Security({
    directory,
    nowMs: () => node.indexContext.clock.nowMs(),
    isEncrypted: tls !== undefined,
    operatorToken,
    checkQuery: checkQueryOfRole,
    scryptCost: settings.scryptCost,
  })
  const audit = settings.audit === true ? await openAudit(node, settings, log) : undefined
  return {
    security,
    newPassword: await security.bootstrap(settings.bootstrapPassword),
    audit,
    announce(url) {
      const token = encodeToken({ account: 'sandpiper/operator', name: 'local', secret: operatorToken })
      directory?.write(OPERATOR_FILE, Buffer.from(JSON.stringify({ url, token, ca_fingerprint: tls?.caFingerprint })))
    },
    async close() {
      directory?.delete(OPERATOR_FILE)
      await security.close()
    },
  }
}

async function openAudit(node: SandpiperNode, settings: SecuritySettings, log: Log): Promise<AuditLog | undefined> {
  if (node.dataFolder === undefined) return undefined
  const file = new RotatingFile(join(node.dataFolder, 'audit', 'audit.ndjson'), {
    maxBytes: settings.auditFileBytes ?? AUDIT_FILE_BYTES,
    maxFiles: settings.auditFileCount ?? AUDIT_FILES,
    onError: (error) => log.error('the audit log cannot be written', { error }),
  })
  await file.open()
  process.on('exit', () => file.flushSync())
  return new AuditLog((line) => file.write(line), node.id)
}

export async function openTls(
  node: SandpiperNode,
  tls: TlsFiles | 'auto' | undefined,
  host: string,
): Promise<TlsMaterial | undefined> {
  if (tls === undefined) return undefined
  if (tls !== 'auto') return readTlsFiles(tls)
  const directory = node.directory('certs')
  if (directory === undefined) throw new Error('a node in memory keeps no certificates')
  return automaticTls(directory, host, Date.now())
}

const LOOK_EVERY_MS = 5_000

/**
 * Rereads certificates when their files change. Invalid files are logged, and the previous certificate stays in use.
 * Returns a function that stops watching.
 */
export function watchTlsFiles(
  files: TlsFiles,
  use: (tls: TlsContent) => void,
  log: Log,
  everyMs = LOOK_EVERY_MS,
): () => void {
  let seen = filesMark(files)
  const timer = setInterval(() => {
    const mark = filesMark(files)
    if (mark === seen) return
    seen = mark
    try {
      use(readTlsFiles(files))
      log.info('certificates were reloaded', { certificate: files.cert })
    } catch (error) {
      log.error('changed certificates are invalid; the previous ones stay in use', { error })
    }
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
