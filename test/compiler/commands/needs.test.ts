/** `ingot check --dialect liquid --data`: what a folder of templates needs. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { main } from '../../../compiler/cli.ts'
import type { JsonDiagnostic } from '../../../compiler/core/diagnostics/json.ts'
import type { Needs } from '../../../compiler/core/diagnostics/needs.ts'
import { write } from '../../support/product.ts'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ingot-needs-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(home, { recursive: true, force: true })
})

/** Runs the command in a folder with these templates. */
async function run(files: Readonly<Record<string, string>>, ...options: readonly string[]) {
  write(home, { 'data.json': DATA, ...files })
  let out = ''
  let err = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text)
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text)
    return true
  })
  const paths = options.map((each) => each.replace('HOME', home))
  const code = await main(['check', '--dialect', 'liquid', ...paths, join(home, 'views')])
  vi.restoreAllMocks()
  return { code, out, err }
}

const DATA = JSON.stringify({
  user: { name: 'Ada', nick: null },
  items: [{ title: 'Tea' }, { title: 'Milk', price: 2 }],
  word: 'a',
})
const WITH_DATA = ['--data', 'HOME/data.json', '--format', 'json']

/** Returns each diagnostic as `code file:line:column`, with its hint. */
async function told(
  files: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<readonly string[]> {
  const { out, err } = await run(files, ...(options.length === 0 ? WITH_DATA : options))
  if (err !== '') return [err]
  const found = JSON.parse(out) as readonly JsonDiagnostic[]
  return found.map(({ code, file, line, column, hint }) => `${code} ${file}:${line}:${column} ${hint ?? ''}`.trimEnd())
}

describe('the data', () => {
  it('are what templates may read, with the properties that they have', async () => {
    const text =
      '{{ user.name }}{{ user.nmae }}\n{{ usr.name }}{% for i in items %}{{ i.price }}{{ i.tilte }}{% endfor %}{{ items.first.title }}'
    expect(await told({ 'views/a.liquid': text })).toEqual([
      'unknown-property a.liquid:1:24 Did you mean `name`?',
      'undefined-variable a.liquid:2:4 Did you mean `user`?',
      'unknown-property a.liquid:2:53 Did you mean `title`?',
    ])
  })

  it('are not what a template sets itself, and not needed where it only asks for them', async () => {
    const text =
      '{% assign own = 1 %}{% capture text %}{% endcapture %}{{ own }}{{ text }}{% increment n %}{% if asked %}{% endif %}'
    const { out } = await run({ 'views/a.liquid': text }, ...WITH_DATA)
    expect((JSON.parse(out) as readonly JsonDiagnostic[]).map((each) => `${each.severity} ${each.message}`)).toEqual([
      'info The variable `asked` is not in the data, and no template sets it.',
    ])
  })

  it('go with arguments into partials, whose names win', async () => {
    const card = '{{ word.title }}{{ word.tilte }}{{ other }}'
    const files = {
      'views/a.liquid': "{% for i in items %}{% render 'b/card', word: i %}{% endfor %}",
      'views/b/card.liquid': card,
    }
    expect(await told(files)).toEqual([
      'unknown-property b/card.liquid:1:25 Did you mean `title`?',
      'undefined-variable b/card.liquid:1:36 Add the variable to the data, or remove it here.',
    ])
  })

  it('stand beside all that an include may see', async () => {
    const files = {
      'views/a.liquid': "{% assign word = items %}{% for i in items %}{% include 'b' %}{% endfor %}",
      'views/b.liquid': '{{ word.anything }}{{ i.title }}{{ nowhere }}',
    }
    expect(await told(files)).toEqual([
      'undefined-variable b.liquid:1:36 Add the variable to the data, or remove it here.',
    ])
  })

  it.each([
    ['missing.json', /^There is no file '.*missing.json'/],
    ['bad.json', /bad.json' is not valid JSON: .*oops/],
    ['list.json', /list.json' does not contain an object. Write one object/],
    ['bad.yml', /bad.yml', line 1, column \d+: this is not valid YAML: .*$/],
    ['', /is not a file. Pass the path of a JSON or YAML file.$/],
  ])('in %s are refused in a sentence', async (name, words) => {
    const files = { 'views/a.liquid': '', 'bad.json': '{\n  "a": oops }', 'list.json': '[1]', 'bad.yml': 'a: [1' }
    const { code, err } = await run(files, '--data', `HOME/${name}`)
    expect({ code, err: err.trimEnd() }).toEqual({ code: 2, err: expect.stringMatching(words) })
  })

  it('may be YAML, and have any names', async () => {
    const files = {
      'views/a.liquid': '{{ user.name }}{{ constructor }}{{ user.constructor }}',
      'data.yml': 'user: { name: Ada }\n__proto__: { x: 1 }',
    }
    expect((await told(files, '--data', 'HOME/data.yml', '--format', 'json')).map((each) => each.slice(0, 34))).toEqual(
      ['undefined-variable a.liquid:1:19 A', 'unknown-property a.liquid:1:41 The'],
    )
  })
})

describe('what is told', () => {
  const theme = {
    'views/a.liquid':
      "{% section 'top' %}\n{{ 1 | money }}{{ 2 | money }}{% render 'gone' %}\n{% schema %}\n{ \"a\": {{ }\n{% endschema %}\n{{ usr }}",
    'views/b.liquid': '{{ 3 | money }}\n{% paginate items by 2 %}\n{{ nowhere }}\n{% endpaginate %}',
  }

  it('goes on behind a tag that is not there', async () => {
    const found = await told(theme)
    expect(found.map((each) => each.split(' ').slice(0, 2).join(' ')).sort()).toEqual([
      'missing-partial a.liquid:2:41',
      'undefined-variable a.liquid:6:4',
      'undefined-variable b.liquid:3:4',
      'unknown-filter a.liquid:2:23',
      'unknown-filter a.liquid:2:8',
      'unknown-filter b.liquid:1:8',
      'unknown-tag a.liquid:1:4',
      'unknown-tag a.liquid:3:4',
      'unknown-tag b.liquid:2:4',
    ])
  })

  it('is counted by name, as JSON', async () => {
    const { code, out } = await run(theme, ...WITH_DATA, '--needs')
    const needs = JSON.parse(out) as Needs
    const counts = Object.entries(needs).map(([kind, all]) => [kind, all.map(({ name, count }) => `${name} ${count}`)])
    expect({ code, ...Object.fromEntries(counts) }).toEqual({
      code: 1,
      tags: ['paginate 1', 'schema 1', 'section 1'],
      filters: ['money 3'],
      partials: ['gone 1'],
      variables: ['nowhere 1', 'usr 1'],
    })
    expect(needs.filters[0]?.places.map(({ file, line, column }) => [file, line, column])).toEqual([
      ['a.liquid', 2, 8],
      ['a.liquid', 2, 23],
      ['b.liquid', 1, 8],
    ])
    expect(needs.tags[2]?.hint).toContain('`section` is a tag of Shopify themes')
  })

  it('is printed as text', async () => {
    const { out } = await run(theme, '--data', 'HOME/data.json', '--needs')
    expect(out).toContain(
      'Missing filters:\n  money (3 times)  a.liquid:2:8, a.liquid:2:23, b.liquid:1:8\n    `money` is',
    )
    expect(out).toContain('Missing partials:\n  gone  a.liquid:2:41\n    Create `gone.liquid`')
    const { code, out: clean } = await run(
      { 'views/a.liquid': '{{ word }}', 'views/b.liquid': '' },
      '--data',
      'HOME/data.json',
      '--needs',
    )
    expect({ code, clean }).toEqual({
      code: 0,
      clean: 'No problems in 2 files.\n\nNo tags, filters, partials or variables are missing.\n',
    })
  })
})

describe('the folder', () => {
  it('may have templates of other endings, called with and without them', async () => {
    const files = {
      'views/a.html': "{% render 'b' %}{% render 'b.html' %}{% render 'c' %}{% render 'd' %}",
      'views/b.html': '',
      'views/c.liquid': '',
    }
    expect(await told(files, '--format', 'json', '--ext', 'html', '--ext', '.liquid')).toEqual([
      expect.stringContaining('missing-partial a.html:1:64'),
    ])
    expect((await run({}, '--ext', '.njk')).err).toContain("template names end with '.njk'")
  })

  it('is not left by links', async () => {
    write(home, { 'secret/x.liquid': '{{ 1 | upcas }}', 'views/in/a.liquid': '{{ 1 | upcas }}' })
    symlinkSync(join(home, 'secret'), join(home, 'views/out'))
    symlinkSync(join(home, 'secret/x.liquid'), join(home, 'views/x.liquid'))
    symlinkSync(join(home, 'views/in'), join(home, 'views/within'))
    expect((await told({}, '--format', 'json')).map((each) => each.split(' ').slice(0, 2).join(' ')).sort()).toEqual([
      'ignored-file out:1:1',
      'ignored-file x.liquid:1:1',
      'unknown-filter in/a.liquid:1:8',
      'unknown-filter within/a.liquid:1:8',
    ])
  })

  it('of a site takes none of the options', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    for (const option of [['--data', 'x'], ['--ext', 'x'], ['--needs']])
      expect(await main(['check', ...option, home])).toBe(2)
  })
})
