/** The outbox of a site in development. Each message has its own folder, for the outbox page and for mail programs. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { renderMail } from './mailer.ts'
import type { Mail, Outbox } from './model.ts'
import { formatAddress } from './addresses.ts'

/** Maximum number of stored messages. Older messages are removed. */
const MAX_MESSAGES = 500

const mailSchema = z.object({
  channel: z.literal('email'),
  date: z.string(),
  /** In header notation. */
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
const smsSchema = z.object({ channel: z.literal('sms'), date: z.string(), to: z.string(), content: z.string() })
const messageSchema = z.discriminatedUnion('channel', [mailSchema, smsSchema])

export type StoredMail = z.infer<typeof mailSchema>
export type StoredMessage = z.infer<typeof messageSchema>

/**
 * Creates the outbox.
 * @param folder created with the first message
 */
export function createOutbox(folder: string): Outbox {
  async function store(key: string, record: StoredMessage, files: Readonly<Record<string, Buffer>>): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const hash = createHash('sha256').update(key).digest('hex').slice(0, 12)
    const id = `${record.date.replace(/[-:.]/g, '')}-${hash}`
    // The message is written as a draft and then renamed, so that readers never see a partial message.
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
    const oldText = (await listIds(folder)).slice(MAX_MESSAGES)
    await Promise.all(oldText.map((each) => rm(join(folder, each), { recursive: true, force: true })))
  }

  return {
    async mail(sent) {
      const files: Record<string, Buffer> = { 'message.eml': await renderMail(sent) }
      for (const [at, { bytes }] of sent.attachments.entries()) files[fileName(at)] = bytes
      await store(sent.messageId, toStoredMail(sent), files)
    },
    async sms({ to, content }) {
      await store(randomBytes(8).toString('hex'), { channel: 'sms', date: new Date().toISOString(), to, content }, {})
    },
  }
}

function toStoredMail({
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
}: Mail): StoredMail {
  return {
    channel: 'email',
    date: new Date().toISOString(),
    from: formatAddress(from),
    to: to.map(formatAddress),
    cc: cc.map(formatAddress),
    bcc: bcc.map(formatAddress),
    replyTo: replyTo.map(formatAddress),
    ...{ subject, messageId, headers, html, text },
    attachments: attachments.map(({ name, type, bytes, cid }) => ({ name, type, size: bytes.length, cid })),
  }
}

const ID = /^\d{8}T\d{9}Z-[\da-f]{12}$/

/** Returns the ids of the stored messages, newest first. */
async function listIds(folder: string): Promise<readonly string[]> {
  // The folder does not exist before the first message.
  const message = await readdir(folder).catch(() => [])
  return message
    .filter((name) => ID.test(name))
    .toSorted()
    .toReversed()
}

function fileName(index: number): string {
  return `attachment-${index + 1}`
}

/** Reads the messages in an outbox, newest first. */
export async function readOutbox(
  folder: string,
): Promise<readonly { readonly id: string; readonly kept: StoredMessage }[]> {
  const messages = await Promise.all(
    (await listIds(folder)).map(async (id) => {
      const message = await readMessage(folder, id)
      return message === null ? [] : [{ id, kept: message }]
    }),
  )
  return messages.flat()
}

/** Reads a message by its id. Returns null when there is none. */
export async function readMessage(folder: string, id: string): Promise<StoredMessage | null> {
  if (!ID.test(id)) return null
  try {
    return messageSchema.parse(JSON.parse(await readFile(join(folder, id, 'message.json'), 'utf8')))
  } catch {
    // The message was removed, or another version has written it.
    return null
  }
}

/** Reads the bytes of a message, or of its attachment with this number, starting at 0. */
export async function readMessageFile(
  folder: string,
  id: string,
  selector: 'message' | number,
): Promise<Buffer | null> {
  if (!ID.test(id)) return null
  const name = selector === 'message' ? 'message.eml' : fileName(selector)
  // The message may have been removed since the page was rendered.
  return readFile(join(folder, id, name)).catch(() => null)
}
