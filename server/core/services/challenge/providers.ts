/** The list of providers, and the names that templates and forms use for them. */
import { CHALLENGES } from '../../../../runtime/page/tag-keywords.ts'
import { hcaptcha } from './hcaptcha.ts'
import type { ChallengeProvider } from './provider.ts'
import { recaptchaV2 } from './recaptcha-v2.ts'
import { recaptchaV3 } from './recaptcha-v3.ts'

const PROVIDERS_BY_NAME = { recaptcha_v2: recaptchaV2, recaptcha_v3: recaptchaV3, hcaptcha } as const

const PROVIDERS: ReadonlyMap<string, ChallengeProvider> = new Map(
  Object.entries(CHALLENGES).map(([name, provider]) => [name, PROVIDERS_BY_NAME[provider]]),
)

/** All accepted names. */
export const STRATEGIES: readonly string[] = [...PROVIDERS.keys()]

/** Returns the provider with a name; null when there is none. */
export function providerOf(strategy: string): ChallengeProvider | null {
  return PROVIDERS.get(strategy) ?? null
}
