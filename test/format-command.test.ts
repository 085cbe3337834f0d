/** `ingot format`: which files it changes, and what it tells of others. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { main } from '../compiler/cli.ts'

const PAGE = 'app/views/pages/index.liquid'
let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ingot-format-'))
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

async function format(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let out = ''
  let err = ''
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text)
    return true
  })
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text)
    return true
  })
  try {
    return { code: await main(['format', ...args]), out, err }
  } finally {
    stdout.mockRestore()
    stderr.mockRestore()
  }
}

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
    err: expect.stringMatching(/^app\/views\/partials\/y\.liquid:2:1 {2}stays as it is: .+\n$/),
  })
  expect(read(PAGE)).toBe('\ufeff{{a}}\r\n')
  expect((await format(root)).code).toBe(1)
  expect(read(PAGE)).toBe('\ufeff{{ a }}\r\n')
  expect(read('app/schema/dish.yml')).toBe('name: dish\n')
  expect(read('app/assets/theme.yml')).toBe('a:   1\n')
  expect(read('modules/core/public/views/partials/z.liquid')).toBe('{{a}}')
  rmSync(join(root, 'app/views/partials/y.liquid'))
  expect(await format('--check', root)).toEqual({ code: 0, out: '4 files in order.\n', err: '' })
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
