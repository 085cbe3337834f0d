/** Settings of form configurations: the fields of a form, and what happens when it is submitted. */
import * as z from 'zod'
import { suggestValue } from '../../core/diagnostics/change.ts'
import { CHALLENGES, MAX_DELAY, MAX_ATTEMPTS, PRIORITIES, findPriority } from '../../../runtime/page/tag-keywords.ts'
import { settingValue } from '../../core/diagnostics/codes/settings/setting-value.ts'
import { joinWithOr, joinWithAnd } from '../../core/diagnostics/words.ts'
import { RESOURCE_WORDS } from '../../core/model/form-resources.ts'
import type { FormSettings } from '../../core/model/settings.ts'
import { entryOf } from '../../core/source/yaml.ts'
import { readFields } from './form-fields.ts'
import { checkHeaders } from './headers.ts'
import { liquidText } from './liquid-text.ts'
import { checkPayload } from './plain-values.ts'
import {
  type Entries,
  flag,
  liquid,
  logicalName,
  mapping,
  names,
  section,
  settings,
  shape,
  text,
  textOrMapping,
  top,
  unlessBlank,
  wholeNumber,
  word,
  customValues,
  unread,
  fileName,
} from './setting.ts'
import { keysOf } from '../../core/source/records.ts'

const provider = word(...keysOf(CHALLENGES))
const MINUTES = 'a number of minutes'
const minutes = z.union(
  [
    z.number().nonnegative({ error: MINUTES }).max(MAX_DELAY, { error: MINUTES }),
    z.string().regex(/^\d*\.?\d+$/, { error: MINUTES }),
  ],
  { error: MINUTES },
)
const challengeKeys = {
  action: { schema: text, description: 'The name of the action in the reports of the provider.' },
  minimum_score: {
    schema: z.number({ error: 'a number from 0 to 1' }),
    description: 'A visitor with a lower score is treated as a bot.',
    default: 0.5,
  },
} as const
const challenges = {
  recaptcha_v3: {
    schema: z.object(shape(challengeKeys)),
    below: challengeKeys,
    takes: `a mapping of ${joinWithAnd(Object.keys(challengeKeys))}`,
    description: 'The options of reCAPTCHA v3, which gives each visitor a score.',
  },
} as const
const challenge = z.union(
  [provider, z.literal(''), z.partialRecord(provider, challenges.recaptcha_v3.schema.nullable())],
  {
    error: 'a challenge such as `recaptcha_v2`',
  },
)

const asyncKeys = {
  content: { schema: liquid, description: 'The Liquid to run. It can read `form`.' },
  delay: { schema: unlessBlank(minutes), description: 'The delay in minutes.', default: 0 },
  // An unknown priority is replaced by the default, and attempts are limited to the allowed range, so that no job is lost.
  priority: {
    schema: text,
    takes: `one of ${joinWithOr(PRIORITIES)}`,
    description: 'The priority of the job.',
    default: 'default',
  },
  max_attempts: {
    schema: unlessBlank(wholeNumber),
    takes: `a number from 1 to ${MAX_ATTEMPTS}`,
    description: 'The maximum number of attempts if it fails.',
    default: 1,
  },
} as const

const keys = {
  name: fileName('The name of the form in the tag `include_form`, in requests and in mutations.'),
  resource: {
    schema: z.union([text, mapping], { error: 'the name of a table or a resource' }),
    refused: true,
    takes: `the name of a table, or ${joinWithOr(RESOURCE_WORDS)}`,
    description: 'The table or resource that the form creates, changes or deletes.',
    required: true,
    see: 'table',
  },
  resource_owner: {
    schema: word('anyone', 'self', 'creator'),
    refused: true,
    description:
      'Who may change and delete existing records: everyone (`anyone`), the user itself (`self`), or the user who created it (`creator`).',
    otherwise: '`self` for users, `creator` for records',
  },
  fields: {
    schema: mapping,
    refused: true,
    description: 'The fields of the form. Other submitted values are ignored.',
    default: {},
    see: 'fields',
  },
  configuration: {
    schema: mapping,
    deprecated: 'fields',
    unlisted: true,
    refused: true,
    description: 'Older name of `fields`.',
  },
  redirect_to: {
    schema: liquid,
    description: 'The URL to redirect to after saving. The request parameter `redirect_to` takes precedence.',
    otherwise: 'the page with the form',
  },
  return_to: { schema: liquid, deprecated: 'redirect_to', description: 'Older name of `redirect_to`.' },
  flash_notice: { schema: liquid, description: 'The message that the next page shows after saving.' },
  flash_alert: { schema: liquid, description: 'The message if the submitted values are invalid.' },
  // If a policy were ignored, the form would be open to everyone.
  authorization_policies: {
    schema: names,
    refused: true,
    description: 'The policies that run before the form is processed, in this order.',
    default: [],
    see: 'authorization_policy',
  },
  default_payload: {
    schema: textOrMapping,
    description:
      'Values that override the submitted ones, as a mapping or as JSON text. Only fields of the form are used. Its Liquid can read the submitted values in `params`, merged over the other request parameters.',
  },
  callback_actions: {
    schema: liquid,
    description: 'Liquid that runs in the same request after saving. It can read `form`.',
  },
  async_callback_actions: {
    schema: section(asyncKeys),
    below: asyncKeys,
    description: 'Liquid that runs as a separate job after saving.',
    refused: true,
  },
  email_notifications: { schema: names, description: 'The emails to send after saving.', default: [], see: 'email' },
  sms_notifications: { schema: names, description: 'The text messages to send after saving.', default: [], see: 'sms' },
  api_call_notifications: {
    schema: names,
    description: 'The API calls to make after saving.',
    default: [],
    see: 'api_call',
  },
  spam_protection: {
    schema: challenge,
    refused: true,
    below: challenges,
    takes: `one of ${joinWithOr(Object.keys(CHALLENGES))}, or a mapping of one to its options`,
    description: 'A challenge that detects bots. The tag `spam_protection` adds it to the form.',
  },
  request_allowed: {
    schema: flag,
    description: 'Whether browsers and clients may submit the form. With `false`, only mutations can use it.',
    default: true,
  },
  live_reindex: unread('Ignored. Searches always see the change at once.'),
  response_headers: {
    schema: textOrMapping,
    description: 'Additional response headers, as a mapping or as JSON text.',
  },
  metadata: customValues('Custom values, available as `form.metadata`. Texts may contain Liquid.'),
  body: unread('Ignored. Some tools write this key, but the template is the rest of the file.'),
} as const

type FormEntries = Entries<typeof keys>

export const form = settings<typeof keys, FormSettings>({
  noun: 'form',
  description:
    'The fields of a form, who may submit it, and what happens then. The rest of the file is the template that `include_form` renders.',
  keys,
  strict: true,
  read(from, file) {
    if (!from.has('resource')) from.missing('resource')
    checkHeaders(from.node('response_headers'), from.report)
    checkPayload(from.node('default_payload'), from.report)
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
      requestAllowed: from.value('request_allowed'),
      responseHeaders: from.tree('response_headers'),
      metadata: from.map('metadata'),
    }
  },
})

/** Returns the resource. In old forms, it is a mapping that contains the name. */
function resource(from: FormEntries): FormSettings['resource'] {
  const node = from.node('resource')
  if (node?.kind !== 'map') return from.reference('resource')
  const nameNode = entryOf(node, 'name')?.value ?? node.entries[0]?.value
  return nameNode?.kind === 'scalar' && nameNode.text !== '' ? { name: nameNode.text, span: nameNode.span } : null
}

function asyncCallback(from: FormEntries): FormSettings['asyncCallbackActions'] {
  const callback = from.value('async_callback_actions')
  const content = entryOf(from.node('async_callback_actions'), 'content')?.value
  if (callback === undefined || content?.kind !== 'scalar' || content.value === null) return null
  const attempts = callback.max_attempts ?? asyncKeys.max_attempts.default
  const maxAttempts = Math.min(MAX_ATTEMPTS, Math.max(1, attempts))
  if (attempts !== maxAttempts) reportAsyncValue(from, 'max_attempts', `a number from 1 to ${MAX_ATTEMPTS}`)
  const priority = findPriority(callback.priority ?? asyncKeys.priority.default)
  if (priority === undefined) reportAsyncValue(from, 'priority', `one of ${joinWithOr(PRIORITIES)}`, PRIORITIES)
  return {
    content: liquidText(content),
    delay: Number(callback.delay ?? asyncKeys.delay.default),
    priority: priority ?? asyncKeys.priority.default,
    maxAttempts,
  }
}

function reportAsyncValue(from: FormEntries, key: string, expected: string, accepted: readonly string[] = []): void {
  const value = entryOf(from.node('async_callback_actions'), key)?.value
  if (value === undefined) return
  const writtenValue = from.file.text.slice(value.span.start, value.span.end)
  const fix = suggestValue(writtenValue, accepted)
  from.report.add(settingValue(value.span, `async_callback_actions.${key}`, expected, writtenValue, fix))
}

function spamProtection(from: FormEntries): FormSettings['spamProtection'] {
  const protection = from.value('spam_protection')
  if (protection === undefined || protection === '') return null
  const score = challengeKeys.minimum_score.default
  if (typeof protection === 'string') return { provider: CHALLENGES[protection], action: null, minimumScore: score }
  const [name, options] = Object.entries(protection)[0] ?? []
  if (name === undefined || !isProvider(name)) return null
  return { provider: CHALLENGES[name], action: options?.action ?? null, minimumScore: options?.minimum_score ?? score }
}

function isProvider(name: string): name is keyof typeof CHALLENGES {
  return Object.hasOwn(CHALLENGES, name)
}
