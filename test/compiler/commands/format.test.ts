/** `ingot format`: which files it changes, and what it reports about others. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { command, SiteFolder } from '../../support/command.ts'

const PAGE = 'app/views/pages/index.liquid'
let root = ''

let site: SiteFolder
beforeEach(() => {
  site = new SiteFolder()
  root = site.root
})
afterEach(() => site.remove())

const write = (files: Readonly<Record<string, string>>): void => site.write(files)
const read = (path: string): string => site.read(path)
const format = (...args: readonly string[]) => command('format', ...args)

test('changes what is not in order, and tells what it cannot read', async () => {
  write({
    [PAGE]: '\ufeff{{a}}\r\n',
    'app/views/partials/x.liquid': '{{ a }}',
    'app/views/partials/y.liquid': '<b>\n{{ a',
    'app/schema/dish.yml': 'name:   dish\n',
    'app/graphql/a.graphql': '{a}',
    'app/assets/theme.yml': 'a:   1\n',
    'pos-module.json': '{"dependencies":{"core":"^1.0.0"}}',
    'modules/core/public/views/partials/z.liquid': '{{a}}',
  })
  expect(await format('--check', root)).toEqual({
    code: 1,
    out: `app/graphql/a.graphql\napp/schema/dish.yml\n${PAGE}\n3 of 5 files would change: \`ingot format\` changes them.\n`,
    err: expect.stringMatching(/^app\/views\/partials\/y\.liquid:2:1 {2}not formatted: .+\n$/),
  })
  expect(read(PAGE)).toBe('\ufeff{{a}}\r\n')
  expect((await format(root)).code).toBe(1)
  expect(read(PAGE)).toBe('\ufeff{{ a }}\r\n')
  expect(read('app/schema/dish.yml')).toBe('name: dish\n')
  expect(read('app/assets/theme.yml')).toBe('a:   1\n')
  expect(read('modules/core/public/views/partials/z.liquid')).toBe('{{a}}')
  rmSync(join(root, 'app/views/partials/y.liquid'))
  expect(await format('--check', root)).toEqual({ code: 0, out: '4 files already formatted.\n', err: '' })
})

test('changes the files that it is given, also those of modules', async () => {
  write({
    [PAGE]: '{{a}}',
    'pos-module.json': '{"dependencies":{"core":"^1.0.0"}}',
    'modules/core/public/lib/z.liquid': '{{a}}',
  })
  const path = 'modules/core/public/lib/z.liquid'
  expect(await format(join(root, path))).toEqual({ code: 0, out: `${path}\nChanged 1 of 1 file.\n`, err: '' })
  expect(read(PAGE)).toBe('{{a}}')
})

test.each([
  ['{{a}}', '{{ a }}', 0],
  ['{{a', '{{a', 1],
  [Buffer.of(0xff), '', 2],
])('prints %j, that comes on standard input, as %j', async (text, expected, code) => {
  write({ [PAGE]: 'x' })
  const input = vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([Buffer.from(text)]) as never)
  try {
    expect(await format('--stdin', join(root, PAGE))).toMatchObject({ code, out: expected })
  } finally {
    input.mockRestore()
  }
  expect(read(PAGE)).toBe('x')
})
