/** Tests sent templates: they are rendered with the served site, within the limits of a page. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createToken } from '../../../../server/data/store/tokens.ts'
import { type InstanceSetup, type Instance, openInstanceSetup, siteZip } from './instance-setup.ts'

const SITE = {
  'app/views/pages/index.liquid': 'home',
  'app/views/partials/greeting.liquid': 'Hello {{ name }}!',
  'app/views/partials/deep.liquid': "{% include 'greeting', name: 'deep' %}{{ 'x' | parse_json }}",
  'app/views/partials/picks.liquid': "{% include pick, name: 'Cy' %}",
  'app/views/partials/noted.liquid': "{% log n, type: 'noted' %}",
  'app/translations/en.yml': 'en:\n  hello: Hello in English\n',
  'app/translations/pl.yml': 'pl:\n  hello: Hello in Polish\n',
  'app/graphql/item.graphql':
    'mutation item($n: Int!) { record_create(record: { table: "item", properties: [{ name: "n", value_int: $n }] }) { id } }',
  'app/graphql/items.graphql':
    'query items { records(per_page: 10, filter: { table: { value: "item" } }) { total_entries } }',
  'app/schema/item.yml': 'name: item\nproperties:\n  - name: n\n    type: integer\n',
  'app/assets/a.css': 'a {}',
}

let ground: InstanceSetup
let instance: Instance

beforeAll(async () => {
  ground = await openInstanceSetup()
  instance = await ground.open('exec', { INGOT_JOB_MEMORY: '64', INGOT_JOB_THREADS: '1' })
  expect(await instance.deploy(siteZip(SITE))).toMatchObject({ status: 'success' })
})
afterAll(() => ground?.clean())

async function exec(content: unknown, token?: string): Promise<{ status: number; body: object }> {
  return instance.ask('POST', 'liquid_exec', { content }, token)
}
const printed = (result: string) => ({ status: 200, body: { result, error: null } })
const failed = (error: unknown) => ({ status: 200, body: { result: null, error } })

describe('a template', () => {
  it('prints text, as it is', async () => {
    expect(await exec('{% assign a = 2 | times: 21 %}{{ a }} <b>&</b> {{ "<i>" }}')).toEqual(printed('42 <b>&</b> <i>'))
    expect(await exec('')).toEqual(printed(''))
    expect(await exec('---\nslug: x\n---\ntext')).toEqual(printed('---\nslug: x\n---\ntext'))
  })

  it('has the partials, queries, translations and data of the site', async () => {
    expect(await exec("{% include 'greeting', name: 'Ada' %}")).toEqual(printed('Hello Ada!'))
    expect(await exec("{{ 'hello' | t }}{{ context.language }}")).toEqual(printed('Hello in Englishen'))
    expect(await exec("{% context language: 'pl' %}{{ 'hello' | t }}")).toEqual(printed('Hello in Polish'))
    expect(await exec("{{ 0 | l: '%H:%M %Z' }}")).toMatchObject({ status: 200 })
    const text = "{% graphql made = 'item', n: 5 %}{% graphql found = 'items' %}{{ found.records.total_entries }}"
    expect(await exec(text)).toEqual(printed('1'))
    expect(await exec("{{ 'a.css' | asset_url }}")).toMatchObject({
      body: { result: expect.stringContaining('a.css'), error: null },
    })
  })

  it('has also what a computed name means, in its own text and in what it calls', async () => {
    expect(await exec("{% assign which = 'greeting' %}{% include which, name: 'Bo' %}")).toEqual(printed('Hello Bo!'))
    expect(await exec("{% include context.params.none %}{% include 'picks', pick: 'greeting' %}")).toEqual(
      failed(expect.any(String)),
    )
    expect(await exec("{% include 'picks', pick: 'greeting' %}")).toEqual(printed('Hello Cy!'))
    const names = '{ admin_liquid_partials(per_page: 9, sort: [{ path: { order: ASC } }]) { results { path } } }'
    expect(
      await exec(`{% graphql g %}${names}{% endgraphql %}{{ g.admin_liquid_partials.results | map: 'path' | join }}`),
    ).toEqual(printed('deep greeting noted picks'))
  })

  it('keeps nothing for the next one', async () => {
    await exec('{% assign mine = 1 %}{% increment n %}{% export mine, namespace: "kept" %}')
    expect(await exec('{{ mine }}{{ n }}{{ context.exports.kept.mine }}')).toEqual(printed(''))
  })

  it('sees a deploy that was made meanwhile', async () => {
    const files = { ...SITE, 'app/views/partials/greeting.liquid': 'Good day {{ name }}!' }
    expect(await instance.deploy(siteZip(files))).toMatchObject({ status: 'success' })
    await expect
      .poll(async () => (await exec("{% include 'greeting', name: 'Ada' %}")).body)
      .toEqual({ result: 'Good day Ada!', error: null })
  })

  it('queues jobs that run: its own blocks, those in them, and partials that nothing else runs later', async () => {
    const text = [
      "{% background n: 7 %}{% log n, type: 'own' %}{% background m: n %}{% log m, type: 'inner' %}{% endbackground %}{% endbackground %}",
      "{% background job = 'noted', n: 8 %}{% background n: 9, max_attempts: 1 %}{% log 'before', type: 'bad' %}{{ n | parse_json }}",
      "{% function x = 'noted', n: 1 %}{{ context.params.none | default: '{' | parse_json }}{% endbackground %}queued",
    ].join('\n')
    expect(await exec(text)).toMatchObject({ body: { result: expect.stringContaining('queued') } })
    const { sql } = ground.ingot.database
    const logged = async () =>
      (await sql`select type, message from ingot.logs where type in ('own', 'inner', 'noted')`)
        .map(({ type, message }) => `${type} ${message}`)
        .toSorted()
    await expect.poll(logged).toEqual(['inner 7', 'noted 1', 'noted 8', 'own 7'])
    const why = async () => (await sql`select message from ingot.job_failures`).map(({ message }) => String(message))
    await expect.poll(why).toEqual(['unexpected end of JSON'])
    const [{ stack } = { stack: [] }] = await sql<{ stack: object[] }[]>`select stack from ingot.job_failures`
    expect(stack).toEqual([{ path: 'app/views/pages/liquid_exec.txt.liquid', line: 3 }])
  })

  it('is logged as the pages of the site are', async () => {
    await exec('{% log "from a sent template", type: "sent" %}')
    const { sql } = ground.ingot.database
    await expect
      .poll(async () => [...(await sql`select message from ingot.logs where type = 'sent'`)])
      .toEqual([{ message: 'from a sent template' }])
  })
})

describe('what is wrong is told by its line', () => {
  it('in what was sent', async () => {
    expect(await exec('one\n{% if %}')).toEqual(failed(expect.stringMatching(/^Line 2: /)))
    expect(await exec("\n\n{% include 'not_there' %}")).toEqual(failed(expect.stringMatching(/^Line 3: .*not_there/)))
    expect(await exec("one\ntwo {{ '{' | parse_json }}")).toEqual(failed(expect.stringMatching(/^Line 2: /)))
  })

  it('in what it calls', async () => {
    expect(await exec("{% include 'deep' %}")).toEqual(
      failed(expect.stringMatching(/^app\/views\/partials\/deep\.liquid:1: /)),
    )
  })

  it('in the request', async () => {
    for (const content of [undefined, 5, null, 'x'.repeat(1_000_001)]) expect((await exec(content)).status).toBe(422)
  })
})

describe('it cannot', () => {
  it('run on and on, or take all memory; the site answers meanwhile, and the next one runs', async () => {
    const endless = exec(
      '{% for i in (1..100000) %}{% for j in (1..100000) %}{% assign x = j %}{% endfor %}{% endfor %}',
    )
    expect(await instance.text('')).toBe('home')
    expect(await endless).toEqual(failed(expect.stringMatching(/^Line 1: .*(?:steps|time|seconds|long)/)))
    const large = "{% assign a = 'x' %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a | size }}"
    expect(await exec(large)).toEqual(failed(expect.stringMatching(/MB|memory|long|large|characters/)))
    expect(await exec('{{ 1 }}')).toEqual(printed('1'))
  })

  it('reach prototypes, the process or files', async () => {
    for (const text of [
      "{% assign s = '' %}{{ s.constructor }}{{ context.constructor }}{{ context['__proto__'] }}",
      "{% assign h = '{}' | parse_json %}{{ h.constructor.constructor }}{{ h['__proto__'] }}",
    ])
      expect(await exec(text)).toEqual(printed(''))
    expect(await exec("{% include '../../../../etc/passwd' %}")).toEqual(failed(expect.any(String)))
    expect(await exec("`${process.exit(1)}` {{ '${process.exit(1)}' }} \\u0060")).toEqual(
      printed('`${process.exit(1)}` ${process.exit(1)} \\u0060'),
    )
  })

  it('be sent with a token for something else', async () => {
    const { sql } = ground.ingot.database
    for (const scope of ['deploy', 'read', 'write'] as const)
      expect((await exec('x', (await createToken(sql, scope, scope)).token)).status).toBe(403)
    expect(await exec('x', (await createToken(sql, 'exec', 'exec')).token)).toEqual(printed('x'))
  })
})

it('many at once get each their own', async () => {
  const all = await Promise.all(Array.from({ length: 30 }, (_, n) => exec(`{% assign n = ${n} %}{{ n | times: 2 }}`)))
  expect(all).toEqual(all.map((_, n) => printed(String(n * 2))))
})

it('leaves nothing on the disk but the sites that were compiled', async () => {
  await exec('x')
  const folder = join(ground.home, 'data-exec', 'exec')
  const names = readdirSync(folder).flatMap((id) => readdirSync(join(folder, id)))
  expect(names.filter((name) => name.startsWith('sent-'))).toEqual([])
})
