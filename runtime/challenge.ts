/** Where the token of a spam challenge arrives. */
import type { Protection } from './services.ts'

/** Name of the parameter, beside `form`. @param action of `recaptcha_v3` */
export function challengeField(provider: Protection['provider'], action: string | null): string {
  if (provider === 'recaptcha_v3') return `g-recaptcha-response-data-${action ?? ''}`
  return provider === 'hcaptcha' ? 'h-captcha-response' : 'g-recaptcha-response'
}
