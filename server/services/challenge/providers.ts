/** The providers, and the names that templates and forms call them by. */
import { hcaptcha } from './hcaptcha.ts'
import type { ChallengeProvider } from './provider.ts'
import { recaptchaV2 } from './recaptcha-v2.ts'
import { recaptchaV3 } from './recaptcha-v3.ts'

const PROVIDERS: ReadonlyMap<string, ChallengeProvider> = new Map([
  ['recaptcha_v2', recaptchaV2],
  ['recaptcha_v3', recaptchaV3],
  ['hcaptcha', hcaptcha],
  ['captcha_v2', recaptchaV2],
  ['captcha_v3', recaptchaV3],
  ['captcha_alt', hcaptcha],
])

/** Every spelling. */
export const STRATEGIES: readonly string[] = [...PROVIDERS.keys()]

/** A provider by any of its names, null where there is none. */
export function providerOf(strategy: string): ChallengeProvider | null {
  return PROVIDERS.get(strategy) ?? null
}
