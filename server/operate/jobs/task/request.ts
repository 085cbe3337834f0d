/** Parses queued jobs, which another version of Ingot may have written. */
import * as z from 'zod'
import type { FormSnapshot, JobOrigin, JobTask, NotificationData } from '../../../../runtime/data/jobs.ts'
import type { Fields } from '../../../../runtime/page/services.ts'
import { isHash } from '../../../../runtime/page/values/hash.ts'
import { parseJson } from '../../../../runtime/page/values/json.ts'

/** A parsed job. */
export interface QueuedJob {
  readonly task: JobTask
  readonly origin: JobOrigin
}

// Not copied, because a copy would lose the order of a hash's keys.
const fields = z.custom<Fields>(isHash)
const texts = z.array(z.string())

const snapshot: z.ZodType<FormSnapshot> = z.object({
  name: z.string(),
  id: z.string().nullable(),
  userId: z.string().nullable(),
  values: z.custom<FormSnapshot['values']>(isHash),
  changes: z.custom<FormSnapshot['changes']>(isHash),
})

const content: z.ZodType<NotificationData> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('data'), data: fields }),
  z.object({ kind: z.literal('form'), form: snapshot }),
])

const task: z.ZodType<JobTask> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unit'), unit: z.string(), values: fields, code: z.string().exactOptional() }),
  z.object({ kind: z.literal('callback'), form: snapshot }),
  z.object({
    kind: z.literal('notification'),
    channel: z.enum(['email', 'sms', 'api_call']),
    name: z.string(),
    content,
  }),
  z.object({
    kind: z.literal('email'),
    email: z.object({
      to: texts,
      from: z.string(),
      subject: z.string(),
      content: z.string(),
      cc: texts,
      bcc: texts,
      replyTo: texts,
    }),
  }),
  z.object({ kind: z.literal('sms'), sms: z.object({ to: z.string(), content: z.string() }) }),
  z.object({ kind: z.literal('export'), id: z.string() }),
])

const queued: z.ZodType<QueuedJob> = z.object({
  task,
  origin: z.object({
    host: z.string(),
    language: z.string(),
    user: z.string().nullable(),
    uploader: z.string().nullable().exactOptional(),
    depth: z.number().int(),
    trace: z.record(z.string(), z.string()).exactOptional(),
  }),
})

/** Parses the JSON of a job; returns null when this version does not know its shape. */
export function readJob(text: string): QueuedJob | null {
  try {
    const result = queued.safeParse(parseJson(text))
    return result.success ? result.data : null
  } catch {
    return null
  }
}
