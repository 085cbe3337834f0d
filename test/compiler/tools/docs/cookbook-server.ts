/** Serves the site of the cookbook as `ingot dev` does, with a real database and jobs, and sends requests like users and programs. */
import type { AddressInfo } from 'node:net'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { expect, vi } from 'vitest'
import { COOKBOOK } from '../../../../compiler/tools/docs/cookbook/index.ts'
import { GUIDES } from '../../../../compiler/tools/docs/guides/index.ts'
import { documentedSite } from '../../../support/documented-site.ts'
import { product } from '../../../support/product.ts'

export interface Sent {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

/** A user of the site, whose program has a token. */
export interface User {
  readonly id: string
  readonly email: string
  readonly token: string
}

export interface Asking {
  readonly user?: User | undefined
  /** The fields of a form. */
  readonly fields?: Readonly<Record<string, string>> | readonly (readonly [string, string])[]
  readonly body?: string | FormData
  readonly headers?: Readonly<Record<string, string>>
}

/** A form of the REST API: with properties it creates a row, without them it deletes the row of the path. */
export interface Submitted {
  readonly form: string
  readonly user: User | undefined
  readonly properties?: Readonly<Record<string, string>>
}

/** A request that the stand-in of another server received. */
export interface Received {
  readonly key: IncomingHttpHeaders[string]
  readonly body: string
}

export interface Cookbook {
  readonly url: string
  /** The requests to `partner.example`. The first is answered with 500, the others with 200. */
  readonly received: readonly Received[]
  ask(method: string, path: string, asking?: Asking): Promise<Sent>
  /** Runs GraphQL with all rights. @throws Error for an answer with errors */
  graph(query: string, variables?: Readonly<Record<string, unknown>>): Promise<Record<string, never>>
  /** Creates a row, and returns its id. */
  row(table: string, properties: Readonly<Record<string, unknown>>): Promise<string>
  /** Sends a form of the REST API, as a program does. */
  submit(path: string, table: string, more: Submitted): Promise<Sent>
  user(email: string, ...roles: readonly string[]): Promise<User>
  close(): Promise<void>
}

/** Returns how often each status occurs. */
export function statuses(sent: readonly Sent[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { status } of sent) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Returns the items of the lists of a page, without those of the layout. */
export const items = ({ text }: Sent) =>
  [...text.slice(text.indexOf('<main')).matchAll(/<li>(.*?)<\/li>/gs)].map(([, item = '']) => item)

/** Returns the address of the link to the next page. */
export const nextOf = ({ text }: Sent) => /rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')

/** A page that queues the nightly work at once. */
const NIGHTLY = `---
method: post
---
{% background _ = 'schedules/nightly', max_attempts: 1, source_name: 'nightly by hand' %}
`

const API_TOKEN = 'token-of-the-cookbook'

export async function serveCookbook(): Promise<Cookbook> {
  const received: Received[] = []
  const partner = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      received.push({ key: request.headers['idempotency-key'], body })
      response.writeHead(received.length === 1 ? 500 : 200).end('{}')
    })
  })
  await new Promise<void>((resolve) => partner.listen(0, '127.0.0.1', resolve))
  const { port } = partner.address() as AddressInfo // It listens on a port, not on a path.
  const ingot = product()
  const files = { ...documentedSite([...GUIDES, ...COOKBOOK]), 'app/views/pages/nightly.liquid': NIGHTLY }
  const { url } = await ingot.serve(['dev', ingot.folder(files)], {
    env: {
      INGOT_API_TOKEN: API_TOKEN,
      INGOT_JOB_THREADS: '2',
      INGOT_OUTGOING_STAND_IN: `https://partner.example=http://127.0.0.1:${port}`,
    },
  })

  async function ask(method: string, path: string, { user, fields, body, headers = {} }: Asking = {}): Promise<Sent> {
    const pairs = fields === undefined ? undefined : Array.isArray(fields) ? fields : Object.entries(fields)
    const sent = body ?? (pairs === undefined ? undefined : new URLSearchParams(pairs as [string, string][]))
    const reply = await fetch(new URL(path, url), {
      method,
      redirect: 'manual',
      headers: { ...(user !== undefined && { authorization: `Bearer ${user.token}` }), ...headers },
      ...(sent !== undefined && { body: sent }),
    })
    return { status: reply.status, text: await reply.text(), headers: reply.headers }
  }

  async function graph(query: string, variables: Readonly<Record<string, unknown>> = {}) {
    const headers = { authorization: `Token ${API_TOKEN}`, 'content-type': 'application/json' }
    const { text } = await ask('POST', '/api/graph', { headers, body: JSON.stringify({ query, variables }) })
    const answer = JSON.parse(text) as { data: Record<string, never>; errors?: unknown }
    if (answer.errors !== undefined) throw new Error(text)
    return answer.data
  }

  async function row(table: string, properties: Readonly<Record<string, unknown>>): Promise<string> {
    const made: { made?: readonly { id: string }[] } = await graph(
      'mutation ($records: [RecordsCreateInputType!]!) { made: records_create_rc(records: $records) { id } }',
      { records: [{ table, properties }] },
    )
    return made.made?.[0]?.id ?? ''
  }

  // The server listens before the site is built.
  await vi.waitFor(async () => expect((await ask('GET', '/about')).status).toBe(200), {
    timeout: 120_000,
    interval: 100,
  })
  return {
    url,
    received,
    ask,
    graph,
    row,
    submit: (path, table, { form, user, properties }) =>
      ask(properties === undefined ? 'DELETE' : 'POST', path, {
        user,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          form_name: form,
          parent_resource_id: table,
          form: { model_schema_name: table, properties },
        }),
      }),
    async user(email, ...roles) {
      const { made } = await graph(
        `mutation ($email: String!, $roles: [String]) {
          made: user_create(user: { email: $email, properties: [{ name: "roles", value_array: $roles }] }) { id }
        }`,
        { email, roles },
      )
      const { id } = made as unknown as { id: string } // The query selects the id.
      const { token } = await graph('mutation ($id: ID!) { token: user_token_create(user_id: $id) { token } }', { id })
      return { id, email, ...(token as unknown as { token: string }) } // The query selects the token.
    },
    async close() {
      await ingot.clean()
      await new Promise((resolve) => partner.close(resolve))
    },
  }
}
