/** Sends text messages, from a template or from given values, to the gateway in the settings. */
import type { SmsEntry } from '../../../runtime/page/site.ts'
import { OutgoingFailure } from '../../core/net/outgoing.ts'
import { DeliveryFault, type Notifications, type TemplateLocation, settingLocation } from './model.ts'
import type { PreparedNotification } from './prepare.ts'

/** Maximum length of a message in characters: ten parts in any script. */
const MAX_LENGTH = 1_600
/** Timeout of a request in milliseconds, and maximum size of a response in bytes. */
const TIMEOUT = 15_000
const MAX_RESPONSE_BYTES = 65_536

/** A text message. */
export interface Sms {
  /** In E.164 format: `+48123456789`. */
  readonly to: string
  readonly content: string
}

/**
 * Builds a template's messages, one for each number in `to`.
 * @throws LiquidFault, DeliveryFault
 */
export async function buildSmses(entry: SmsEntry, prepared: PreparedNotification): Promise<readonly Sms[]> {
  const toLocation = settingLocation(entry, 'to')
  const to = (await prepared.text(entry.to)).split(',').filter((number) => number.trim() !== '')
  if (to.length === 0)
    throw new DeliveryFault("this text message has no recipient: its 'to' is blank", 'permanent', toLocation)
  if (entry.render === null)
    throw new DeliveryFault('this template was built with errors', 'permanent', settingLocation(entry))
  const { r, scope } = await prepared.render('txt')
  const body = (await entry.render(r, scope)).trim()
  const content = body === '' ? await prepared.text(entry.content) : body
  const contentLocation = settingLocation(entry, body === '' && entry.content !== null ? 'content' : 'body')
  const numbers = new Set<string>()
  for (const number of to) numbers.add(await parseNumber(number, toLocation))
  return [...numbers].map((number) => ({ to: number, content: checkContent(content, contentLocation) }))
}

/**
 * Validates a message without a template.
 * @throws DeliveryFault
 */
export async function buildPlainSms(sms: Sms): Promise<Sms> {
  return { to: await parseNumber(sms.to, null), content: checkContent(sms.content, null) }
}

async function parseNumber(rawNumber: string, location: TemplateLocation | null): Promise<string> {
  const text = rawNumber.trim()
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max')
  const number = text.length <= 60 && text.startsWith('+') ? parsePhoneNumberFromString(text) : undefined
  if (number?.isPossible() === true) return number.number
  const shortText = text.slice(0, 60)
  throw new DeliveryFault(
    `'${shortText}' is not a phone number: use the international format, such as +48123456789`,
    'permanent',
    location,
  )
}

function checkContent(text: string, location: TemplateLocation | null): string {
  const content = text.trim()
  if (content === '') throw new DeliveryFault('this text message is empty', 'permanent', location)
  if (content.length <= MAX_LENGTH) return content
  throw new DeliveryFault(
    `this text message has ${content.length} characters: at most ${MAX_LENGTH} can be sent`,
    'permanent',
    location,
  )
}

/**
 * Sends a message to the gateway. In development without a gateway, stores it in the outbox.
 * @param deliveryId the same for all attempts, so that a gateway can recognize a repetition
 * @throws DeliveryFault
 */
export async function sendSms(
  notifications: Notifications,
  sms: Sms,
  deliveryId: string | null,
): Promise<Readonly<Record<string, unknown>>> {
  const { smsUrl, smsToken } = notifications.delivery
  if (smsUrl === null) {
    if (notifications.environment !== 'development') {
      throw new DeliveryFault('text messages cannot be sent: set INGOT_SMS_URL', 'permanent')
    }
    await notifications.outbox.sms(sms)
    return { outbox: true }
  }
  const headers = {
    'content-type': 'application/json',
    ...(smsToken === null ? {} : { authorization: `Bearer ${smsToken}` }),
    ...(deliveryId === null ? {} : { 'idempotency-key': deliveryId }),
  }
  const { status, body } = await notifications.trusted
    .open({
      url: smsUrl,
      method: 'POST',
      headers,
      body: JSON.stringify(sms),
      timeout: TIMEOUT,
      limit: MAX_RESPONSE_BYTES,
    })
    .catch((error: unknown) => {
      throw error instanceof OutgoingFailure
        ? new DeliveryFault(`the SMS gateway is not reachable: ${error.message}`, 'temporary')
        : error
    })
  const response = (await readPartially(body)).slice(0, 1_000)
  if (status >= 200 && status < 300) return { status, response }
  const isTemporary = status >= 500 || status === 408 || status === 429
  throw new DeliveryFault(
    `the SMS gateway responded with status ${status}: ${response.slice(0, 300)}`,
    isTemporary ? 'temporary' : 'permanent',
  )
}

/**
 * Reads the response as far as possible. Errors are ignored, because the status has already decided whether the message
 * was sent.
 */
async function readPartially(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of body) chunks.push(chunk)
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
  }
  return Buffer.concat(chunks).toString()
}
