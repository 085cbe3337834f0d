/** A site that shows and changes its sessions, and visitors with cookies who send requests over HTTP. */
import { setKey } from '../../../../runtime/page/values/hash.ts'
import { parseJson, toJson } from '../../../../runtime/page/values/json.ts'
import type { PolicyEntry } from '../../../../runtime/page/site.ts'
import type { Render } from '../../../../runtime/page/render.ts'
import { page, site } from '../../../support/server/site.ts'

/** What a page of the site prints about its visitor. */
export interface Seen {
  readonly user: { readonly id: string; readonly email: string } | null
  readonly session: Record<string, unknown>
  readonly flash: Record<string, string>
  readonly valid: boolean
  readonly language: string
  readonly token?: string
}

function seen(r: Render, more: object = {}): string {
  const { current_user: user, session, flash, csrf_request_valid: valid, language } = r.context
  return JSON.stringify({ user, session, flash, valid, language, ...more })
}

function param(r: Render, name: string): string {
  return String((r.context['params'] as Record<string, unknown>)[name] ?? '')
}

const text = (value: string) => ({ kind: 'plain', value }) as const

const policy = (name: string, more: Partial<PolicyEntry>): PolicyEntry => ({
  file: `app/authorization_policies/${name}.liquid`,
  name,
  render: (r) => (r.context['current_user'] === null ? 'false' : ' true '),
  redirectTo: null,
  flashAlert: text('Sign in first'),
  status: 403,
  ...more,
})

/** Performs the actions in the parameters of a request: `set.field=value`, `in=<user id>`, `out`, `say=text`. */
async function act(r: Render): Promise<string> {
  const params = r.context['params'] as Record<string, unknown>
  const port = r.port('sessions', 'session')
  for (const [name, value] of Object.entries(params)) {
    if (name.startsWith('set.')) port.set(name.slice(4), value)
  }
  if (param(r, 'in') !== '')
    await port.signIn(param(r, 'in'), param(r, 'minutes') === '' ? null : Number(param(r, 'minutes')))
  return seen(r)
}

const token = (r: Render): string => String(r.context['authenticity_token'])

export const SITE = site(
  [
    page('seen', { render: (r) => seen(r) }),
    page('plain', { render: () => 'nothing of anybody' }),
    page('token', { method: 'post', render: (r) => seen(r, { token: token(r) }) }),
    page('members-post', { method: 'post', policies: ['members'], render: (r) => seen(r) }),
    page('token', { render: (r) => seen(r, { token: token(r) }) }),
    page('tokens', { render: (r) => JSON.stringify([token(r), token(r)]) }),
    ...(['post', 'put', 'patch', 'delete'] as const).map((method) => page('act', { method, render: act })),
    page('act', { render: act }),
    page('html', { render: (r) => seen(r) }),
    page('quiet', { render: () => 'an HTML page that prints no message' }),
    page('members', { policies: ['members'], render: (r) => seen(r) }),
    page('secret', { policies: ['secret'], render: () => 'secret' }),
    page('403', { render: (r) => `refused: ${String((r.context['flash'] as Record<string, unknown>)['alert'])}` }),
    page('on', { redirect: { target: text('/html'), code: 302 }, render: () => '' }),
    page('dynamic', {
      dynamicCache: { key: null, expire: 60, layout: false },
      render: (r) => (param(r, 'form') === '' ? '' : token(r)) + seen(r),
    }),
    page('named', {
      dynamicCache: { key: text('ours'), expire: 60, layout: false },
      render: (r) => seen(r),
    }),
    page('static', {
      staticCache: 60,
      render: (r) =>
        `${param(r, 'form') === '' ? '' : token(r)} ${param(r, 'who') === '' ? '' : seen(r)} ${String(Math.random())}`,
    }),
    page('cached', {
      async render(r) {
        const held = param(r, 'held') === '' ? null : token(r)
        const cache = r.port('cache', 'cache')
        const variant = param(r, 'held') + param(r, 'cut')
        const inner = () =>
          cache.fragment(`inner ${variant}`, 60, async () => {
            return { text: `<i>${param(r, 'cut') === '' ? (held ?? token(r)) : token(r).slice(1)}</i>`, keep: true }
          })
        return cache.fragment(`outer ${variant}`, 60, async () => {
          return { text: `<b made="${Math.random()}">${await inner()}</b>`, keep: true }
        })
      },
    }),
    page('fails', {
      async render(r) {
        r.port('sessions', 'session').set('written', 'before the failure')
        throw new Error('as it must')
      },
    }),
    page('ordered', {
      render(r) {
        const stored = (r.context['session'] as Record<string, unknown>)['hash']
        const values = parseJson('{"zeta":1,"b":{"y":1.0,"x":[{"z":1,"a":2}]},"10":1,"2":2}')
        if (stored === undefined) r.port('sessions', 'session').set('hash', values)
        return toJson(stored ?? null)
      },
    }),
    page('bad', {
      render(r) {
        const nested = {}
        setKey(nested, '__proto__', { polluted: true })
        r.port('sessions', 'session').set('nested', nested)
        r.port('sessions', 'session').set('__proto__', { polluted: true })
        r.port('sessions', 'session').set('nul', 'a\0b\ud800\\u0000')
        return seen(r)
      },
    }),
  ],
  {
    policies: {
      members: policy('members', { redirectTo: text('/html') }),
      secret: policy('secret', {}),
    },
    translations: { en: {}, pl: {} },
  },
)

export interface Answered {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  readonly cookies: readonly string[]
  /** The parsed body of a page about its visitor. */
  readonly seen: Seen
}

/** A simple browser: it keeps cookies but follows no redirects. */
export class Visitor {
  readonly jar = new Map<string, string>()
  readonly #url: string

  constructor(url: string, cookies: Readonly<Record<string, string>> = {}) {
    this.#url = url
    for (const [name, value] of Object.entries(cookies)) this.jar.set(name, value)
  }

  get session(): string {
    return this.jar.get('_pos_session') ?? ''
  }

  async ask(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<Answered> {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(this.#url + path, {
      method,
      redirect: 'manual',
      headers: { accept: '*/*', ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(body === undefined ? {} : { body }),
    })
    const cookies = answer.headers.getSetCookie()
    for (const each of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      if (each.includes('Max-Age=0;')) this.jar.delete(name)
      else this.jar.set(name, value)
    }
    const text = await answer.text()
    return {
      status: answer.status,
      text,
      headers: answer.headers,
      cookies,
      get seen() {
        return JSON.parse(text) as Seen
      },
    }
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
    return this.ask('GET', path, headers)
  }

  /** Sends a form, with the token that the page at `/token` prints. */
  async form(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Answered> {
    const { seen } = await this.get('/token')
    return this.bare(path, { authenticity_token: seen.token ?? '', ...fields })
  }

  /** Sends a form without a token. */
  bare(
    path: string,
    fields: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return this.ask('POST', path, { ...type, ...headers }, new URLSearchParams(fields).toString())
  }
}
