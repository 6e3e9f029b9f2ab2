/**
 * Hands messages over to an SMTP server. Writes .eml files for test accounts, and if no server is configured.
 * readSmtpUrl() decides whether TLS is required, and isRefusal() whether a refusal is final.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { isTestAccount } from '../../accounts/model.ts'
import type { Config } from '../../platform/config/config.ts'
import { messageFile } from './files.ts'
import type { EmailMessage } from './model.ts'

export type MailTransport = {
  /**
   * Resolves when the server has accepted the message.
   * @throws for every other outcome. After a timeout or a lost connection, the server may have accepted the message.
   */
  send(message: EmailMessage, signal: AbortSignal): Promise<void>
  close(): void
}

type MailConfig = Pick<Config, 'SMTP_URL' | 'DATA_DIR'>

/**
 * The names are those of nodemailer. The lease of an e-mail is longer than the sum of these timeouts: see
 * lease.ts.
 */
export const smtpTimeoutsMs = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
} as const

export type MailTransports = {
  /** Messages of a test account become files even if `SMTP_URL` is set, so they reach nobody. */
  of(accountId: number): MailTransport
  close(): void
}

/** @param connections the maximum number of connections to the server that are open at once. */
export function openTransports({ SMTP_URL, DATA_DIR }: MailConfig, connections: number): MailTransports {
  const files = intoFiles(DATA_DIR)
  const live = SMTP_URL ? overSmtp(SMTP_URL, connections) : files
  return {
    of: (accountId) => (isTestAccount(accountId) ? files : live),
    close() {
      live.close()
      files.close()
    },
  }
}

function overSmtp(url: string, connections: number): MailTransport {
  const mailer = createTransport({
    ...readSmtpUrl(url),
    pool: true,
    maxConnections: connections,
    // Nodemailer sends a message at most once more when its connection closes. The other tries are counted in the
    // database.
    maxRequeues: 1,
    ...smtpTimeoutsMs,
  })
  // sendMail() rejects with the same error. Without a listener, the event would end the process.
  mailer.on('error', () => {})
  return {
    async send(message, signal) {
      await mailer.sendMail({ ...compose(message), signal })
    },
    close: () => mailer.close(),
  }
}

/**
 * Reads the connection settings of an SMTP_URL. TLS is required, except for an `smtp:` URL with `?tls=none`,
 * and for an `smtp:` URL of this machine without the parameter `tls`.
 */
export function readSmtpUrl(text: string) {
  const url = new URL(text)
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const asked = url.searchParams.get('tls')
  const open = asked === 'none' || (asked === null && isThisMachine(host))
  return {
    host,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    ...(!secure && { requireTLS: !open, ignoreTLS: open }),
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
  }
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function intoFiles(dataDir: string): MailTransport {
  const mailer = createTransport({ streamTransport: true, buffer: true })
  return {
    async send(message) {
      const { message: bytes } = await mailer.sendMail(compose(message))
      const file = messageFile(dataDir, message.id)
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      // The rename ensures that a reader never sees an incomplete file. A message that is sent twice replaces
      // its file.
      await writeFile(`${file}.new`, bytes as Buffer, { mode: 0o600, flush: true })
      await rename(`${file}.new`, file)
    },
    close: () => mailer.close(),
  }
}

function compose({ id, from, to, subject, text, html, unsubscribeUrl }: EmailMessage): SendMailOptions {
  const host = from.address.slice(from.address.lastIndexOf('@') + 1)
  return {
    messageId: `<${id}@${host}>`,
    // Passed separately, so that no address is parsed from a header that contains a name too.
    envelope: { from: from.address, to: [to.address] },
    from,
    to,
    subject,
    text,
    html,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    ...(unsubscribeUrl && { list: { unsubscribe: unsubscribeUrl } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

// Refusals of the session and not of the message, such as failed authentication. They are retried, because ops can
// correct `SMTP_URL`.
const aboutSession = [503, 530, 535, 538]

/** Whether a server has permanently refused this message, its sender or its recipient (5xx, RFC 5321). */
export function isRefusal(error: unknown): boolean {
  const { code, responseCode: status } = error as { code?: string; responseCode?: number }
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false
  return status !== undefined && status >= 500 && status < 600 && !aboutSession.includes(status)
}
