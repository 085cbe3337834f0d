/** A site that signs in with a hostile provider, for tests of attacks. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { LogEntry } from '../../../../runtime/page/services.ts'
import type { LogOrigin } from '../../../../server/core/contracts/log.ts'
import type { OidcProvider } from '../../../../server/core/oidc-settings.ts'
import type { AccountsOptions } from '../../../../server/web/accounts/accounts.ts'
import { createSignInProviders, type SignInProviders } from '../../../../server/web/oidc/providers.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { type Browser, type Sent, type ServedForms, serveForms } from '../rest/support.ts'
import { type Behavior, type HostileProvider, hostileProvider, type Keys, newKeys, SITE } from './hostile-provider.ts'
import { CROSS, locationOf, OWN } from './journey.ts'

const FILES = { 'app/views/pages/who.liquid': '{{ context.current_user.email }}|{{ context.session.note }}' }

interface Ground {
  readonly database: TestDatabase
  readonly built: LiquidSite
  readonly evil: HostileProvider
  /** A provider that behaves well. */
  readonly other: HostileProvider
  /** Keys that no provider knows. */
  readonly foreignKeys: Keys
  /** What the log of the site has received. */
  readonly kept: { readonly entry: LogEntry; readonly origin: LogOrigin }[]
  providers: SignInProviders | null
  served: ServedForms
  /** The time of the server in milliseconds. */
  now: number
}

/** What the tests of a file share. `useHostileSite` fills it before the first test. */
export const ground = {} as Ground

/** Serves the site for all tests of a file. Each test begins without users. */
export function useHostileSite(): void {
  beforeAll(async () => {
    Object.assign(ground, {
      database: await testDatabase(),
      built: await liquidSite(FILES),
      evil: await hostileProvider(),
      other: await hostileProvider('honest'),
      foreignKeys: await newKeys(),
      kept: [],
      now: Date.now(),
    })
    await serve()
  })
  afterAll(async () => {
    await ground.served?.close()
    ground.providers?.close()
    await ground.evil?.close()
    await ground.other?.close()
    ground.built?.close()
    await ground.database?.close()
  })
  beforeEach(async () => {
    await ground.database.sql`truncate ingot.users, ingot.authentications, ingot.sessions, ingot.attempts cascade`
    ground.evil.behavior = {}
    ground.now = Date.now()
  })
  afterEach(() => {
    expect(ground.evil.faults.splice(0)).toEqual([])
  })
}

function provider(name: string, issuer: string): OidcProvider {
  const rest = { scopes: ['openid', 'email'], trustsEmail: true, responseMode: 'query' as const }
  return { name, issuer, clientId: SITE.id, clientSecret: SITE.secret, ...rest }
}

/** Serves the site with fresh providers, which know nothing about their configurations and keys. */
export async function serve(
  accounts: Partial<AccountsOptions> = { limits: { address: 1_000, account: 1_000, within: 900 } },
): Promise<void> {
  const { evil, other, built, database, kept } = ground
  await ground.served?.close()
  ground.providers?.close()
  const oidcProviders = [provider('evil', evil.issuer), provider('other', other.issuer)]
  const now = (): number => ground.now
  ground.providers = createSignInProviders({ oidcProviders, outgoing: [], timeout: 1_500, now })
  ground.served = await serveForms(built.loaded.site, database, {
    loaded: built.loaded,
    providers: ground.providers,
    log: {
      write: () => undefined,
      failed: () => undefined,
      keep: (entry, origin) => void kept.push({ entry, origin }),
    },
    accounts: { now, ...accounts },
  })
}

interface Journey {
  readonly browser: Browser
  readonly start: Sent
  /** The parameters of the good response. */
  readonly response: Record<string, string>
}

/** Begins a sign-in with the hostile provider. */
export async function setOut(path = '/auth/evil?return_to=/who', browser = ground.served.browser()): Promise<Journey> {
  const start = await browser.get(path, OWN)
  return { browser, start, response: ground.evil.receive(locationOf(start)) }
}

/** Comes back to the site with a response. */
export const back = (
  browser: Browser,
  response: Record<string, string> | URLSearchParams | string,
  name = 'evil',
): Promise<Sent> => browser.get(`/auth/${name}/callback?${new URLSearchParams(response).toString()}`, CROSS)

export const failure = (sent: Sent): string | null =>
  new URL(locationOf(sent), ground.served.url).searchParams.get('message')

/** Checks that nobody was signed in, that no user and no link was created, and that the visitor was told the reason. */
export async function refused(browser: Browser, sent: Sent, reason = 'invalid'): Promise<void> {
  const { sql } = ground.database
  expect([sent.status, failure(sent)]).toEqual([303, reason])
  expect(locationOf(sent)).toMatch(/^\/auth\/failure\?/)
  expect((await browser.get('/who')).text).toBe('|')
  expect(await sql`select from ingot.users`).toHaveLength(0)
  expect(await sql`select from ingot.authentications`).toHaveLength(0)
  expect(await sql`select from ingot.sessions where user_id is not null`).toHaveLength(0)
}

/** Goes through a whole sign-in with a provider that behaves in this way. */
export async function attempt(behavior: Behavior): Promise<{ readonly browser: Browser; readonly sent: Sent }> {
  ground.evil.behavior = behavior
  const { browser, response } = await setOut()
  return { browser, sent: await back(browser, response) }
}

/** Returns the last refusal in the log. */
export const lastLogged = (): string =>
  String(ground.served.logged.filter(({ msg }) => String(msg).includes('was refused')).at(-1)?.['msg'])
