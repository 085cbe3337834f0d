/** The condition of a diagnostic is found from its file: a rule holds its condition, and other diagnostics name the code that reports them. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const compiler = fileURLToPath(new URL('../../../../compiler', import.meta.url))
const texts = new Map(
  readdirSync(compiler, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('/index.ts'))
    .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(compiler, path), 'utf8')]),
)
const messages = new Map(
  [...texts].flatMap(([path, text]) => {
    const name = /^export const (\w+) = message\(/m.exec(text)?.[1]
    return name === undefined ? [] : [[path, name] as const]
  }),
)

/** Returns the files that import the message of a file. */
function usersOf(path: string, name: string): readonly string[] {
  return [...texts].flatMap(([user, text]) => {
    const imports = [...text.matchAll(/^import \{([^}]*)\} from '(\.[^']+)'/gm)]
    const uses = imports.some(
      ([, names = '', from = '']) => join(dirname(user), from) === path && new RegExp(`\\b${name}\\b`).test(names),
    )
    return uses ? [user] : []
  })
}

test('there are messages to look at', () => {
  expect(messages.size).toBeGreaterThan(200)
})

test.each([...messages].filter(([path]) => path.startsWith('phases/check/rules/')))(
  'only %s itself uses its message',
  (path, name) => {
    expect(usersOf(path, name)).toEqual([])
    // A message without another use would never be reported.
    expect([...(texts.get(path) ?? '').matchAll(new RegExp(`\\b${name}\\(`, 'g'))].length).toBeGreaterThan(0)
  },
)

test.each([...messages].filter(([path]) => path.startsWith('core/diagnostics/codes/')))(
  '%s names the code that reports it',
  (path, name) => {
    const [head = ''] = /^\/\*\*[^]*?\*\//.exec(texts.get(path) ?? '') ?? []
    const named = [...head.replace(/\n \* /g, ' ').matchAll(/`(\w+)` \(([\w/.-]+\.ts)\)/g)]
    for (const [, owner = '', file = ''] of named)
      expect(texts.get(file), `${owner} in ${file}`).toMatch(
        new RegExp(`(?:function\\*?|class|const|get|#?) ?\\b${owner}\\b`),
      )
    expect([...new Set(named.map(([, , file]) => file))].toSorted()).toEqual(usersOf(path, name).toSorted())
  },
)
