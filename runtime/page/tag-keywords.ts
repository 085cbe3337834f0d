/** Keywords and limits of the platform's tags, shared by this runtime, the server and the compiler. */
import type { JobOptions, Protection } from './services.ts'

/** The priorities of `background`. */
export const PRIORITIES = ['low', 'default', 'high'] as const satisfies readonly JobOptions['priority'][]

/** Returns the priority with this name, ignoring case; undefined when there is none. */
export function findPriority(text: string): JobOptions['priority'] | undefined {
  const priorityName = text.trim().toLowerCase()
  return PRIORITIES.find((each) => each === priorityName)
}

/** The maximum number of attempts of `background`. Larger numbers are reduced to it. */
export const MAX_ATTEMPTS = 5

/** The maximum delay of `background` in minutes. It is a hundred years. */
export const MAX_DELAY = 52_560_000

/** The HTTP methods of `form`. */
export const FORM_METHODS: readonly string[] = ['get', 'post', 'put', 'patch', 'delete']

/** The challenges of `spam_protection`, by the names that sites and clients use. */
export const CHALLENGES = {
  recaptcha_v2: 'recaptcha_v2',
  recaptcha_v3: 'recaptcha_v3',
  hcaptcha: 'hcaptcha',
  captcha_v2: 'recaptcha_v2',
  captcha_v3: 'recaptcha_v3',
  captcha_alt: 'hcaptcha',
  // The name that was used before there were versions.
  recaptcha: 'recaptcha_v2',
} as const satisfies Readonly<Record<string, Protection['provider']>>

/** The syntax of an action in `spam_protection`. */
export const CHALLENGE_ACTION = /^[A-Za-z0-9/]+$/
