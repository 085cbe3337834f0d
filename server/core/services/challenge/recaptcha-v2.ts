/** reCAPTCHA v2: a checkbox, sometimes followed by pictures. */
import { escapeHtml } from '../../../../runtime/page/values/text.ts'
import type { ProviderAddresses, ChallengeProvider, ProviderUrls } from './provider.ts'

export const recaptchaV2: ChallengeProvider = {
  name: 'recaptcha_v2',
  siteKey: 'RECAPTCHA_V2_SITE_KEY',
  secretKey: 'RECAPTCHA_V2_SECRET_KEY',
  addresses: recaptchaAddresses,
  html(script, siteKey) {
    const source = `<script src="${escapeHtml(script)}" async defer></script>`
    return `${source}\n<div class="g-recaptcha" data-sitekey="${escapeHtml(siteKey)}"></div>`
  },
}

/** URLs of both versions of reCAPTCHA. */
export function recaptchaAddresses({ recaptcha }: ProviderUrls): ProviderAddresses {
  const base = recaptcha ?? 'https://www.google.com/recaptcha'
  return { script: `${base}/api.js`, verify: `${base}/api/siteverify` }
}
