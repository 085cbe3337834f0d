/**
 * Keeps a refused form between two requests: the browser is redirected to the form's page, so that the address bar is
 * right and a reload submits nothing. The input is kept in the session and shown once.
 */
import * as z from 'zod'
import type { Values } from '../../../runtime/data/forms/model.ts'
import { headerOf, type Request } from '../http/message.ts'
import type { FailedForm } from './host.ts'
import type { Session } from './session.ts'

/** Most characters kept in a session; longer input is shown at the URL that it was sent to. */
const MAX_LENGTH = 32_000

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

/** Returns whether a browser navigates, so that a person sees the answer. */
export function isNavigation(request: Request): boolean {
  return headerOf(request, 'sec-fetch-mode') === 'navigate'
}

/**
 * Keeps a refused form for the page with this URL. Returns false, and keeps nothing, when it contains values that a
 * session cannot store, and when the request keeps nothing.
 */
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
  if (text.length > MAX_LENGTH) return false
  return session.keepForm(text)
}

/** Returns the refused form that is kept for the requested page; null when there is none. */
export function refusedFor(session: Session | null, { method, url }: Request): FailedForm | null {
  const text = method === 'GET' ? (session?.keptForm ?? null) : null
  if (text === null) return null
  const kept = keptSchema.safeParse(JSON.parse(text))
  if (!kept.success || kept.data.address !== url) return null
  const { name, id, sent, errors } = kept.data
  return { name, id, state: { stored: null, sent, errors: new Map(errors) } }
}

/** Returns whether JSON can represent the value, unlike files and dates. */
function isPlain(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  if (Array.isArray(value)) return value.every(isPlain)
  if (typeof value !== 'object') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === null || prototype === Object.prototype) && Object.values(value).every(isPlain)
}
