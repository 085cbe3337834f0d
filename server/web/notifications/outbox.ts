/**
 * The outbox of a site in development: each message gets a folder of its own, for the outbox page and for mail
 * programs.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { rawMail } from './mailer.ts'
import type { Mail, Outbox } from './model.ts'
import { written } from './recipients.ts'

/** Number of messages that are kept, the newest ones. */
const MAX_MESSAGES = 500

const mail = z.object({
  channel: z.literal('email'),
  date: z.string(),
  /** In the notation of headers. */
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  replyTo: z.array(z.string()),
  subject: z.string(),
  messageId: z.string(),
  headers: z.record(z.string(), z.string()),
  html: z.string(),
  text: z.string(),
  attachments: z.array(z.object({ name: z.string(), type: z.string(), size: z.number(), cid: z.string().nullable() })),
})
const sms = z.object({ channel: z.literal('sms'), date: z.string(), to: z.string(), content: z.string() })
const kept = z.discriminatedUnion('channel', [mail, sms])

export type KeptMail = z.infer<typeof mail>
export type KeptMessage = z.infer<typeof kept>

/** @param folder created with the first message */
export function createOutbox(folder: string): Outbox {
  async function keep(key: string, record: KeptMessage, files: Readonly<Record<string, Buffer>>): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const hash = createHash('sha256').update(key).digest('hex').slice(0, 12)
    const id = `${record.date.replace(/[-:.]/g, '')}-${hash}`
    // Written to a draft and renamed, so that no reader sees a partial message.
    const draft = join(folder, `.${randomBytes(8).toString('hex')}`)
    try {
      await mkdir(draft, { mode: 0o700 })
      await writeFile(join(draft, 'message.json'), JSON.stringify(record, null, 2))
      for (const [name, bytes] of Object.entries(files)) await writeFile(join(draft, name), bytes)
      await rename(draft, join(folder, id))
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      throw error
    }
    const old = (await names(folder)).slice(MAX_MESSAGES)
    await Promise.all(old.map((each) => rm(join(folder, each), { recursive: true, force: true })))
  }

  return {
    async mail(sent) {
      const files: Record<string, Buffer> = { 'message.eml': await rawMail(sent) }
      for (const [at, { bytes }] of sent.attachments.entries()) files[fileName(at)] = bytes
      await keep(sent.messageId, recordOf(sent), files)
    },
    async sms({ to, content }) {
      await keep(randomBytes(8).toString('hex'), { channel: 'sms', date: new Date().toISOString(), to, content }, {})
    },
  }
}

function recordOf({
  from,
  to,
  cc,
  bcc,
  replyTo,
  subject,
  messageId,
  headers,
  html,
  text,
  attachments,
}: Mail): KeptMail {
  return {
    channel: 'email',
    date: new Date().toISOString(),
    from: written(from),
    to: to.map(written),
    cc: cc.map(written),
    bcc: bcc.map(written),
    replyTo: replyTo.map(written),
    ...{ subject, messageId, headers, html, text },
    attachments: attachments.map(({ name, type, bytes, cid }) => ({ name, type, size: bytes.length, cid })),
  }
}

const ID = /^\d{8}T\d{9}Z-[\da-f]{12}$/

/** Names of the kept messages, newest first. */
async function names(folder: string): Promise<readonly string[]> {
  // The folder does not exist before the first message.
  const message = await readdir(folder).catch(() => [])
  return message
    .filter((name) => ID.test(name))
    .toSorted()
    .toReversed()
}

function fileName(at: number): string {
  return `attachment-${at + 1}`
}

/** The messages in an outbox, newest first. */
export async function readOutbox(
  folder: string,
): Promise<readonly { readonly id: string; readonly kept: KeptMessage }[]> {
  const all = await Promise.all(
    (await names(folder)).map(async (id) => {
      const message = await readKept(folder, id)
      return message === null ? [] : [{ id, kept: message }]
    }),
  )
  return all.flat()
}

/** A message by its name; null when there is none. */
export async function readKept(folder: string, id: string): Promise<KeptMessage | null> {
  if (!ID.test(id)) return null
  try {
    return kept.parse(JSON.parse(await readFile(join(folder, id, 'message.json'), 'utf8')))
  } catch {
    // It was removed in the meantime, or written by another version.
    return null
  }
}

/** The bytes of a message, or of its attachment with this number from 0. */
export async function readKeptFile(folder: string, id: string, which: 'message' | number): Promise<Buffer | null> {
  if (!ID.test(id)) return null
  const name = which === 'message' ? 'message.eml' : fileName(which)
  // It may have been removed since the page was rendered.
  return readFile(join(folder, id, name)).catch(() => null)
}
