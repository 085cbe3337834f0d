/** Spam protection: the widget of a provider in a form, and the verification of its token with the provider. */
import { ArgumentFault } from '../../../runtime/page/fault.ts'
import type { ChallengePort, Clock } from '../../../runtime/page/services.ts'
import { CHALLENGE_ACTION } from '../../../runtime/page/tag-keywords.ts'
import { escapeHtml } from '../../../runtime/page/values/text.ts'
import type { Environment } from '../settings.ts'
import { askProvider, type ChallengeResult } from './challenge/ask.ts'
import { challengeField, type ChallengeProvider, type ProviderUrls } from './challenge/provider.ts'
import { providerOf, STRATEGIES } from './challenge/providers.ts'
import { createUsedTokens, type UsedTokens } from './challenge/used-tokens.ts'
import type { Logger } from '../contracts/log.ts'

interface ChallengeOptions {
  readonly environment: Environment
  /** The site's constants with the keys: `HCAPTCHA_SITE_KEY`, `HCAPTCHA_SECRET_KEY` and so on. */
  readonly constants: () => Readonly<Record<string, string>>
  readonly urls: ProviderUrls
  readonly logger: Logger
  readonly clock: Clock
  /** Timeout of a verification in milliseconds. */
  readonly timeout?: number
  /**
   * Starts a verification for a visitor. Their number is limited, because visitors control it.
   * @param ip IP address of the visitor
   * @returns a function that ends it; null when too many are in progress
   */
  readonly begin: (ip: string) => (() => void) | null
}

export type { ProviderUrls } from './challenge/provider.ts'

/** Maximum length of a token in characters; the longest known tokens have about 8,000. */
const MAX_TOKEN_LENGTH = 32_768

interface ChallengeKeys {
  readonly site: string
  readonly secret: string
}

/** Creates the port. A process has one. */
export function createChallenge(options: ChallengeOptions): ChallengePort {
  return new Challenges(options)
}

class Challenges implements ChallengePort {
  readonly #options: ChallengeOptions
  readonly #used: UsedTokens
  /** Messages about missing keys that were already logged. */
  readonly #logged = new Set<string>()

  constructor(options: ChallengeOptions) {
    this.#options = options
    this.#used = createUsedTokens(() => options.clock.now())
  }

  html(strategy: string, action: string | null): string {
    const provider = providerOf(strategy)
    if (provider === null)
      throw new ArgumentFault(`unknown strategy '${strategy.slice(0, 40)}': there are ${STRATEGIES.join(', ')}`)
    if (action !== null && !CHALLENGE_ACTION.test(action))
      throw new ArgumentFault('an action may have only letters, digits and slashes')
    if (provider.name === 'recaptcha_v3' && action === null)
      throw new ArgumentFault(`${strategy} needs an action: {% spam_protection '${strategy}', action: 'signup' %}`)
    const keys = this.#keysOf(provider)
    if (keys === null) return this.#htmlWithoutKeys(provider)
    return provider.html(provider.addresses(this.#options.urls).script, keys.site, action)
  }

  async verify(...[protection, params, ip]: Parameters<ChallengePort['verify']>): Promise<boolean> {
    const { provider: name, action, minimumScore } = protection
    const provider = providerOf(name)
    if (provider === null) return false
    const keys = this.#keysOf(provider)
    if (keys === null) return this.#passesWithoutKeys(provider)
    const token = tokenOf(params, challengeField(name, action))
    if (token === null || !this.#used.markUsed(token)) return false
    const verdict = await this.#ask(provider, keys, token, ip)
    const { logger } = this.#options
    if ('failure' in verdict) {
      this.#used.release(token)
      logger.error({}, `${name} could not verify a form, so the form was refused: ${verdict.failure}`)
      return false
    }
    const configurationErrors = keyErrors(verdict)
    if (configurationErrors.length > 0)
      logger.error(
        {},
        `${name} does not accept the keys of the site (${configurationErrors.join(', ')}): correct the constant ${provider.secretKey}`,
      )
    if (!verdict.passed) return false
    return name !== 'recaptcha_v3' || meetsProtection(verdict, action, minimumScore)
  }

  #keysOf(provider: ChallengeProvider): ChallengeKeys | null {
    const constants = this.#options.constants()
    const site = Object.hasOwn(constants, provider.siteKey) ? (constants[provider.siteKey] ?? '').trim() : ''
    const secret = Object.hasOwn(constants, provider.secretKey) ? (constants[provider.secretKey] ?? '').trim() : ''
    return site === '' || secret === '' ? null : { site, secret }
  }

  #htmlWithoutKeys(provider: ChallengeProvider): string {
    const sentence = missingKeys(provider)
    if (this.#options.environment === 'development')
      return `<p class="spam-protection-note">${escapeHtml(sentence)}. In development, forms are accepted without them.</p>`
    if (!this.#logged.has(sentence)) {
      this.#logged.add(sentence)
      this.#options.logger.error({}, `${sentence}. Until then, the forms that it protects cannot be sent.`)
    }
    return ''
  }

  #passesWithoutKeys(provider: ChallengeProvider): boolean {
    const { environment, logger } = this.#options
    const passes = environment === 'development'
    if (passes) logger.warn({}, `${missingKeys(provider)}. In development, forms are accepted without them.`)
    else logger.error({}, `${missingKeys(provider)}. A form with this protection was refused.`)
    return passes
  }

  async #ask(
    provider: ChallengeProvider,
    keys: ChallengeKeys,
    token: string,
    ip: string,
  ): Promise<ChallengeResult | { readonly failure: string }> {
    const end = this.#options.begin(ip)
    if (end === null) return { failure: 'too many forms of this visitor, or of all visitors, are being verified' }
    try {
      const form = { secret: keys.secret, response: token, remoteip: ip, sitekey: keys.site }
      const { urls, timeout = 5_000 } = this.#options
      return await askProvider(provider.addresses(urls).verify, form, timeout)
    } finally {
      end()
    }
  }
}

function missingKeys({ name, siteKey, secretKey }: ChallengeProvider): string {
  return `${name} has no keys: set the constants ${siteKey} and ${secretKey}`
}

function tokenOf(params: Readonly<Record<string, unknown>>, field: string): string | null {
  const value = Object.hasOwn(params, field) ? params[field] : null
  return typeof value === 'string' && value !== '' && value.length <= MAX_TOKEN_LENGTH ? value : null
}

/** Rejects a token that was created for another form of the site. */
function meetsProtection(
  { score, action: given }: ChallengeResult,
  action: string | null,
  minimumScore: number,
): boolean {
  return score !== null && score >= minimumScore && given === action
}

/** Errors that a visitor cannot cause. */
function keyErrors({ codes }: ChallengeResult): readonly string[] {
  return codes
    .filter((code) => /secret|sitekey/.test(code))
    .map((code) => code.slice(0, 60))
    .slice(0, 5)
}
