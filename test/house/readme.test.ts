/** What the readme shows runs as it says. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { BRANCHES, TAGS_BY_NAME } from '../../compiler/language/language.ts'
import { everything } from './sources.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('the library example prints what its comment says', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const code = /<!-- example[^]*?```js\n([^]*?)```/.exec(readme)?.[1] ?? ''
  const wanted = /console\.log\(html\) \/\/ (.*)/.exec(code)?.[1]
  // Below the package's own folder, so that its name resolves to itself.
  const folder = mkdtempSync(join(root, '.readme-'))
  try {
    writeFileSync(join(folder, 'example.mjs'), code)
    const printed = execFileSync(process.execPath, [join(folder, 'example.mjs')], { encoding: 'utf8' })
    expect(printed.trim()).toBe(wanted)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the files that the readme shows make a site together with those of `ingot init`, with nothing to mend', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const folder = join(mkdtempSync(join(tmpdir(), 'readme-')), 'kitchen')
  const ingot = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(root, 'server/bin.mjs'), ...args], { encoding: 'utf8' })
  try {
    expect(ingot('init', folder).status).toBe(0)
    const files = shown(readme)
    expect(files.size).toBeGreaterThan(9)
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const { status, stdout } = ingot('check', folder, '--format', 'json')
    expect(JSON.parse(stdout)).toEqual([])
    expect(status).toBe(0)
  } finally {
    rmSync(dirname(folder), { recursive: true, force: true })
  }
})

/** The files below `app/` that the readme shows as indented blocks under a line with their path. */
function shown(readme: string): ReadonlyMap<string, string> {
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

test('every command of the readme is one that `ingot --help` lists', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const help = execFileSync(process.execPath, [join(root, 'server/bin.mjs'), '--help'], { encoding: 'utf8' })
  const commands = [...readme.matchAll(/^\| `ingot ([a-z]+)/gm)].map((found) => found[1] as string)
  expect(commands.length).toBeGreaterThan(5)
  for (const command of commands) expect(help).toContain(`ingot ${command}`)
})

test('every tag is in the table of the readme, and no other name is', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const table = /^## Tags\n([^]*?)^## /m.exec(readme)?.[1] ?? ''
  const listed = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap((row) =>
    [...(row[1] ?? '').matchAll(/`([^`]+)`/g)].map((name) => name[1] as string),
  )
  // These two are read before there are tags.
  const names = new Set([...TAGS_BY_NAME.keys(), ...BRANCHES.keys(), 'liquid', '#'])
  expect([...listed].sort()).toEqual([...names].sort())
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
  const readme = readFileSync(join(root, path), 'utf8').replace(/^```(?:js|ts)\n[^]*?^```/gm, '')
  const named = [...readme.matchAll(/(?<![<\w./@-])(?:[\w.-]+\/)*[a-z][\w-]*\.(?:ts|mjs)\b/g)].map(([name]) => name)
  const others = ['build.mjs', 'site.mjs', 'built/modules/site.ts', 'kebab-case.ts']
  const paths = named.filter((name) => !others.includes(name)).map((name) => name.replace(/^(?:\.\.\/)+/, ''))
  const missing = paths.filter((name) => !everything.some((file) => `/${file.path}`.endsWith(`/${name}`)))
  expect(missing).toEqual([])
})
