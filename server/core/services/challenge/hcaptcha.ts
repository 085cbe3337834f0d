/** The challenge provider hCaptcha. */
import { escapeHtml } from '../../../../runtime/page/values/text.ts'
import type { ChallengeProvider } from './provider.ts'

export const hcaptcha: ChallengeProvider = {
  name: 'hcaptcha',
  siteKey: 'HCAPTCHA_SITE_KEY',
  secretKey: 'HCAPTCHA_SECRET_KEY',
  addresses({ hcaptcha: own }) {
    return {
      script: `${own ?? 'https://js.hcaptcha.com'}/1/api.js`,
      verify: `${own ?? 'https://api.hcaptcha.com'}/siteverify`,
    }
  },
  html(script, siteKey) {
    const source = `<script src="${escapeHtml(script)}" async defer></script>`
    return `${source}\n<div class="h-captcha" data-sitekey="${escapeHtml(siteKey)}"></div>`
  },
}
