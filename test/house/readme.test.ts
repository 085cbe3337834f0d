/** The commands and examples in the readme work as it says, and it fits one page. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../server/commands.mjs'
import { guideCode } from '../support/guide-code.ts'
import { everything } from './sources.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')

test.each([
  ['readme', /<!-- example[^]*?```js\n([^]*?)```/.exec(readme)?.[1] ?? ''],
  ['guide', guideCode('library', /createEngine/)],
])('the library example of the %s prints what its comment says', (_, code) => {
  const wanted = /console\.log\(.*\) \/\/ (.*)/.exec(code)?.[1]
  // The folder is inside the package, so that the package's name resolves to itself.
  const folder = mkdtempSync(join(root, '.readme-'))
  try {
    writeFileSync(join(folder, 'example.mjs'), code)
    const printed = execFileSync(process.execPath, [join(folder, 'example.mjs')], { encoding: 'utf8' })
    expect(printed.trim()).toBe(wanted)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the sixty seconds and the first site are as the readme shows them', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'readme-')), 'kitchen')
  const ingot = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(root, 'server/bin.mjs'), ...args], {
      encoding: 'utf8',
      cwd: dirname(folder),
      env: { ...process.env, NO_COLOR: '1' },
    })
  try {
    expect(ingot('init', 'kitchen').status).toBe(0)
    const index = join(folder, 'app/views/pages/index.liquid')
    const before = readFileSync(index, 'utf8')
    const broken = /^ {4}(<h1>.*upcas .*<\/h1>)$/m.exec(readme)?.[1] ?? ''
    writeFileSync(index, before.replace(/<h1>.*<\/h1>/, broken))
    const check = ingot('check', 'kitchen')
    expect(check.status).toBe(1)
    const shownError = /^```\n([^]*?)^```/m.exec(readme)?.[1] ?? ''
    expect(shownError).toContain('unknown-filter')
    expect(check.stdout).toContain(shownError.trim())
    for (const scheme of ['light', 'dark']) {
      const picture = readFileSync(join(root, `fixtures/pictures/check-${scheme}.svg`), 'utf8')
      const lines = [...picture.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, line = '']) => plain(line).trim())
      expect(lines.filter((line) => line !== '')).toEqual(
        shownError.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()])),
      )
    }
    expect(ingot('check', '--fix', 'kitchen').status).toBe(0)
    expect(readFileSync(index, 'utf8')).toContain('| upcase }}')
    const files = shown()
    expect(files.size).toBe(4)
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const { status, stdout } = ingot('check', 'kitchen', '--format', 'json')
    expect(JSON.parse(stdout)).toEqual([])
    expect(status).toBe(0)
  } finally {
    rmSync(dirname(folder), { recursive: true, force: true })
  }
})

/** Returns the text of a line of SVG. */
function plain(svg: string): string {
  return svg
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#160;', ' ')
    .replaceAll('&amp;', '&')
}

/** Returns the files below `app/` that the readme shows as indented blocks under a line with their path. */
function shown(): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  let path: string | null = null
  for (const line of readme.split('\n')) {
    const [, next] = /^ {4}# (app\/\S+)$/.exec(line) ?? []
    if (next !== undefined) path = next
    else if (path !== null && (line === '' || line.startsWith('    ')))
      files.set(path, `${files.get(path) ?? ''}${line.slice(4)}\n`)
    else path = null
  }
  return files
}

describe('the readme', () => {
  test('fits a page', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(10_000)
  })

  test('names commands that there are, and scripts of the package', () => {
    const commands = [...readme.matchAll(/(?:npx |`)ingot ([a-z]+)/g)].map((found) => found[1] ?? '')
    expect(commands.length).toBeGreaterThan(7)
    expect(commands.filter((name) => !Object.hasOwn(COMMANDS, name))).toEqual([])
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const own = [...readme.matchAll(/`?npm (start|test|run \w+)/g)].map((found) => found[1]?.replace('run ', '') ?? '')
    expect(own.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })

  test('links to files that there are, and to pictures below 150 kB', () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)|(?:src|srcset)="([^"]+)"/g)].map(
      ([, link, picture]) => link ?? picture ?? '',
    )
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const pictures = links.filter((path) => path.startsWith('fixtures/pictures/'))
    expect(pictures).toHaveLength(4)
    for (const path of pictures) expect(statSync(join(root, path)).size, path).toBeLessThan(150_000)
  })
})

test.each([
  'README.md',
  'compiler/README.md',
  'compiler/core/diagnostics/README.md',
  'runtime/README.md',
  'runtime/data/query/README.md',
  'server/README.md',
  'server/operate/observe/README.md',
  'server/web/transfer/README.md',
  '.github/CONTRIBUTING.md',
])('every file that %s names exists', (path) => {
  const text = readFileSync(join(root, path), 'utf8').replace(/^```(?:js|ts)\n[^]*?^```/gm, '')
  const named = [...text.matchAll(/(?<![<\w./@-])(?:[\w.-]+\/)*[a-z][\w-]*\.(?:ts|mjs)\b/g)].map(([name]) => name)
  const others = ['build.mjs', 'site.mjs', 'built/modules/site.ts', 'kebab-case.ts']
  const paths = named.filter((name) => !others.includes(name)).map((name) => name.replace(/^(?:\.\.\/)+/, ''))
  const missing = paths.filter((name) => !everything.some((file) => `/${file.path}`.endsWith(`/${name}`)))
  expect(missing).toEqual([])
})
