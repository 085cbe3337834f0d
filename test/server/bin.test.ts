/** Tests the `ingot` command before a wing is loaded. */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { expect, test } from 'vitest'
import { withScript } from '../../server/tools/dev/live-page.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

function ingot(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['server/bin.mjs', ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { code: status, out: stdout, err: stderr }
}

test('it names its version and its commands', () => {
  const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { version: string }
  expect(ingot('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' })
  const help = ingot('--help')
  expect(help.code).toBe(0)
  for (const command of ['init', 'dev', 'check', 'build', 'serve', 'demo'])
    expect(help.out).toContain(`ingot ${command}`)
  expect(help.out).not.toContain('watch')
  expect(ingot('serve', '--help').out).toMatch(/--workers N[\s\S]*INGOT_ENV[\s\S]*INGOT_SMTP_URL/)
  // What only looks into a site goes by the place of its data.
  expect(ingot('logs', '--help').out).toMatch(/--follow[\s\S]*INGOT_DATA[\s\S]*DATABASE_URL/)
  expect(ingot('logs', '--help').out).not.toMatch(/PORT|INGOT_SMTP_URL/)
  expect(ingot()).toMatchObject({ code: 2, out: help.out })
})

test.each([
  [['serv'], "Ingot has no command 'serv': did you mean `ingot serve`?\n"],
  [['zebra'], "Ingot has no command 'zebra': see `ingot --help`\n"],
  [['--verbose'], "Ingot has no option '--verbose': see `ingot --help`\n"],
  [['constructor'], "Ingot has no command 'constructor': see `ingot --help`\n"],
])('%j is refused in one sentence', (args, sentence) => {
  expect(ingot(...args)).toEqual({ code: 2, out: '', err: sentence })
})

test('an option that is not there is told with the one that was probably meant', () => {
  expect(ingot('check', 'server', '--fromat', 'json')).toMatchObject({
    ...{ code: 2, out: '' },
    err: "`ingot check` has no option '--fromat': did you mean --format?\n",
  })
  expect(ingot('check', 'server', '--zebra').err).not.toContain('did you mean')
})

test('a reader who leaves early ends it quietly', async () => {
  const child = spawn(process.execPath, ['server/bin.mjs', '--help'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (data) => void (said += String(data)))
  child.stdout.destroy()
  expect(await new Promise((done) => child.once('close', done))).toBe(0)
  expect(said).toBe('')
})

test('it imports nothing that must be installed or built first', () => {
  for (const file of ['server/bin.mjs', 'server/commands.mjs', 'runtime/data/environment.mjs', 'build.mjs']) {
    const imports = readFileSync(`${root}/${file}`, 'utf8').matchAll(/^import .* from '([^']+)'/gm)
    for (const [, from] of imports)
      expect(from).toMatch(/^node:|^\.\/commands\.mjs$|^\.\.\/runtime\/data\/environment\.mjs$/)
  }
})

test('the script in pages is a script, and goes before the end of the body', () => {
  const page = withScript('<body><p>x</p></BODY></html>', 'ab12.3-4')
  expect(page).toMatch(/^<body><p>x<\/p><script>[\s\S]*<\/script><\/BODY><\/html>$/)
  expect(withScript('no body', 'ab12.3-4')).toMatch(/^no body<script>/)
  const code = /<script>([\s\S]*)<\/script>/.exec(page)?.[1] ?? ''
  expect(() => new Script(code)).not.toThrow()
  expect(code).toContain("event.data !== 'ab12.3-4'")
})
