/** Opens the security of a node: users, the audit log, and the access of commands on the same machine. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Log } from '../base/log.ts'
import { RotatingFile } from '../base/rotating-file.ts'
import { AuditLog } from '../http/security/audit-log.ts'
import { checkQueryOfRole } from '../http/security/read-limits.ts'
import { encodeToken } from '../security/model/service-token.ts'
import { Security } from '../security/security.ts'
import type { SandpiperNode } from '../service/sandpiper-node.ts'
import { parseTemplateRequest, renderTemplate } from '../service/search/request/search-template.ts'
import type { OpenTls } from './open-tls.ts'

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

/** A member of the node's identity: users were stored, and a start without their file would make new ones. */
const STORED = 'hasStoredUsers'
const OPERATOR_FILE = 'operator'
const AUDIT_FILE_BYTES = 64 * 1024 * 1024
const AUDIT_FILES = 5

export async function openSecurity(
  node: SandpiperNode,
  settings: SecuritySettings,
  tls: OpenTls | undefined,
  log: Log,
): Promise<OpenSecurity> {
  const directory = node.directory('security')
  const operatorToken = randomBytes(24).toString('base64url')
  const security = new Security({
    directory,
    isStored: node.state.sections.identity.get(STORED) !== undefined,
    nowMs: () => node.indexContext.clock.nowMs(),
    isEncrypted: tls !== undefined,
    operatorToken,
    checkQuery: checkQueryOfRole,
    renderTemplate: (template, parameters) => {
      const request = parseTemplateRequest(Buffer.from(template))
      return renderTemplate(node.scripts, { ...request, params: { ...request.params, ...parameters } })
    },
    scryptCost: settings.scryptCost,
  })
  const newPassword = await security.bootstrap(settings.bootstrapPassword)
  if (node.state.sections.identity.get(STORED) === undefined) {
    await node.metadata.update(() => [{ section: 'identity', name: STORED, value: 'true' }])
  }
  const audit = settings.audit === true ? await openAudit(node, settings, log) : undefined
  return {
    security,
    newPassword,
    audit,
    announce(url) {
      const token = encodeToken({ account: 'sandpiper/operator', name: 'local', secret: operatorToken })
      const access = { url, token, ca_fingerprint: tls?.caFingerprint, ...tls?.operatorCertificate }
      directory?.write(OPERATOR_FILE, Buffer.from(JSON.stringify(access)))
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
