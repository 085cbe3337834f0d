/** A certified OpenID Connect provider that runs in the test. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider, { type AccountClaims, type Configuration } from 'oidc-provider'
import { closeServer, listenOn } from './journey.ts'

export interface RealProvider {
  readonly issuer: string
  /** What the provider says about each person, by id. Tests change it. */
  readonly people: Map<string, AccountClaims>
  /** The person who is at the browser; null refuses to sign in. */
  person: string | null
  /** Creates the provider, once the site's address is known. */
  begin(site: string, names: readonly string[], more?: Configuration): void
  close(): Promise<void>
}

export const CLIENT = { id: 'the-site', secret: 'a secret that only the site and the provider have' }

export async function realProvider(): Promise<RealProvider> {
  let handler: ((request: IncomingMessage, response: ServerResponse) => void) | null = null
  const server = createServer((request, response) => handler?.(request, response))
  const issuer = await listenOn(server)
  const real: RealProvider = {
    issuer,
    people: new Map(),
    person: null,
    begin(site, names, more = {}) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
            redirect_uris: names.map((name) => `${site}/auth/${name}/callback`),
            response_types: ['code'],
            grant_types: ['authorization_code'],
          },
        ],
        pkce: { required: () => true },
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['name', 'given_name', 'family_name'],
        },
        cookies: { keys: ['a key of the provider in this test'] },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        findAccount: (_context, id) => ({
          accountId: id,
          claims: () => ({ ...(real.people.get(id) ?? {}), sub: id }),
        }),
        async loadExistingGrant({ oidc }) {
          const grant = new oidc.provider.Grant({
            clientId: oidc.client?.clientId ?? '',
            accountId: oidc.session?.accountId ?? '',
          })
          grant.addOIDCScope('openid email profile')
          await grant.save()
          return grant
        },
        ...more,
      })
      // It warns that this is not encrypted.
      const answer = provider.callback()
      handler = (request, response) => {
        if (request.url?.startsWith('/interaction/') !== true) return void answer(request, response)
        const result =
          real.person === null
            ? { error: 'access_denied', error_description: '<script>alert(1)</script>' }
            : { login: { accountId: real.person } }
        void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
      }
    },
    close: () => closeServer(server),
  }
  return real
}
