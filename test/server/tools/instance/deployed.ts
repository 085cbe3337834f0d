/** A site on a server that accepts deployments, and API requests like those of the platform's command-line client. */
import { expect } from 'vitest'
import type { TokenScope } from '../../../../server/data/store/tokens.ts'
import { createToken } from '../../../../server/data/store/tokens.ts'
import type { Program } from '../../../support/server/program.ts'
import { openReleaseSetup, type ReleaseSetup } from '../../operate/releases/release-setup.ts'

export interface Deployed {
  readonly stage: ReleaseSetup
  readonly server: Program
  readonly url: string
  /** Sends a request; by default with a token of `admin`. */
  ask(method: string, path: string, more?: Asking): Promise<SiteFinding>
  token(scope: TokenScope): Promise<string>
  close(): Promise<void>
}

export interface Asking {
  readonly token?: string
  /** The fields of a form. */
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
}

export interface SiteFinding {
  readonly status: number
  // The tests check the contents of the response.
  readonly json: Record<string, unknown>
}

const ADMIN = 'token-of-the-environment'

/** Serves a site of these files. */
export async function deployed(
  name: string,
  files: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
): Promise<Deployed> {
  const stage = await openReleaseSetup(name)
  const place = { releases: `${stage.home}/releases`, site: stage.home, data: `${stage.home}/data` }
  await stage.activated(place, await stage.pushed(place, await stage.packed('site', files)))
  const server = stage.ingot.start(['serve', '--instance', stage.home], {
    INGOT_RELEASES: place.releases,
    INGOT_DATA: place.data,
    INGOT_API_TOKEN: ADMIN,
    ...variables,
  })
  const url = `http://127.0.0.1:${await server.port()}`
  return {
    stage,
    server,
    url,
    async ask(method, path, { token = ADMIN, form, json } = {}) {
      const body = form === undefined ? (json === undefined ? null : JSON.stringify(json)) : new FormData()
      if (body instanceof FormData) for (const [key, value] of Object.entries(form ?? {})) body.set(key, value)
      // Like the client, this repeats the slash after the server's address.
      const answer = await fetch(`${url}//api/${path}`, {
        method,
        body,
        headers: {
          authorization: `Token ${token}`,
          accept: '*/*',
          ...(json !== undefined && { 'content-type': 'application/json' }),
        },
      })
      const text = await answer.text()
      expect(text, `${method} ${path} answered ${answer.status}`).toMatch(/^[[{]/)
      return { status: answer.status, json: JSON.parse(text) as Record<string, unknown> }
    },
    token: async (scope) => (await createToken(stage.ingot.database.sql, scope, scope)).token,
    async close() {
      server.child.kill('SIGTERM')
      await server.exitCode
      await stage.clean()
    },
  }
}
