/** Tests `.posignore`: which files of a site are not sent. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { parseIgnored } from '../../../../server/tools/remote/ignored.ts'
import { siteFiles } from '../../../../server/tools/remote/site-files.ts'

const cases: readonly (readonly [list: string, out: readonly string[], kept: readonly string[]])[] = [
  ['*.ts', ['app/a.ts', 'app/assets/b/c.ts'], ['app/a.tsx', 'app/ts']],
  ['# a comment\n\n\\#x', ['app/#x'], ['app/a comment', 'app/x']],
  ['src/', ['app/assets/src/a.js', 'src/b'], ['app/src', 'app/srcs/a']],
  ['/app/assets/src', ['app/assets/src', 'app/assets/src/a.js'], ['modules/app/assets/src/a']],
  ['app/*/a.js', ['app/assets/a.js'], ['app/assets/b/a.js', 'x/app/assets/a.js']],
  ['app/**/a.js', ['app/a.js', 'app/x/a.js', 'app/x/y/a.js'], ['app/x/b.js']],
  ['app/old/**', ['app/old/a', 'app/old/b/c'], ['app/older/a']],
  ['*.md\n!README.md', ['app/a.md'], ['app/README.md']],
  ['app/src/\n!app/src/a', ['app/src/a'], ['app/a']],
  ['a?c', ['app/abc'], ['app/ac', 'app/a/c']],
  ['[a-c].js\n[!a-c].css', ['app/b.js', 'app/d.css'], ['app/d.js', 'app/a.css']],
  ['a.(b)+', ['app/a.(b)+'], ['app/axb']],
  ['trailing  ', ['app/trailing'], ['app/trailing  ']],
]

it.each(cases)('%j', (list, out, kept) => {
  const isIgnored = parseIgnored(list)
  expect(out.filter((path) => !isIgnored(path))).toEqual([])
  expect(kept.filter(isIgnored)).toEqual([])
})

it('leaves files out of a deploy', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'ingot-ignored-'))
  try {
    for (const path of ['app/views/pages/index.liquid', 'app/assets/src/a.ts', 'app/assets/a.js', 'pos-module.json']) {
      mkdirSync(dirname(join(dir, path)), { recursive: true })
      writeFileSync(join(dir, path), '{}')
    }
    writeFileSync(join(dir, '.posignore'), 'app/assets/src\n')
    expect((await siteFiles(dir, [])).map(({ path }) => path)).toEqual([
      'app/assets/a.js',
      'app/views/pages/index.liquid',
      'pos-module.json',
    ])
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
