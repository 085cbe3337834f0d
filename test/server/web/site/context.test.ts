/** `context` in each kind of file, in a real site. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONTEXT_FIELDS } from '../../../../compiler/language/types/context.ts'
import type { Type } from '../../../../compiler/core/model/type.ts'
import { ABSENT_IN_BACKGROUND, type BackgroundKind } from '../../../../runtime/page/background-context.ts'
import type { Scope } from '../../../../runtime/page/site.ts'
import { isHash } from '../../../../runtime/page/values/hash.ts'
import type { Reply, Request } from '../../../../server/web/http/message.ts'
import { jobContext } from '../../../../server/operate/jobs/task/context.ts'
import { createBareContext } from '../../../../server/web/site/context.ts'
import { parseUserAgent } from '../../../../server/web/site/device.ts'
import { bodyText } from '../../../support/built-site.ts'
import { type ServedFiles, servedFiles } from '../../../support/served-files.ts'

const FIELDS = Object.keys(CONTEXT_FIELDS)
/** Prints each field as JSON, one on each line. */
const EACH = FIELDS.map((name) => `${name}={% print context.${name} | json %}`).join('\n')

const SITE = {
  'app/views/pages/done.liquid': 'done',
  'app/views/pages/seen.liquid': `---
slug: seen/:id
layout: shell
metadata:
  title: Seen
  tags: [a, b]
authorization_policies: [witness]
---
PAGE
${EACH}
END
{% render 'each' %}{% include 'each' %}{% function of_function = 'each_function' %}{% print of_function %}
POLICY
{% print context.exports.policy.seen %}
END
{% include_form 'dish' %}`,
  'app/views/pages/seen_post.liquid': `---
slug: seen/:id
method: post
layout: ''
---
PAGE
${EACH}
END`,
  'app/views/pages/whole.liquid': `---
layout: ''
---
{% print context | json %}|{% print context.headers | json %}|{{ context.session | json }}|{% print context %}`,
  'app/views/pages/secrets.json.liquid': `---
layout: ''
---
{% session basket = 'full' %}
{
  "id": {{ context.session.session_id | json }},
  "again": {{ context.session.session_id | json }},
  "token": {{ context.session._csrf_token | json }},
  "authenticity": {{ context.authenticity_token | json }},
  "session": {{ context.session | json }},
  "constant": {{ context.constants.API_KEY | json }},
  "moduled": {{ context.constants["modules/shop/KEY"] | json }},
  "cookie": {{ context.cookies.theme | json }},
  "auth": {{ context.headers.HTTP_AUTHORIZATION | json }},
  "api": {{ context.headers.HTTP_API_KEY | json }},
  "unknown": {{ context.presigned_upload | json }}
}`,
  'app/views/pages/signs.liquid': `---
layout: ''
---
{% graphql made = 'make' %}{% liquid
  assign before = context.session.session_id
  sign_in user_id: made.user_create.id
%}{{ before }} {{ context.session.session_id }} {{ context.current_user.email }} {{ context.current_user.slug }}`,
  'app/views/pages/own.liquid': `---
layout: ''
---
{% session session_id = 'mine' %}{{ context.session.session_id }} {{ context.session | json }}`,
  'app/graphql/make.graphql':
    'mutation make { user_create(user: { email: "ada@example.com", password: "correct horse battery" }) { id } }',
  'app/views/layouts/shell.liquid': `{{ content_for_layout }}\nLAYOUT\n${EACH}\nEND`,
  'app/views/partials/each.liquid': `PARTIAL\n${EACH}\nEND\n`,
  'app/lib/each_function.liquid': `{% capture text %}FUNCTION\n${EACH}\nEND{% endcapture %}{% return text %}`,
  'app/authorization_policies/witness.liquid': `---
name: witness
---
{% capture seen %}${EACH}{% endcapture %}{% export seen, namespace: 'policy' %}true`,
  'app/schema/dish.yml': 'name: dish\nproperties:\n  - name: title\n',
  'app/forms/dish.liquid': `---
name: dish
resource: dish
resource_owner: anyone
fields:
  properties:
    title:
      validation: { presence: true }
---
FORM
${EACH}
END`,
  'app/views/pages/order.liquid': `---
layout: ''
---
{% include_form 'order' %}`,
  'app/forms/order.liquid': `---
name: order
resource: dish
resource_owner: anyone
fields:
  properties:
    title:
      validation: { presence: true }
redirect_to: "/done?host={{ context.location.host }}&path={{ context.location.pathname }}&method={{ context.headers.REQUEST_METHOD }}&valid={{ context.csrf_request_valid }}&ip={{ context.visitor.ip }}&page={{ context.page | json }}&name={{ context.params.form_name }}&same={% if context.session.session_id == context.params.known %}yes{% endif %}"
---
{% form %}<input name="known" value="{{ context.session.session_id }}"><input name="form[properties_attributes][title]" value="Soup">{% endform %}`,
  'modules/shop/public/views/partials/cart.liquid': 'cart',
  'modules/blog/public/lib/posts.liquid': '{% return 1 %}',
  'modules/old/private/graphql/all.graphql': 'query all { users(per_page: 1) { results { id } } }',
  'modules/bare/public/views/pages/bare.liquid': 'bare',
}

const BESIDE = {
  'modules/shop/pos-module.json': JSON.stringify({ name: 'The shop', machine_name: 'shop', version: '2.1.0' }),
  'modules/blog/template-values.json': JSON.stringify({ name: 'Blog', machine_name: 'blog', version: '0.3.9' }),
  'modules/bare/pos-module.json': '{ broken',
  'app/pos-modules.lock.json': JSON.stringify({ modules: { old: '1.0.0', shop: '9.9.9' } }),
}

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

const ASKED: Partial<Request> = {
  host: 'shop.example:8080',
  ip: '203.0.113.7',
  headers: {
    'user-agent': CHROME,
    'x-requested-with': 'XMLHttpRequest',
    'x-forwarded-for': '203.0.113.7',
    referer: 'http://elsewhere.example/',
    cookie: 'theme=dark; __proto__=x; half=%zz',
    'accept-language': 'de',
  },
}

/** Returns what `EACH` printed between a mark and its end, by field. */
function seenBy(reply: Reply, mark: string): Record<string, unknown> {
  const text = new RegExp(`^${mark}\n([^]*?)\nEND`, 'm').exec(bodyText(reply))?.[1] ?? ''
  return Object.fromEntries(
    text.split('\n').map((line) => {
      const equals = line.indexOf('=')
      return [line.slice(0, equals), JSON.parse(line.slice(equals + 1) || 'null') as unknown]
    }),
  )
}

let site: ServedFiles

beforeAll(async () => {
  site = await servedFiles(SITE, {
    constants: { API_KEY: 'hush', 'modules/shop/KEY': 'shush' },
    additionalFiles: BESIDE,
  })
})
afterAll(() => site?.close())

describe('in a page, context', () => {
  let seen: Record<string, unknown>
  beforeAll(async () => {
    seen = seenBy(await site.get('/seen/7?a[b]=1&list[]=x&list[]=y&id=9&size=big', ASKED), 'PAGE')
  })

  it('complains about nothing', () => expect(site.loggedProblems).toEqual([]))

  it.each([
    ['params', expect.objectContaining({ a: { b: '1' }, list: ['x', 'y'], id: '7', size: 'big', slug: 'seen' })],
    ['post_params', ''],
    ['current_user', null],
    ['session', {}],
    ['flash', {}],
    [
      'location',
      {
        href: 'http://shop.example:8080/seen/7?a[b]=1&list[]=x&list[]=y&id=9&size=big',
        url: '/seen/7?a[b]=1&list[]=x&list[]=y&id=9&size=big',
        host: 'shop.example:8080',
        pathname: '/seen/7',
        search: { a: { b: '1' }, list: ['x', 'y'], id: '9', size: 'big' },
      },
    ],
    [
      'page',
      {
        id: 'seen',
        slug: 'seen/:id',
        layout: 'shell',
        layout_name: 'shell',
        enable_profiler: false,
        metadata: { title: 'Seen', tags: ['a', 'b'] },
      },
    ],
    [
      'headers',
      expect.objectContaining({
        SERVER_NAME: 'shop.example',
        SERVER_PORT: '8080',
        REQUEST_METHOD: 'GET',
        PATH_INFO: '/seen/7',
        HTTP_USER_AGENT: CHROME,
        HTTP_REFERER: 'http://elsewhere.example/',
        'X-FORWARDED-FOR': '203.0.113.7',
        HTTP_X_FORWARDED_FOR: '203.0.113.7',
      }),
    ],
    ['cookies', { theme: 'dark', half: '%zz' }],
    ['environment', 'production'],
    ['language', 'en'],
    ['csrf_request_valid', true],
    ['is_xhr', true],
    ['useragent', CHROME],
    [
      'device',
      {
        bot: false,
        bot_name: null,
        device_brand: null,
        device_name: null,
        device_type: 'desktop',
        full_version: '131.0.0.0',
        known: true,
        name: 'Chrome',
        os_name: 'Windows',
        os_full_version: '10.0',
      },
    ],
    ['visitor', { ip: '203.0.113.7' }],
    [
      'instance',
      {
        id: 1,
        uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        name: expect.any(String),
      },
    ],
    ['version', '0.1.0'],
    ['hcaptcha_site_key', null],
    ['layout', { metadata: {} }],
  ] as const)('has %s', (name, wanted) => {
    expect(seen[name]).toEqual(wanted)
  })

  it('has the time zones as JSON texts', () => {
    const zones = (seen['globals'] as { time_zones: { all: string; us_zones: string } }).time_zones
    const all = JSON.parse(zones.all) as string[]
    expect(all.length).toBeGreaterThan(300)
    for (const zone of ['UTC', ...(JSON.parse(zones.us_zones) as string[])]) expect(all).toContain(zone)
  })

  it('has the modules, with the versions that their files tell', () => {
    const facts = (name: string, scope: string, version: string | null) => ({
      name,
      scope_name: scope,
      version,
      version_info: version === null ? null : { version_name: version },
      subscription_info: null,
    })
    expect(seen['modules']).toEqual({
      bare: facts('bare', 'bare', null),
      blog: facts('Blog', 'blog', '0.3.9'),
      old: facts('old', 'old', '1.0.0'),
      shop: facts('The shop', 'shop', '2.1.0'),
    })
  })

  it('has the constants, and a token of its own for each answer', async () => {
    expect(seen['constants']).toEqual({ API_KEY: 'hush', 'modules/shop/KEY': 'shush' })
    const again = seenBy(await site.get('/seen/7', ASKED), 'PAGE')
    expect(seen['authenticity_token']).toMatch(/^[\w-]{86}$/)
    expect(again['authenticity_token']).not.toBe(seen['authenticity_token'])
  })

  it('has the body of a request as it came, and what is no GET is not valid without a token', async () => {
    const reply = await site.get('/seen/7', {
      method: 'POST',
      body: new TextEncoder().encode('{"a": {"b": 1}, "id": 3}'),
      headers: { 'content-type': 'application/json' },
    })
    const posted = seenBy(reply, 'PAGE')
    expect(posted).toMatchObject({
      post_params: '{"a": {"b": 1}, "id": 3}',
      csrf_request_valid: false,
      is_xhr: null,
      current_user: null,
    })
    expect(posted['params']).toMatchObject({ a: { b: 1 }, id: '7' })
  })

  it('has what the types say', () => {
    for (const name of FIELDS) expect(misfit(seen[name], CONTEXT_FIELDS[name] as Type, name)).toBeNull()
  })
})

describe('other files of the request', () => {
  it.each(['LAYOUT', 'PARTIAL', 'FUNCTION', 'POLICY', 'FORM'])('%s sees the same', async (mark) => {
    const reply = await site.get('/seen/7?size=big', ASKED)
    const seen = seenBy(reply, mark)
    const page = seenBy(reply, 'PAGE')
    expect(Object.keys(seen)).toEqual(FIELDS)
    // The exports of the policy did not exist while it ran.
    for (const name of FIELDS.filter((each) => each !== 'exports')) expect(seen[name], name).toEqual(page[name])
  })
})

describe('a form that was sent', () => {
  it('has what its own request brings, and no page', async () => {
    const shown = await site.get('/order', {})
    const html = bodyText(shown)
    const fields = [...html.matchAll(/<input[^>]*>/g)].map(([input]): [string, string] => [
      /name="([^"]*)"/.exec(input)?.[1] ?? '',
      /value="([^"]*)"/.exec(input)?.[1] ?? '',
    ])
    const reply = await site.get(/action="([^"]*)"/.exec(html)?.[1] ?? '', {
      ...ASKED,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html',
        cookie: (shown.cookies ?? []).map((each) => each.split(';')[0]).join('; '),
      },
      body: new TextEncoder().encode(new URLSearchParams(fields).toString()),
    })
    expect(site.loggedProblems).toEqual([])
    const to = new URL(reply.headers['location'] ?? '', 'http://shop.example:8080')
    expect([reply.status, to.pathname]).toEqual([302, '/done'])
    expect(Object.fromEntries(to.searchParams)).toEqual({
      host: 'shop.example:8080',
      path: '/api/customizations',
      method: 'POST',
      valid: 'true',
      ip: '203.0.113.7',
      page: 'null',
      name: 'order',
      same: 'yes',
    })
  })
})

describe('what is secret', () => {
  const asked = {
    headers: { authorization: 'Basic aGVsbG8=', 'api-key': 'sesame', cookie: 'theme=dark', 'x-csrf-token': 'forged' },
  }

  it('answers by its name', async () => {
    const found = JSON.parse(bodyText(await site.get('/secrets.json', asked))) as Record<string, string>
    expect(found).toMatchObject({
      session: { basket: 'full' },
      constant: 'hush',
      moduled: 'shush',
      cookie: 'dark',
      auth: 'Basic aGVsbG8=',
      api: 'sesame',
      unknown: null,
    })
    expect(found['id']).toMatch(/^[0-9a-f]{32}$/)
    expect(found['again']).toBe(found['id'])
    expect(found['token']).toBe(found['authenticity'])
  })

  it('is not printed with the rest', async () => {
    const reply = await site.get('/whole', { headers: { ...asked.headers, 'x-plain': 'plain' } })
    const text = bodyText(reply)
    expect(text).toContain('production')
    expect(text).toContain('HTTP_X_PLAIN')
    for (const secret of [
      'hush',
      'shush',
      'theme',
      'aGVsbG8',
      'sesame',
      'forged',
      'authenticity_token',
      'session_id',
      '_csrf_token',
    ])
      expect(text).not.toContain(secret)
    expect(reply.cookies ?? []).toEqual([])
  })
})

describe('the name of a session', () => {
  it('stays the same in all requests of a visitor, and tells nothing of the cookie', async () => {
    const first = await site.get('/secrets.json', {})
    const cookies = first.cookies ?? []
    expect(cookies.length).toBeGreaterThan(0)
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ')
    const { id } = JSON.parse(bodyText(first)) as { id: string }
    const again = JSON.parse(bodyText(await site.get('/secrets.json', { headers: { cookie } }))) as { id: string }
    expect(again.id).toBe(id)
    for (const part of cookie.split(/[.;=\s]/)) {
      if (part.length < 8) continue
      expect(id).not.toBe(createHash('sha256').update(part).digest('hex').slice(0, 32))
      expect(cookie).not.toContain(id)
    }
    const stranger = JSON.parse(bodyText(await site.get('/secrets.json', {}))) as { id: string }
    expect(stranger.id).not.toBe(id)
  })

  it('is another one after a sign-in', async () => {
    const [before, after, email, slug] = bodyText(await site.get('/signs', {}))
      .trim()
      .split(' ')
    expect([email, slug]).toEqual(['ada@example.com', expect.any(String)])
    expect(after).toMatch(/^[0-9a-f]{32}$/)
    expect(after).not.toBe(before)
  })

  it('gives way to a field that the site writes', async () => {
    const text = bodyText(await site.get('/own', {}))
    expect(text.replaceAll('&quot;', '"').trim()).toBe('mine {"session_id":"mine"}')
  })
})

describe('outside of a request, context', () => {
  const host = {
    environment: 'staging',
    version: '0.1.0',
    siteName: 'shop',
    constants: () => ({ KEY: 'hush' }),
    modules: () => [{ name: 'Blog', scope_name: 'blog', version: '1.0.0' }],
  } as const

  it('has what a job needs, and nothing of a visitor', () => {
    const user = {
      id: '7',
      email: 'ada@example.com',
      name: null,
      first_name: 'Ada',
      last_name: null,
      slug: 'ada',
      external_id: null,
      language: 'de',
    }
    const context = createBareContext(host, { language: 'de', user, host: 'shop.example' })
    expect(context).toMatchObject({
      environment: 'staging',
      language: 'de',
      current_user: { id: '7' },
      location: { host: 'shop.example' },
      version: '0.1.0',
      modules: { blog: { version: '1.0.0' } },
      instance: { id: 1, name: 'shop' },
      exports: {},
    })
    expect(Object.keys(context['globals'] as object)).toEqual(['time_zones'])
    expect(surplus(context, 'notification')).toEqual([])
    expect(JSON.stringify(context)).not.toContain('hush')
    expect((context['constants'] as Record<string, string>)['KEY']).toBe('hush')
  })

  it('knows nobody where nobody asked', () => {
    expect(createBareContext(host)).toMatchObject({ current_user: null, language: 'en', params: {} })
    expect(createBareContext(host)).not.toHaveProperty('location')
    expect(surplus(createBareContext(host), 'migration')).toEqual([])
  })

  it('has in a job all but what is said to be absent there', () => {
    const context = jobContext(host, { host: 'shop.example', language: 'de', user: null, depth: 1 }, null)
    expect(surplus(context, 'job')).toEqual([])
    expect(Object.getOwnPropertyNames(context).sort()).toEqual(
      FIELDS.filter((name) => !ABSENT_IN_BACKGROUND.job.includes(name)).sort(),
    )
    expect(context['location']).toEqual({ host: 'shop.example' })
  })
})

describe('context.device', () => {
  it.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      {
        device_type: 'smartphone',
        device_brand: 'Apple',
        device_name: 'iPhone',
        os_name: 'iOS',
        os_full_version: '17.5',
        name: 'Safari',
        known: true,
      },
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UD1A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.39 Mobile Safari/537.36',
      {
        device_type: 'smartphone',
        device_brand: 'Google',
        device_name: 'Pixel 8',
        os_name: 'Android',
        os_full_version: '14',
      },
    ],
    [
      'Mozilla/5.0 (Linux; Android 13; SM-X200) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
      { device_type: 'tablet', device_brand: 'Samsung', device_name: 'SM-X200' },
    ],
    [
      'Mozilla/5.0 (PlayStation; PlayStation 5/6.00) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15',
      { device_type: 'console', device_brand: 'Sony', device_name: 'PlayStation' },
    ],
    [
      'Mozilla/5.0 (iPod touch; CPU iPhone OS 12_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.0 Mobile/15E148 Safari/604.1',
      { device_type: 'portable media player', device_brand: 'Apple', device_name: 'iPod' },
    ],
    [
      'Mozilla/5.0 (X11; GNU/Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chromium/79.0.3945.130 Chrome/79.0.3945.130 Safari/537.36 Tesla/2020.16.2.1',
      { device_type: 'car browser', os_name: 'GNU/Linux' },
    ],
    [
      'Mozilla/5.0 (Linux; Android 4.1.2; EK-GC100 Build/JZO54K) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30',
      { device_type: 'camera', device_brand: 'Samsung', device_name: 'EK-GC100' },
    ],
    [
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      { bot: true, bot_name: 'Googlebot', device_type: null, known: false },
    ],
    ['', { bot: false, device_type: null, device_name: null, known: false, name: null }],
    [`Mozilla/5.0 (Linux; Android ${'9'.repeat(100_000)}; ${'x'.repeat(100_000)}`, { bot: false, os_name: 'Android' }],
  ])('of %s', (userAgent, wanted) => {
    // Called once before the measurement, so that compilation on first use is not measured.
    expect(parseUserAgent(userAgent)).toMatchObject(wanted)
    const started = process.cpuUsage()
    parseUserAgent(userAgent)
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1000).toBeLessThan(50)
  })
})

/** Returns fields that exist although they are listed as absent. An empty hash counts as absent. */
function surplus(context: Scope, where: BackgroundKind): readonly string[] {
  return ABSENT_IN_BACKGROUND[where].filter((part) => {
    const [field = part, inner] = part.split('.')
    const value = context[field]
    const found = inner === undefined ? value : (value as Scope | undefined)?.[inner]
    return found !== undefined && !(isHash(found) && Object.keys(found).length === 0)
  })
}

/** Returns the path at which a value does not match its type; null when it matches. */
function misfit(value: unknown, type: Type, path: string): string | null {
  switch (type.kind) {
    case 'union':
      return type.members.some((each) => misfit(value, each, path) === null)
        ? null
        : `${path}: ${JSON.stringify(value)}`
    case 'nil':
      return value === null ? null : path
    case 'string':
      return typeof value === 'string' ? null : path
    case 'boolean':
      return typeof value === 'boolean' ? null : path
    case 'integer':
      return Number.isInteger(value) ? null : path
    case 'hash':
      if (typeof value !== 'object' || value === null) return path
      return (
        Object.entries(value)
          .map(([key, each]) => misfit(each, type.element, `${path}.${key}`))
          .find((each) => each !== null) ?? null
      )
    case 'record':
      if (typeof value !== 'object' || value === null) return path
      if (!type.open && Object.keys(value).some((key) => !type.fields.has(key))) return `${path}: ${Object.keys(value)}`
      return (
        [...type.fields]
          .map(([key, each]) =>
            misfit(
              (value as Record<string, unknown>)[key] ?? null,
              key in value ? each : { kind: 'nil' },
              `${path}.${key}`,
            ),
          )
          .find((each) => each !== null) ?? null
      )
    default:
      return null
  }
}
