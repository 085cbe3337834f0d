/** The parts of a site's module for work outside of the response: mails, text messages, API calls, jobs, migrations and the fingerprint. */
import { describe, expect, it } from 'vitest'
import { type Compiled, compile } from '../../../../compiler/compile.ts'
import { positionsOf } from '../../../../compiler/phases/emit/source-map.ts'
import { type Memo, Memory } from '../../../../compiler/core/model/memo.ts'
import { devEntry, devModule } from '../../../../compiler/tools/service/live-modules.ts'
import * as runtime from '../../../../runtime/index.ts'
import { sourceFiles } from '../../../support/case-file.ts'
import { siteOf } from '../../../support/emitted-code.ts'
import type { Files } from '../../../support/compiler/check.ts'

const PAGE = 'app/views/pages/index.liquid'

function partial(name: string, text: string): Files {
  return { [`app/views/partials/${name}.liquid`]: text }
}

function site(page: string, ...more: readonly Files[]): Files {
  return Object.assign({ [PAGE]: page }, ...more)
}

function compiled(files: Files, memo: Memo = new Memory(1), keepGoing = false): Compiled {
  return compile(
    sourceFiles(files, 'platform'),
    { dialect: 'platform', syntax: 'lax', keepGoing, openEntries: false, printAs: 'javascript' },
    memo,
  )
}

function built({ modules }: Compiled): runtime.CompiledSite {
  return siteOf(modules)
}

/** Returns the text of a setting, rendered with `form` and `data`. */
async function shown(setting: runtime.Setting | null, data: object): Promise<unknown> {
  if (setting?.kind !== 'liquid') return setting?.kind === 'plain' ? setting.value : setting
  return setting.render(render(), { form: data, data })
}

function render(): runtime.Render {
  const unused = {
    graphql: null,
    jobs: null,
    forms: null,
    sessions: null,
    accounts: null,
    challenge: null,
    cache: null,
  }
  const services = {
    ...{ ...unused, transactions: null, fetch: null },
    assets: { url: (path: string) => path },
    clock: { now: () => 0, timeZone: 'UTC' },
    random: { bytes: (count: number) => new Uint8Array(count), uuid: () => '' },
    log: { write() {} },
    locate() {},
  } satisfies runtime.Services
  return new runtime.Render(built(compiled(site('x'))), services, { context: { language: 'en', exports: {} } })
}

describe('the site that is built', () => {
  it('has its mails, texts and calls, whose Liquid is rendered', async () => {
    const { emails, smses, apiCalls } = built(
      compiled({
        ...site('x'),
        'app/views/layouts/mail.liquid': '{{ content_for_layout }}',
        'app/emails/notes/new.liquid': `---
to: '{{ form.email }}'
from: a@example.com
subject: "Hi {{ data.name }}"
reply_to: "{{ form.email }}"
cc: c@example.com
bcc: '{{ form.bcc }}'
layout: mail
delay: "{{ data.wait }}"
enabled: false
trigger_condition: '{% if data.name %}true{% endif %}'
locale: de
attachments: '{ "a.pdf": { "url": "{{ data.url }}" } }'
unique_args: { id: '{{ data.id }}' }
metadata: { a: 1 }
---
<p>{{ form.name }}</p>`,
        'app/smses/s.liquid': "---\nto: '+48123'\ncontent: 'Hi {{ data.name }}'\n---\n",
        'modules/pay/public/api_calls/hook.liquid':
          "---\nto: https://a.test\nrequest_type: '{{ data.method }}'\nrequest_headers: { A: '{{ data.name }}', B: b }\ncallback: '{{ response.status }}'\ndelay: 5\n---\n{{ data | json }}",
      }),
    )
    const data = { email: 'ada@example.com', name: '<Ada>', wait: 1.5, bcc: 'b', url: '/f', id: 7, method: 'PUT' }
    expect(Object.keys(emails)).toEqual(['notes/new'])
    const mail = emails['notes/new'] as runtime.EmailEntry
    expect(mail).toMatchObject({
      file: 'app/emails/notes/new.liquid',
      name: 'notes/new',
      enabled: false,
      layout: 'mail',
    })
    const { to, from, subject, replyTo, cc, bcc, delay, triggerCondition, locale, attachments } = mail
    const texts = [to, from, subject, replyTo, cc, bcc, delay, triggerCondition, locale, attachments]
    expect(await Promise.all(texts.map((text) => shown(text, data)))).toEqual([
      ...['ada@example.com', 'a@example.com', 'Hi <Ada>', 'ada@example.com', 'c@example.com', 'b', '1.5', 'true', 'de'],
      '{ "a.pdf": { "url": "/f" } }',
    ])
    expect(mail.uniqueArgs).toEqual({
      kind: 'map',
      entries: { id: { kind: 'liquid', render: expect.any(Function) } },
    })
    expect(await mail.render?.(render(), { form: data, data })).toBe('<p>&lt;Ada&gt;</p>')

    const text = smses['s'] as runtime.SmsEntry
    expect(text).toMatchObject({ to: { kind: 'plain', value: '+48123' }, enabled: true, delay: null })
    expect(await shown(text.content, data)).toBe('Hi <Ada>')

    const call = apiCalls['modules/pay/hook'] as runtime.ApiCallEntry
    expect(call).toMatchObject({ name: 'modules/pay/hook', delay: { kind: 'plain', value: '5' } })
    expect(await shown(call.requestType, data)).toBe('PUT')
    expect(call.requestHeaders).toMatchObject({ kind: 'map', entries: { B: { kind: 'plain', value: 'b' } } })
    expect(await call.render?.(render(), { form: { a: 'b' }, data: { a: 'b' } })).toBe('{"a":"b"}')
    const { callback } = call
    expect(callback?.kind === 'liquid' && (await callback.render(render(), { response: { status: 404 } }))).toBe('404')
  })

  it('has mails whose layout is known when they are sent', async () => {
    const found = compiled({
      ...site('x'),
      'app/views/layouts/old.liquid': 'old {{ content_for_layout }}',
      'modules/m/public/views/layouts/mail.liquid': '<p>{{ data.name }}</p>{{ content_for_layout }}',
      'modules/m/public/emails/any.liquid': '---\nto: a@b.c\nlayout: "{{ data.layout }}"\n---\nx',
      'app/emails/old.liquid': '---\nto: a@b.c\nlayout_path: layouts/old\n---\nx',
    })
    expect(found.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    const { emails, layouts } = built(found)
    const layout = emails['modules/m/any']?.layout
    expect(typeof layout === 'object' && (await shown(layout, { layout: 'modules/m/mail' }))).toBe('modules/m/mail')
    expect(await layouts['modules/m/mail']?.render(render(), { data: { name: 'A' } })).toBe('<p>A</p>')
    expect(emails['old']?.layout).toBe('old')
  })

  it('has notifications of several kinds by one name', () => {
    const files = {
      ...site('x'),
      'app/emails/m.liquid': '---\nto: a@example.com\n---\n',
      'app/smses/m.liquid': "---\nto: '+48123'\n---\nx",
      'app/api_calls/m.liquid': '---\nto: https://a.test\n---\n',
    }
    const { emails, smses, apiCalls } = built(compiled(files))
    expect([emails, smses, apiCalls].map((all) => Object.values(all).map(({ file }) => file))).toEqual([
      ['app/emails/m.liquid'],
      ['app/smses/m.liquid'],
      ['app/api_calls/m.liquid'],
    ])
  })

  it('a mail whose settings are refused has no body', () => {
    const { emails } = built(
      compiled({ ...site('x'), 'app/emails/m.liquid': '---\nsubject: x\n---\nx' }, new Memory(1), true),
    )
    expect(emails['m']).toMatchObject({ to: null, render: null })
    const lost = compiled(
      { ...site('x'), 'app/emails/m.liquid': '---\nto: a@b.c\nlayout: nope\n---\nx' },
      new Memory(1),
      true,
    )
    expect(lost.diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(['warning missing-layout'])
    expect(built(lost).emails['m']?.layout).toBeNull()
  })

  it('has what jobs can name: partials, blocks, and for a computed name all that it can mean', () => {
    const { jobs, partials } = built(
      compiled(
        site(
          `{% background a = 'one' %}{{ a }}{% background %}{% background b = 'two' %}{{ b }}{% endbackground %}{% assign n = 'dyn/' | append: context.params.n %}{% background c = n %}{{ c }}{% render 'three' %}`,
          partial('one', 'x'),
          partial('two', 'x'),
          partial('three', `{% background %}x{% endbackground %}`),
          partial('nobody', `{% background d = 'one' %}{{ d }}{% background %}x{% endbackground %}`),
          partial('dyn/a', 'x'),
          partial('dyn/b', 'x'),
        ),
      ),
    )
    expect(Object.fromEntries(Object.entries(jobs).map(([name, { file }]) => [name, file]))).toEqual({
      [`${PAGE}#background:1`]: PAGE,
      'app/views/partials/three.liquid#background:1': 'app/views/partials/three.liquid',
      one: 'app/views/partials/one.liquid',
      two: 'app/views/partials/two.liquid',
    })
    expect(Object.keys(partials).toSorted()).toEqual(['dyn/a', 'dyn/b'])
    for (const { render: entryPoint } of [...Object.values(jobs), ...Object.values(partials)])
      expect(entryPoint).toBeInstanceOf(Function)
  })

  it('has what computed names can call: below a theme whatever ends so, and all where something else may set the name', () => {
    const named = (page: string, ...more: readonly Files[]) =>
      Object.keys(built(compiled(site(page, ...more))).partials).toSorted()
    const both = [
      partial('cards/tea', 'x'),
      partial('dark/cards/tea', 'x'),
      partial('cards/mug', 'x'),
      partial('tea', 'x'),
    ]
    const name = "{% assign n = 'cards/t' | append: context.params.n %}"
    expect(named(`${name}{% function r = n %}{{ r }}`, ...both)).toEqual(['cards/tea'])
    expect(named(`${name}{% theme_render_rc n %}`, ...both)).toEqual(['cards/tea', 'dark/cards/tea'])
    const sets = partial('sets', "{% assign n = 'cards/mug' %}")
    expect(named(`${name}{% include 'sets' %}{% function r = n %}{{ r }}`, ...both, sets)).toHaveLength(5)
    expect(named(`${name}{% include 'sets', n: 1 %}{% function r = n %}{{ r }}`, ...both, sets)).toEqual(['cards/tea'])
    const maybe = `{% if context.params.n %}${name}{% endif %}{% function r = n %}{{ r }}`
    expect(named(`{% render 'maybe', n: 'tea' %}`, ...both, partial('maybe', maybe))).toHaveLength(5)
    const surely = `{% if context.params.n %}${name}{% else %}{% assign n = 'cards/mug' %}{% endif %}{% function r = n %}{{ r }}`
    expect(named(`{% render 'surely', n: 'tea' %}`, ...both, partial('surely', surely))).toEqual([
      'cards/mug',
      'cards/tea',
    ])
  })

  it('blocks escape as their file does', async () => {
    const { jobs } = built(
      compiled({
        'app/views/pages/a.json.liquid': `{% background x: 1 %}{{ context.language | append: '<' }}{% endbackground %}`,
        'app/views/pages/b.liquid': `{% background x: 1 %}{{ context.language | append: '<' }}{% endbackground %}`,
      }),
    )
    const texts = Object.values(jobs).map((job) => job.render?.(render(), { x: 1 }))
    expect(await Promise.all(texts)).toEqual(['en<', 'en&lt;'])
  })

  it('has its migrations in the order of their times', () => {
    const { migrations } = built(
      compiled({
        ...site('x'),
        'app/migrations/20260101000002_a.liquid': 'x',
        'app/migrations/20260101000001_z.liquid': 'x',
        'modules/m/public/migrations/20260101000001_b.liquid': 'x',
        'modules/m/public/migrations/20260101000003_c.liquid': 'x',
      }),
    )
    expect(migrations.map(({ timestamp, name }) => `${timestamp} ${name}`)).toEqual([
      '20260101000001 20260101000001_z',
      '20260101000001 modules/m/20260101000001_b',
      '20260101000002 20260101000002_a',
      '20260101000003 modules/m/20260101000003_c',
    ])
  })
})

describe('the fingerprint', () => {
  const files: Files = {
    ...site(`{{ 'a' | t }}`, partial('p', 'x')),
    'app/translations/en.yml': 'en:\n  a: x\n',
    'app/graphql/q.graphql': 'query { records(per_page: 1) { total_entries } }',
    'app/assets/a.css': 'a {}',
  }
  const of = (given: Files) => built(compiled(given)).fingerprint

  it('is the same for the same site, in any order', () => {
    const first = of(files)
    expect(first).toMatch(/^[0-9a-f]{16}$/)
    expect(of(Object.fromEntries(Object.entries(files).toReversed()))).toBe(first)
  })

  it('is another where a template, a translation or a query is, comes or goes', () => {
    const others = [
      { ...files, [PAGE]: `{{ 'a' | t }} ` },
      { ...files, ...partial('p', 'y') },
      { ...files, ...partial('q', '') },
      { ...files, 'app/translations/en.yml': 'en:\n  a: y\n' },
      { ...files, 'app/graphql/q.graphql': 'query { records(per_page: 2) { total_entries } }' },
      Object.fromEntries(Object.entries(files).filter(([path]) => !path.includes('partials'))),
      { ...files, 'app/views/partials/p.liquid': '', 'app/views/partials/x.liquid': 'x' },
    ]
    const all = [files, ...others].map(of)
    expect(new Set(all).size).toBe(all.length)
  })

  it('is not another for an asset', () => {
    expect(of({ ...files, 'app/assets/a.css': 'b {}' })).toBe(of(files))
  })
})

describe('remembering', () => {
  const start: Files = {
    ...site(
      `{% background j = 'p', a: 1 %}{{ j }}{% background a: 1 %}{% log a %}{% endbackground %}`,
      partial('p', '{% log a %}'),
      partial('q', '{% log a %}'),
    ),
    'app/emails/m.liquid': '---\nto: a@example.com\n---\nx',
  }
  const edits: readonly (readonly [path: string, text: string])[] = [
    [PAGE, `{% background j = 'q', a: 1 %}{{ j }}{% background b: 1 %}{% log a %}{% endbackground %}`],
    ['app/views/partials/p.liquid', '{% background x: 1 %}{% log x %}{% endbackground %}'],
    [PAGE, `{% background %}{% background a: 1 %}{% log a %}{% endbackground %}{% endbackground %}{% render 'p' %}`],
    ['app/views/partials/q.liquid', '{% log context.page.id %}{% rollback %}'],
    [PAGE, `{% transaction %}{% background j = 'q' %}{{ j }}{% endtransaction %}`],
    ['app/emails/m.liquid', '---\nto: b@example.com\nsubject: "{{ form.x }}"\n---\nx'],
  ]

  it('gives what compiling anew gives, whatever was edited before', () => {
    const memo = new Memory()
    const files: Record<string, string> = { ...start }
    const compare = () => {
      const [kept, fresh] = [compiled(files, memo, true), compiled(files, new Memory(1), true)]
      expect(kept.diagnostics).toEqual(fresh.diagnostics)
      expect(kept.modules.map((module) => [module.path, module.body.text])).toEqual(
        fresh.modules.map((module) => [module.path, module.body.text]),
      )
    }
    compare()
    for (const [path, text] of edits) {
      files[path] = text
      compare()
    }
  })

  it('a saved template makes no other manifest, and another fingerprint', () => {
    const memo = new Memory()
    const texts = (files: Files) =>
      new Map(compiled(files, memo).modules.map((module) => [module.path, module.body.text]))
    const before = texts(start)
    const after = texts({ ...start, ...partial('p', '{% log a %}{% log a %}') })
    const changed = [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path)
    expect(changed).toEqual(['app/views/partials/p.ts', 'fingerprint.ts'])
  })

  it('development swaps the code of jobs and the fingerprint below the site that it has', async () => {
    const memo = new Memory()
    const before = compiled(start, memo).modules
    const places = positionsOf(sourceFiles(start, 'platform'))
    const { code } = devEntry(before, '/site/.ingot/dev/site.mjs', '/site', places)
    const entry = await imported<{
      default: (of: typeof runtime) => runtime.CompiledSite
      swap: (path: string, namespace: unknown) => runtime.CompiledSite | undefined
    }>(code)
    const live = entry.default(runtime)
    const [old, job, block] = [live.fingerprint, live.jobs['p'], live.jobs[`${PAGE}#background:1`]]
    const page = `{% background j = 'p', a: 1 %}{{ j }}{% background a: 1 %}<{{ a }}>{% endbackground %}`
    const files = { ...start, [PAGE]: page, ...partial('p', 'new {{ a }}') }
    for (const module of compiled(files, memo).modules.filter((each) => !before.includes(each))) {
      const known = before.find(({ path }) => path === module.path)
      if (known !== undefined && known.body.text === module.body.text) continue
      const path = `/site/.ingot/dev/${module.path}`
      expect(entry.swap(module.path, await imported(devModule(module, path, '/site', places)))).toBeUndefined()
    }
    expect(live.fingerprint).not.toBe(old)
    expect(await job?.render?.(render(), { a: 2 })).toBe('new 2')
    expect(await block?.render?.(render(), { a: 3 })).toBe('<3>')
  })
})

/** Imports a module with this code. */
function imported<Namespace>(code: string): Promise<Namespace> {
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`) as Promise<Namespace>
}
