import { lstatSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { command, SiteFolder } from '../../support/command.ts'

let root = ''

let site: SiteFolder
beforeEach(() => {
  site = new SiteFolder()
  root = site.root
})
afterEach(() => site.remove())

const write = (files: Readonly<Record<string, string>>): void => site.write(files)
const read = (path: string): string => site.read(path)
const check = (...args: readonly string[]) => command('check', ...args)

async function codes(...args: readonly string[]): Promise<readonly string[]> {
  const { out } = await check('--format', 'json', ...args)
  return (JSON.parse(out) as readonly { severity: string; code: string }[]).map(
    ({ severity, code }) => `${severity} ${code}`,
  )
}

const PAGE = 'app/views/pages/index.liquid'
const OTHER = 'app/views/pages/other.liquid'

describe('check FOLDER', () => {
  it('names the folder that holds no site', async () => {
    write({ 'app/other/notes.txt': 'x' })
    const folder = join(root, 'app', 'other')
    expect((await check(folder)).err).toContain(`There is no site in '${folder}'`)
  })

  it('names the file of a missing policy', async () => {
    write({ [PAGE]: '---\nauthorization_policies: [member]\n---\nx' })
    const { out } = await check(root)
    expect(out).toContain('There is no authorization policy named `member`.')
    expect(out).toContain('create `app/authorization_policies/member.liquid`, or remove the name')
  })
})

describe('check --fix', () => {
  it('makes the safe changes, one behind the other, and leaves what has to be looked at', async () => {
    write({
      [PAGE]: `{% assign a = "x" | upcas %}{% if a && context.params.b %}{{ a }}{% endif %}{{ 'a' | append, 'b' }}{{ titel }}`,
      [OTHER]: `---\nslug: other\n---\n{% assign h = { 'a': 1 } %}{{ h | dig: 'a' }}`,
    })
    const { code, err } = await check('--fix', root)
    expect(read(PAGE)).toBe(
      `{% assign a = "x" | upcase %}{% if a and context.params.b %}{{ a }}{% endif %}{{ 'a' | append: 'b' }}{{ titel }}`,
    )
    expect(read(OTHER)).toBe(`---\nslug: other\n---\n{% assign h = { "a": 1 } %}{{ h | hash_dig: 'a' }}`)
    expect(code).toBe(0)
    expect(err).toBe('Made 5 changes in 2 files.\n')
    expect((await check('--fix', root)).err).toBe('Nothing was fixed: no finding has a safe change.\n')
  })

  it('keeps the mark and the line ends of a file', async () => {
    write({ [PAGE]: `\ufeff---\r\nslug: a\r\n---\r\n{{ 'a' | upcas }}\r\n` })
    await check('--fix', root)
    expect(read(PAGE)).toBe(`\ufeff---\r\nslug: a\r\n---\r\n{{ 'a' | upcase }}\r\n`)
  })

  it('writes what a link leads to', async () => {
    write({ 'shared.liquid': `{{ 'a' | upcas }}`, [OTHER]: 'x' })
    symlinkSync(join(root, 'shared.liquid'), join(root, PAGE))
    await check('--fix', root)
    expect(read('shared.liquid')).toBe(`{{ 'a' | upcase }}`)
    expect(lstatSync(join(root, PAGE)).isSymbolicLink()).toBe(true)
  })

  it('changes only the files that were given', async () => {
    write({ [PAGE]: `{{ 'a' | upcas }}`, [OTHER]: `{{ 'a' | upcas }}` })
    expect((await check('--fix', join(root, OTHER))).code).toBe(0)
    expect([read(PAGE), read(OTHER)]).toEqual([`{{ 'a' | upcas }}`, `{{ 'a' | upcase }}`])
  })
})

describe('check of some files', () => {
  it('knows the whole site and tells of them alone', async () => {
    write({ [PAGE]: `{% render 'card' %}{{ a }}`, [OTHER]: '{{ b | nope }}', 'app/views/partials/card.liquid': 'x' })
    expect(await codes(join(root, PAGE))).toEqual(['warning undefined-variable'])
    expect(await codes(join(root, 'app/views/partials'))).toEqual([])
    expect(await codes(join(root, 'app/views/pages'))).toEqual([
      'error unknown-filter',
      'warning undefined-variable',
      'warning undefined-variable',
    ])
    const { code, err } = await check(join(root, 'app/views/pages/none.liquid'))
    expect([code, err]).toEqual([2, expect.stringMatching(/^There is no file or folder '/)])
  })

  it('refuses files of two sites', async () => {
    write({ [PAGE]: 'x', 'two/app/views/pages/a.liquid': 'x' })
    const { code, err } = await check(join(root, PAGE), join(root, 'two/app/views/pages/a.liquid'))
    expect([code, err]).toEqual([2, expect.stringMatching(/several sites/)])
  })
})

describe('limits', () => {
  it('--quiet shows errors only, and counts all', async () => {
    write({ [PAGE]: '{{ a }}{{ b | nope }}' })
    const { out } = await check('--quiet', root)
    expect(out).not.toContain('undefined-variable')
    expect(out).toContain('1 error, 2 warnings in 1 file')
  })

  it('--max-warnings fails for more', async () => {
    write({ [PAGE]: '{{ a }}{{ b }}' })
    expect((await check('--max-warnings', '2', root)).code).toBe(0)
    const { code, err } = await check('--max-warnings', '1', root)
    expect([code, err]).toEqual([1, 'There are 2 warnings, but --max-warnings allows 1.\n'])
    expect((await check('--max-warnings', 'x', root)).code).toBe(2)
  })

  it('folds more than five of one code, except with --all and as JSON', async () => {
    write({ [PAGE]: '{{ 1 | nope }}\n'.repeat(6) })
    expect((await check(root)).out).toContain('5 more of unknown-filter:')
    expect((await check('--all', root)).out.match(/unknown-filter/g)).toHaveLength(6)
    expect(await codes(root)).toHaveLength(6)
  })
})

describe('a baseline', () => {
  it('hides what it knows wherever that moves to, and tells what is new and what is mended', async () => {
    const file = join(root, 'baseline.json')
    write({ [PAGE]: '{{ a }}\n{{ b | nope }}\n' })
    expect((await check('--baseline', file, root)).code).toBe(2)
    for (const option of ['--baseline', '--write-baseline'])
      expect(await check(option, root, root)).toEqual({
        code: 2,
        out: '',
        err: `'${root}' is a folder: give a file.\n`,
      })
    expect(await check('--write-baseline', file, root)).toEqual({
      code: 0,
      out: '',
      err: `Wrote 3 findings to '${file}'.\n`,
    })
    write({ [PAGE]: '<p>new</p>\n\n  {{ b | nope }}\n{{ c }}\n' })
    expect(await codes('--baseline', file, root)).toEqual(['warning undefined-variable'])
    const { code, err } = await check('--baseline', file, root)
    expect([code, err]).toEqual([
      0,
      `2 findings of the baseline are not shown.\n1 finding of the baseline is fixed (undefined-variable in ${PAGE}): \`--write-baseline ${file}\` removes it.\n`,
    ])
    write({ [PAGE]: '{{ b | nope }}{{ b | nope }}' })
    expect((await check('--baseline', file, root)).code).toBe(1)
  })
})
