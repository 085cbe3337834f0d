/**
 * A refused form between two requests: a browser is sent back to the form's page, so that its address bar says where it is, and a
 * reload sends nothing again. What was sent waits in the session, and is shown once.
 */
import * as z from 'zod'
import type { Values } from '../../runtime/data/forms/model.ts'
import { headerOf, type Request } from '../http/message.ts'
import type { FailedForm } from './host.ts'
import type { Session } from './session.ts'

/** Characters that a session keeps of a form; longer ones are shown in the place where they were sent to. */
const LONGEST = 32_000

const NESTED = ['profiles', 'customizations', 'custom_images', 'custom_attachments', 'custom_addresses'] as const

const values: z.ZodType<Values> = z.lazy(() =>
  z.object({
    attributes: z.record(z.string(), z.unknown()),
    properties: z.record(z.string(), z.unknown()),
    nested: z.partialRecord(z.enum(NESTED), z.record(z.string(), values)),
  }),
)
const keptSchema = z.object({
  address: z.string(),
  name: z.string(),
  id: z.string().nullable(),
  sent: values.nullable(),
  errors: z.array(z.tuple([z.string(), z.array(z.string())])),
})

/** Whether the request is a step of a browser from page to page: what it is answered, people see. */
export function isNavigation(request: Request): boolean {
  return headerOf(request, 'sec-fetch-mode') === 'navigate'
}

/** Keeps a refused form for the page at an address. False where it holds what no session can keep; then nothing is kept. */
export function keepRefused(session: Session, address: string, { name, id, state }: FailedForm): boolean {
  if (!isPlain(state.sent)) return false
  const kept: z.input<typeof keptSchema> = {
    address,
    name,
    id,
    sent: state.sent,
    errors: [...state.errors].map(([path, messages]) => [path, [...messages]]),
  }
  const text = JSON.stringify(kept)
  if (text.length > LONGEST) return false
  session.keepForm(text)
  return true
}

/** The refused form that waits for the page that is asked for; null for none. What is stored is read when it is shown. */
export function refusedFor(session: Session | null, { method, url }: Request): FailedForm | null {
  const text = method === 'GET' ? (session?.keptForm ?? null) : null
  if (text === null) return null
  const kept = keptSchema.safeParse(JSON.parse(text))
  if (!kept.success || kept.data.address !== url) return null
  const { name, id, sent, errors } = kept.data
  return { name, id, state: { stored: null, sent, errors: new Map(errors) } }
}

/** Whether JSON gives back the same: files and dates are more than it tells. */
function isPlain(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  if (Array.isArray(value)) return value.every(isPlain)
  if (typeof value !== 'object') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === null || prototype === Object.prototype) && Object.values(value).every(isPlain)
}
