/** Keywords and limits of the platform's tags, shared by this runtime, the server and the compiler. */
import type { JobOptions, Protection } from './services.ts'

/** Values for `background`. */
export const PRIORITIES = ['low', 'default', 'high'] as const satisfies readonly JobOptions['priority'][]

/** Returns the priority with this name in any case; undefined when there is none. */
export function findPriority(text: string): JobOptions['priority'] | undefined {
  const priorityName = text.trim().toLowerCase()
  return PRIORITIES.find((each) => each === priorityName)
}

/** For `background`: maximum number of attempts. Larger numbers are reduced to it. */
export const MAX_ATTEMPTS = 5

/** For `background`: maximum delay in minutes, which is a hundred years. */
export const MAX_DELAY = 52_560_000

/** Methods of `form`. */
export const FORM_METHODS: readonly string[] = ['get', 'post', 'put', 'patch', 'delete']

/** For `spam_protection`: the challenges by the names that sites and clients use. */
export const CHALLENGES = {
  recaptcha_v2: 'recaptcha_v2',
  recaptcha_v3: 'recaptcha_v3',
  hcaptcha: 'hcaptcha',
  captcha_v2: 'recaptcha_v2',
  captcha_v3: 'recaptcha_v3',
  captcha_alt: 'hcaptcha',
  // The name from before versions existed.
  recaptcha: 'recaptcha_v2',
} as const satisfies Readonly<Record<string, Protection['provider']>>

/** For `spam_protection`: the syntax of an action. */
export const CHALLENGE_ACTION = /^[A-Za-z0-9/]+$/
