/** The interface of a challenge provider: its keys, its widget, the form field of its token, and its URLs. */
import type { Protection } from '../../../../runtime/page/services.ts'

/** URLs of a provider, without a trailing slash. */
export interface ProviderAddresses {
  /** The widget's script. */
  readonly script: string
  /** Verifies tokens. */
  readonly verify: string
}

export interface ChallengeProvider {
  readonly name: Protection['provider']
  /** Names of the site's constants that contain the keys. */
  readonly siteKey: string
  readonly secretKey: string
  /**
   * Returns the provider's URLs.
   * @param overrides replaces the provider's URLs; null keeps them
   */
  addresses(overrides: ProviderUrls): ProviderAddresses
  /**
   * Returns the HTML of the widget.
   * @param action letters, digits and slashes; null when there is none
   */
  html(script: string, siteKey: string, action: string | null): string
}

/** URLs of mirrors or test servers that replace the URLs of the providers; null keeps the provider's URL. */
export interface ProviderUrls {
  readonly recaptcha: string | null
  readonly hcaptcha: string | null
}

/**
 * Name of the form field that contains the token.
 * @param action the action of `recaptcha_v3`
 */
export function challengeField(provider: Protection['provider'], action: string | null): string {
  if (provider === 'recaptcha_v3') return `g-recaptcha-response-data-${action ?? ''}`
  return provider === 'hcaptcha' ? 'h-captcha-response' : 'g-recaptcha-response'
}
