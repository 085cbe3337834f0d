/**
 * Stores a refused form in the session while the browser is redirected to the form's page, which shows the input once.
 * The redirect corrects the address bar, and a reload does not submit the form again.
 */
import * as z from 'zod'
import type { Values } from '../../../runtime/data/forms/model.ts'
import { headerOf, type Request } from '../http/message.ts'
import type { FailedForm } from './host.ts'
import type { Session } from './session.ts'

/**
 * Maximum length in characters of the input in a session. Longer input is shown at the URL that it was sent to, without
 * a redirect.
 */
const MAX_LENGTH = 32_000

const NESTED_RESOURCES = [
  'profiles',
  'customizations',
  'custom_images',
  'custom_attachments',
  'custom_addresses',
] as const

const values: z.ZodType<Values> = z.lazy(() =>
  z.object({
    attributes: z.record(z.string(), z.unknown()),
    properties: z.record(z.string(), z.unknown()),
    nested: z.partialRecord(z.enum(NESTED_RESOURCES), z.record(z.string(), values)),
  }),
)
const storedFormSchema = z.object({
  address: z.string(),
  name: z.string(),
  id: z.string().nullable(),
  sent: values.nullable(),
  errors: z.array(z.tuple([z.string(), z.array(z.string())])),
})

/** Returns whether the request is a navigation of a browser. Then a person sees the answer. */
export function isNavigation(request: Request): boolean {
  return headerOf(request, 'sec-fetch-mode') === 'navigate'
}

/**
 * Stores a refused form for the page with this URL. Returns false without storing it when the session cannot store its
 * values, or when this request's changes are not stored.
 */
export function storeRefusedForm(session: Session, address: string, { name, id, state }: FailedForm): boolean {
  if (!isPlain(state.sentValues)) return false
  const storedForm: z.input<typeof storedFormSchema> = {
    address,
    name,
    id,
    sent: state.sentValues,
    errors: [...state.errors].map(([path, messages]) => [path, [...messages]]),
  }
  const text = JSON.stringify(storedForm)
  if (text.length > MAX_LENGTH) return false
  return session.storeRefusedForm(text)
}

/** Returns the refused form that is stored for the requested page, or null. */
export function refusedFor(session: Session | null, { method, url }: Request): FailedForm | null {
  const text = method === 'GET' ? (session?.keptForm ?? null) : null
  if (text === null) return null
  const storedForm = storedFormSchema.safeParse(JSON.parse(text))
  if (!storedForm.success || storedForm.data.address !== url) return null
  const { name, id, sent: sentValues, errors } = storedForm.data
  return { name, id, state: { storedResource: null, sentValues, errors: new Map(errors) } }
}

/** Returns whether JSON can represent the value, unlike files and dates. */
function isPlain(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  if (Array.isArray(value)) return value.every(isPlain)
  if (typeof value !== 'object') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === null || prototype === Object.prototype) && Object.values(value).every(isPlain)
}
