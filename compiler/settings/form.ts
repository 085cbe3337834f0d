/** Form configurations: what a form takes, and what happens with it. */
import { z } from 'zod'
import { CHALLENGES, LONGEST_DELAY, MOST_ATTEMPTS, PRIORITIES } from '../../runtime/tag-words.ts'
import { settingValue } from '../diagnostics/codes/setting-value.ts'
import { choice } from '../diagnostics/words.ts'
import type { FormSettings } from '../model/settings.ts'
import { entryOf } from '../source/yaml.ts'
import { readFields } from './form-fields.ts'
import { checkHeaders } from './headers.ts'
import { liquidText } from './liquid-text.ts'
import {
  anything,
  type Entries,
  flag,
  liquid,
  logicalName,
  mapping,
  names,
  settings,
  text,
  textOrMapping,
  top,
  wholeNumber,
  word,
} from './setting.ts'

const provider = word(...(Object.keys(CHALLENGES) as (keyof typeof CHALLENGES)[]))
const MINUTES = 'a number of minutes'
const minutes = z.union(
  [
    z.number().nonnegative({ error: MINUTES }).max(LONGEST_DELAY, { error: MINUTES }),
    z.string().regex(/^\d*\.?\d+$/, { error: MINUTES }),
  ],
  { error: MINUTES },
)
const challenge = z.union(
  [
    provider,
    z.partialRecord(provider, z.object({ action: text.optional(), minimum_score: z.number().optional() }).nullable()),
  ],
  { error: 'a challenge such as `recaptcha_v2`' },
)

const keys = {
  name: { schema: text },
  resource: { schema: z.union([text, mapping], { error: 'the name of a table or a resource' }), refused: true },
  resource_owner: { schema: word('anyone', 'self', 'creator'), refused: true },
  fields: { schema: mapping, refused: true },
  configuration: { schema: mapping, deprecated: 'fields', refused: true },
  redirect_to: { schema: liquid },
  return_to: { schema: liquid, deprecated: 'redirect_to' },
  flash_notice: { schema: liquid },
  flash_alert: { schema: liquid },
  // A policy that is not read would leave the door open.
  authorization_policies: { schema: names, refused: true },
  default_payload: { schema: textOrMapping },
  callback_actions: { schema: liquid },
  async_callback_actions: {
    schema: z.strictObject(
      {
        content: liquid.nullish(),
        delay: minutes.nullish(),
        // What is no priority counts as the default one, and attempts are kept in bounds: neither loses the job.
        priority: text.nullish(),
        max_attempts: wholeNumber.nullish(),
      },
      { error: 'a mapping of `content`, `delay`, `priority` and `max_attempts`' },
    ),
    refused: true,
  },
  email_notifications: { schema: names },
  sms_notifications: { schema: names },
  api_call_notifications: { schema: names },
  spam_protection: { schema: challenge, refused: true },
  request_allowed: { schema: flag },
  live_reindex: { schema: anything },
  response_headers: { schema: textOrMapping },
  metadata: { schema: mapping },
  body: { schema: anything },
} as const

type From = Entries<typeof keys>

export const form = settings<typeof keys, FormSettings>({
  noun: 'form',
  keys,
  strict: true,
  read(from, file) {
    if (!from.has('resource')) from.missing('resource')
    checkHeaders(from.node('response_headers'), from.report)
    return {
      kind: 'form',
      name: logicalName(from.value('name') ?? file.name, file),
      nameSpan: from.span('name') ?? top(file),
      resource: resource(from),
      resourceOwner: from.value('resource_owner') ?? null,
      fields: readFields(from.node('fields') ?? from.node('configuration'), from.report),
      fieldsSpan: from.keySpan('fields') ?? from.keySpan('configuration') ?? top(file),
      redirectTo: from.liquid('redirect_to', 'return_to'),
      flashNotice: from.liquid('flash_notice'),
      flashAlert: from.liquid('flash_alert'),
      authorizationPolicies: from.names('authorization_policies'),
      defaultPayload: from.tree('default_payload'),
      callbackActions: from.liquid('callback_actions'),
      asyncCallbackActions: asyncCallback(from),
      emailNotifications: from.names('email_notifications'),
      smsNotifications: from.names('sms_notifications'),
      apiCallNotifications: from.names('api_call_notifications'),
      spamProtection: spamProtection(from),
      requestAllowed: from.value('request_allowed') ?? true,
      responseHeaders: from.tree('response_headers'),
      metadata: from.map('metadata'),
    }
  },
})

/** The old form is a mapping that names the resource. */
function resource(from: From): FormSettings['resource'] {
  const node = from.node('resource')
  if (node?.kind !== 'map') return from.reference('resource')
  const named = entryOf(node, 'name')?.value ?? node.entries[0]?.value
  return named?.kind === 'scalar' && named.text !== '' ? { name: named.text, span: named.span } : null
}

function asyncCallback(from: From): FormSettings['asyncCallbackActions'] {
  const given = from.value('async_callback_actions')
  const content = entryOf(from.node('async_callback_actions'), 'content')?.value
  if (given === undefined || content?.kind !== 'scalar' || content.value === null) return null
  const attempts = given.max_attempts ?? 1
  const maxAttempts = Math.min(MOST_ATTEMPTS, Math.max(1, attempts))
  if (attempts !== maxAttempts) complain(from, 'max_attempts', `a number from 1 to ${MOST_ATTEMPTS}`)
  const written = given.priority?.trim().toLowerCase() ?? 'default'
  const priority = PRIORITIES.find((each) => each === written)
  if (priority === undefined) complain(from, 'priority', `one of ${choice(PRIORITIES)}`)
  return { content: liquidText(content), delay: Number(given.delay ?? 0), priority: priority ?? 'default', maxAttempts }
}

function complain(from: From, key: string, expected: string): void {
  const value = entryOf(from.node('async_callback_actions'), key)?.value
  if (value === undefined) return
  const written = from.file.text.slice(value.span.start, value.span.end)
  from.report.add(settingValue(value.span, `async_callback_actions.${key}`, expected, written))
}

function spamProtection(from: From): FormSettings['spamProtection'] {
  const given = from.value('spam_protection')
  if (given === undefined) return null
  if (typeof given === 'string') return { provider: CHALLENGES[given], action: null, minimumScore: 0.5 }
  const [name, options] = Object.entries(given)[0] ?? []
  if (name === undefined || !isProvider(name)) return null
  return { provider: CHALLENGES[name], action: options?.action ?? null, minimumScore: options?.minimum_score ?? 0.5 }
}

function isProvider(name: string): name is keyof typeof CHALLENGES {
  return Object.hasOwn(CHALLENGES, name)
}
