/** Words and bounds of the platform's tags: what they do with them here, the server beside them, and the compiler before all. */
import type { JobOptions, Protection } from './services.ts'

/** Of `background`. */
export const PRIORITIES = ['low', 'default', 'high'] as const satisfies readonly JobOptions['priority'][]

/** The priority that a text names, in any case; undefined where it names none. */
export function priorityNamed(text: string): JobOptions['priority'] | undefined {
  const written = text.trim().toLowerCase()
  return PRIORITIES.find((each) => each === written)
}

/** Of `background`: more are counted as this many. */
export const MOST_ATTEMPTS = 5

/** Of `background`: minutes, a hundred years of them. */
export const LONGEST_DELAY = 52_560_000

/** Of `form`. */
export const FORM_METHODS: readonly string[] = ['get', 'post', 'put', 'patch', 'delete']

/** Of `spam_protection`: each challenge by the names that sites and clients give it. */
export const CHALLENGES = {
  recaptcha_v2: 'recaptcha_v2',
  recaptcha_v3: 'recaptcha_v3',
  hcaptcha: 'hcaptcha',
  captcha_v2: 'recaptcha_v2',
  captcha_v3: 'recaptcha_v3',
  captcha_alt: 'hcaptcha',
  // As it was called while there was one.
  recaptcha: 'recaptcha_v2',
} as const satisfies Readonly<Record<string, Protection['provider']>>

/** Of `spam_protection`: what an action looks like. */
export const CHALLENGE_ACTION = /^[A-Za-z0-9/]+$/
