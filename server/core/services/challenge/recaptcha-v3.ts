/** reCAPTCHA v3: scores the visitor without asking anything. */
import { escapeHtml } from '../../../../runtime/page/values/text.ts'
import { challengeField, type ChallengeProvider } from './provider.ts'
import { recaptchaAddresses } from './recaptcha-v2.ts'

/**
 * Fills the preceding input with a token. The provider's script is loaded once, however many forms a page has. The token is renewed,
 * because it expires after two minutes and a form may stay open for longer.
 */
const FILL = `(function (input) {
  var data = input.dataset
  var load = window.recaptchaLoad || (window.recaptchaLoad = {})
  var loaded = load[data.script] || (load[data.script] = new Promise(function (resolve, reject) {
    var script = document.createElement('script')
    script.src = data.script
    script.async = true
    script.onload = function () { window.grecaptcha.ready(resolve) }
    script.onerror = reject
    document.head.appendChild(script)
  }))
  function fill() {
    loaded.then(function () { return window.grecaptcha.execute(data.sitekey, { action: data.action }) })
      .then(function (token) { input.value = token }, function () { input.value = '' })
  }
  fill()
  setInterval(fill, 90000)
})(document.currentScript.previousElementSibling)`

export const recaptchaV3: ChallengeProvider = {
  name: 'recaptcha_v3',
  siteKey: 'RECAPTCHA_V3_SITE_KEY',
  secretKey: 'RECAPTCHA_V3_SECRET_KEY',
  addresses: recaptchaAddresses,
  html(script, siteKey, action) {
    const data = {
      name: challengeField('recaptcha_v3', action),
      'data-action': action ?? '',
      'data-sitekey': siteKey,
      'data-script': `${script}?render=${encodeURIComponent(siteKey)}`,
    }
    const attributes = Object.entries(data).map(([name, value]) => `${name}="${escapeHtml(value)}"`)
    return `<input type="hidden" ${attributes.join(' ')}>\n<script>${FILL}</script>`
  },
}
