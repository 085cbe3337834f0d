/** What a provider of challenges is: its keys, its widget, where its token arrives and who is asked about it. */
import type { Protection } from '../../../runtime/page/services.ts'

/** Where a provider is reached, without a slash at the end. */
export interface Addresses {
  /** The script of the widget. */
  readonly script: string
  /** Takes tokens. */
  readonly verify: string
}

export interface ChallengeProvider {
  readonly name: Protection['provider']
  /** Names of the site's constants that hold its keys. */
  readonly siteKey: string
  readonly secretKey: string
  /** @param own the address to use in place of the provider's, null for the provider's */
  addresses(own: ProviderUrls): Addresses
  /** @param action letters, digits and slashes; null without one */
  html(script: string, siteKey: string, action: string | null): string
}

/** Other addresses than the providers' own: of a mirror, or of a program in a test. Null is the provider's. */
export interface ProviderUrls {
  readonly recaptcha: string | null
  readonly hcaptcha: string | null
}

/** Name of the parameter that the token arrives in. @param action of `recaptcha_v3` */
export function challengeField(provider: Protection['provider'], action: string | null): string {
  if (provider === 'recaptcha_v3') return `g-recaptcha-response-data-${action ?? ''}`
  return provider === 'hcaptcha' ? 'h-captcha-response' : 'g-recaptcha-response'
}
