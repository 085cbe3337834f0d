/**
 * Serializes jobs as JSON. Values of templates keep their types, and values that JSON cannot represent are refused by
 * name.
 */
import * as z from 'zod'
import { LiquidFault } from '../../../runtime/page/fault.ts'
import { type JobRequest, MAX_PAYLOAD, type JobTask } from '../../../runtime/data/jobs.ts'
import { Boxed, BoxedText } from '../../../runtime/page/values/boxed.ts'
import { CaughtError } from '../../../runtime/page/values/caught-error.ts'
import { entries, type HashValue, isHash, makeHash } from '../../../runtime/page/values/hash.ts'
import { toJson } from '../../../runtime/page/values/json.ts'
import { MAX_DEPTH } from '../../../runtime/page/values/value-limits.ts'
import { Markup } from '../../../runtime/page/values/markup.ts'
import { Moment } from '../../../runtime/page/values/moment.ts'
import { Float } from '../../../runtime/page/values/number.ts'
import { isRenderOnly } from '../../../runtime/page/values/render-only.ts'
import { Range } from '../../../runtime/page/values/range.ts'

/** State while a value is checked, before any of it is serialized. */
interface PayloadCheck {
  /** The job or message that contains the value, in the author's terms. */
  readonly subject: string
  /** Converts every text before it is stored; null to store texts unchanged. */
  readonly convertText: ((text: string) => string) | null
  /** Path of the value being checked. */
  readonly path: (string | number)[]
  /** Lower bound of the JSON's length in characters, so that shared parts cannot expand without limit. */
  size: number
}

/**
 * Returns the JSON text of a job. `parseJson` restores it exactly, including floats and long integers.
 * @param convertText converts every text of the task; null to store texts unchanged
 * @throws LiquidFault for values that cannot be stored, and for more than `MAX_PAYLOAD` bytes
 */
export function serializeJob(job: JobRequest, convertText: ((text: string) => string) | null = null): string {
  const check: PayloadCheck = { subject: nameOf(job.task), convertText, path: [], size: 0 }
  const text = toJson(toStorable(job, check))
  if (Buffer.byteLength(text) > MAX_PAYLOAD) throw tooLargeFault(check)
  return text
}

/** A description of a queued job, for monitoring. */
interface TaskDescription {
  /** The name of the template that it runs, or the kind of the job. */
  readonly name: string
  /** Headers that name the trace of the work that queued it. */
  readonly trace: Readonly<Record<string, string>>
}

/** Returns the description of a queued job. */
export function describeTask(payload: string): TaskDescription {
  const result = payloadSchema.safeParse(parseOrNull(payload))
  if (!result.success) return { name: '(unknown)', trace: {} }
  const { task, origin } = result.data
  return { name: taskName(task), trace: origin?.trace ?? {} }
}

/** Returns the name of a job for monitoring: the name of its template, or its kind. */
export function taskName({ kind, unit, name, channel, form }: NamedTask): string {
  return unit ?? name ?? (form === undefined ? (channel ?? kind) : form.name)
}

const taskSchema = z.object({
  kind: z.string(),
  unit: z.string().optional(),
  name: z.string().optional(),
  channel: z.string().optional(),
  form: z.object({ name: z.string() }).optional(),
})
type NamedTask = z.infer<typeof taskSchema>

const payloadSchema = z.object({
  task: taskSchema,
  origin: z.object({ trace: z.record(z.string(), z.string()).optional() }).optional(),
})

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function nameOf(task: JobTask): string {
  switch (task.kind) {
    case 'unit':
      return `the job ${task.unit}`
    case 'callback':
      return `the callback of the form ${task.form.name}`
    case 'notification':
      return `the ${task.channel} ${task.name}`
    case 'email':
      return 'the e-mail'
    case 'sms':
      return 'the text message'
    case 'export':
      return 'the export'
  }
}

function toStorable(value: unknown, check: PayloadCheck): unknown {
  check.size += typeof value === 'string' ? value.length + 2 : 1
  if (check.size > MAX_PAYLOAD) throw tooLargeFault(check)
  switch (typeof value) {
    case 'string':
      return toStorableText(value, check)
    case 'number':
    case 'bigint':
    case 'boolean':
      return value
    case 'undefined':
      return null
    case 'object':
      return value === null ? null : containerToStorable(value, check)
    default:
      throw unstorableFault('is not a value', check)
  }
}

function containerToStorable(value: object, check: PayloadCheck): unknown {
  if (value instanceof BoxedText) return toStorableText(value.$text, check)
  if (value instanceof Float || value instanceof Moment) return value
  if (value instanceof Range) throw unstorableFault('is a range', check)
  if (value instanceof Markup) throw unstorableFault('is a form', check)
  // The compiler rejects these where it sees them, but a partial may have received one as an ordinary value.
  if (isRenderOnly(value)) throw unstorableFault('is `context` or the object of a loop', check)
  if (check.path.length > MAX_DEPTH) {
    check.path.length = 5
    throw unstorableFault(`is nested more than ${MAX_DEPTH} levels deep, or contains itself`, check)
  }
  if (Array.isArray(value)) return Array.from(value, (item, at) => atPath(at, check, () => toStorable(item, check)))
  if (value instanceof Boxed || !isHash(value) || !isPlain(value)) throw unstorableFault('is not a plain value', check)
  return makeHash(
    entries(value).map(([key, item]) => {
      check.size += key.length + 3
      return atPath(key, check, (): [string, unknown] => [toStorableText(key, check), toStorable(item, check)])
    }),
  )
}

/** Runs `body` for a part of the value. When it throws, the path is not restored, because the error message needs it. */
function atPath<T>(key: string | number, { path }: PayloadCheck, body: () => T): T {
  path.push(key)
  const result = body()
  path.pop()
  return result
}

/** Returns whether a value is a plain hash. An instance of any other class has behavior, and cannot be stored. */
function isPlain(value: HashValue): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || value instanceof CaughtError
}

/** A lone surrogate would make the queue unreadable for everyone. */
function toStorableText(text: string, check: PayloadCheck): string {
  if (text.includes('\0')) throw unstorableFault('contains the character NUL', check)
  const wellFormed = text.toWellFormed()
  return check.convertText === null ? wellFormed : check.convertText(wellFormed)
}

function unstorableFault(reason: string, { path, subject }: PayloadCheck): LiquidFault {
  // Templates use the names of arguments, not their position in the job.
  const shownPath = path[0] === 'task' && path[1] === 'values' ? path.slice(2) : path
  const name = shownPath.map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`)).join('')
  const fault = new LiquidFault(`${subject} cannot be queued: ${name.slice(0, 200)} ${reason}, which cannot be stored`)
  // Deeply nested values fill the stack trace; without this, the template's line would be missing from it.
  Error.captureStackTrace(fault, serializeJob)
  return fault
}

function tooLargeFault({ subject }: PayloadCheck): LiquidFault {
  return new LiquidFault(`${subject} cannot be queued: its values are larger than ${MAX_PAYLOAD / 1024} KB`)
}
