/** Tests the `ingot` command itself, before the compiler or the server is loaded. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { COMMANDS, GROUPS } from '../../server/commands.mjs'
import { commandHelp } from '../../server/commands/help.mjs'
import { createLiveScript } from '../../server/tools/dev/live-page.ts'

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
  // Commands that only read a site need only the settings that locate its data.
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

test('`help COMMAND` prints the help of a command, in lines that fit', () => {
  expect(ingot('help', 'jobs')).toEqual({ code: 0, out: commandHelp('jobs'), err: '' })
  for (const name of Object.keys(COMMANDS))
    for (const line of commandHelp(name).split('\n'))
      if (line.includes(' ', 40)) expect(line.length, line).toBeLessThanOrEqual(100)
  for (const line of commandHelp('check', 60).split('\n')) expect(line.length, line).toBeLessThanOrEqual(60)
  const serve = commandHelp('serve')
  expect(serve.indexOf('Options:')).toBeLessThan(serve.indexOf('Environment:'))
  expect(serve).toMatch(/\n {2}The database:\n {4}DATABASE_URL/)
  expect(ingot('help', 'serv').err).toBe("Ingot has no command 'serv': did you mean `ingot serve`?\n")
})

test('the overview has each command once', () => {
  const shown = Object.entries(COMMANDS).flatMap(([name, { hidden }]) => (hidden === true ? [] : [name]))
  expect(Object.values(GROUPS).flat().toSorted()).toEqual(shown.toSorted())
})

describe('completion', () => {
  const bash = (line: string): readonly string[] => {
    const words = line.split(' ')
    const script = `eval "$("$0" server/bin.mjs completion bash)"; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
      COMP_CWORD=${words.length - 1}; _ingot; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath], { cwd: root, encoding: 'utf8' })
    expect(stderr).toBe('')
    return stdout.split('\n').filter((word) => word !== '')
  }

  test('in bash completes commands, their subcommands, options and files', () => {
    expect(bash('ingot rel')).toEqual(['release'])
    expect(bash('ingot help tok')).toEqual(['token'])
    expect(bash('ingot token ')).toEqual(['create', 'list', 'revoke'])
    expect(bash('ingot check --max')).toEqual(['--max-warnings'])
    expect(bash('ingot check READ')).toEqual(['README.md'])
    expect(bash('ingot dev server/bi')).toEqual(['server/bin.mjs'])
    expect(bash('ingot init --template b')).toEqual(['blank', 'blog'])
  })

  test.each(['zsh', 'fish'])('in %s is a script that the shell reads', (shell) => {
    const { code, out } = ingot('completion', shell)
    expect(code).toBe(0)
    for (const word of ['generate', 'release', 'rollback', 'max-warnings']) expect(out).toContain(word)
    const script = join(mkdtempSync(join(tmpdir(), 'ingot-completion-')), 'script')
    writeFileSync(script, out)
    const checked = spawnSync(shell, ['-n', script], { encoding: 'utf8' })
    if (checked.error !== undefined) console.log(`${shell} is not installed: its completion script is not read by it`)
    else expect({ status: checked.status, stderr: checked.stderr }).toEqual({ status: 0, stderr: '' })
  })

  test('of another shell is refused with the names of those that are there', () => {
    const refusal = { code: 2, out: '', err: 'Name your shell: `ingot completion bash|zsh|fish`\n' }
    expect(ingot('completion', 'tcsh')).toEqual(refusal)
    expect(ingot('completion')).toEqual(refusal)
  })
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
  for (const file of [
    'server/bin.mjs',
    'server/commands.mjs',
    'server/commands/completion.mjs',
    'server/commands/help.mjs',
    'server/commands/port.mjs',
    'runtime/data/environment.mjs',
    'build.mjs',
  ]) {
    const imports = readFileSync(`${root}/${file}`, 'utf8').matchAll(/^import .* from '([^']+)'/gm)
    for (const [, from] of imports)
      expect(from).toMatch(
        /^node:|^\.{1,2}\/(?:commands|commands\/completion|commands\/help)\.mjs$|^(?:\.\.\/){1,2}runtime\/data\/environment\.mjs$/,
      )
  }
})

test('the script of pages goes before the end of the body', () => {
  const script = createLiveScript('/nowhere')
  const facts = { state: 'ab12.3-4', page: 'id', token: null, request: 'r-1', update: 'patch' } as const
  const page = script.addTo('<body><p>x</p></BODY></html>', facts)
  expect(page).toMatch(
    /^<body><p>x<\/p><script src="[^"]+" data-request="r-1" data-state="ab12.3-4"[^<>]*><\/script><\/BODY><\/html>$/,
  )
  expect(script.addTo('no body', { ...facts, token: '"<' })).toMatch(
    /^no body<script [^<>]*data-token="&#34;&#60;"><\/script>$/,
  )
})
