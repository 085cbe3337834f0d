/** Tests `ingot deploy`, `ingot sync` and `ingot logs` with a server that accepts deployments, and their exit codes. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EndedProgram } from '../../../support/server/program.ts'
import { type InstanceSetup, type Instance, openInstanceSetup } from '../instance/instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let ground: InstanceSetup
let instance: Instance
let dir: string

beforeAll(async () => {
  ground = await openInstanceSetup()
  instance = await ground.open('remote')
})
afterAll(() => ground.clean())
beforeEach(() => {
  dir = mkdtempSync(join(ground.home, 'site-'))
  write(
    '.pos',
    JSON.stringify({ staging: { url: `${instance.url}/`, token: instance.token, email: 'ada@example.com' } }),
  )
})

function write(path: string, text: string): string {
  const file = join(dir, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** Runs a command to its end. */
function ingot(...argv: readonly string[]): Promise<EndedProgram> {
  return ground.ingot.run(argv, { CONFIG_FILE_PATH: join(dir, '.pos') })
}

describe('deploy', () => {
  it('has a site served with its assets, and what is gone is gone there', async () => {
    write('app/views/pages/index.liquid', "{{ 'a.txt' | asset_url }}")
    write('app/views/pages/old.liquid', 'old')
    write('app/assets/a.txt', 'the asset')
    const first = await ingot('deploy', 'staging', dir)
    expect(first).toMatchObject({ code: 0, said: expect.stringMatching(/Page +2 upserted/) as string })
    expect(first.said).toContain(`Deployed to ${instance.url} in `)
    const asset = await instance.text('/')
    expect(await (await fetch(new URL(asset, instance.url))).text()).toBe('the asset')
    rmSync(join(dir, 'app/views/pages/old.liquid'))
    const second = await ingot('deploy', `${instance.url}/`, dir, '--verbose')
    expect(second).toMatchObject({ code: 0, said: expect.stringContaining('- app/views/pages/old.liquid') as string })
    expect((await fetch(`${instance.url}/old`)).status).toBe(404)
  })

  it('sends nothing that a link out of the site leads to, unless the person allows it, and no more does `sync`', async () => {
    const page = write('app/views/pages/index.liquid', 'own')
    const secret = join(mkdtempSync(join(ground.home, 'elsewhere-')), 'secret.liquid')
    writeFileSync(secret, 'secret')
    const linked = join(dir, 'app/views/pages/linked.liquid')
    symlinkSync(secret, linked)
    symlinkSync(page, join(dir, 'app/views/pages/own.liquid'))
    const refused = `'app/views/pages/linked.liquid' is not sent, because it is a link to '${secret}', outside of the site`
    expect(await ingot('deploy', 'staging', dir)).toMatchObject({ code: 2, said: expect.stringContaining(refused) })
    const sync = ['sync', 'staging', '--dir', dir, linked]
    expect(await ingot(...sync)).toMatchObject({ code: 1, said: expect.stringContaining(refused) })
    expect((await fetch(`${instance.url}/linked`)).status).toBe(404)
    const program = ground.ingot.start(['deploy', 'staging', dir], {
      CONFIG_FILE_PATH: join(dir, '.pos'),
      INGOT_LINKS: dirname(secret),
    })
    expect(await program.exitCode).toBe(0)
    expect(await instance.text('/linked')).toBe('secret')
    expect(await instance.text('/own')).toBe('own')
  })

  it('brings the values of templates along, those of modules and those of the application', async () => {
    write('template-values.json', '{ "town": "Lund" }')
    write('app/views/pages/index.liquid', "<%= town =%> {% render 'modules/m/name' %}")
    write('modules/m/pos-module.json', '{ "machine_name": "m", "version": "1.2.0" }')
    write('modules/m/template-values.json', '{ "color": "red" }')
    write('modules/m/public/views/partials/name.liquid', '<%= machine_name =%> <%= color =%>')
    expect(await ingot('deploy', 'staging', dir)).toMatchObject({ code: 0 })
    expect(await instance.text('/')).toBe('Lund m red')
  })

  it('of a part leaves the rest, and a dry run everything', async () => {
    write('app/views/pages/index.liquid', 'one')
    write('app/views/pages/other.liquid', 'other')
    await ingot('deploy', 'staging', dir)
    rmSync(join(dir, 'app/views/pages/other.liquid'))
    write('app/views/pages/index.liquid', 'two')
    const dry = await ingot('deploy', 'staging', dir, '--dry-run')
    expect(dry).toMatchObject({ code: 0, said: expect.stringContaining('Nothing was changed.') as string })
    expect(await instance.text('/')).toBe('one')
    expect(await ingot('deploy', 'staging', dir, '--partial')).toMatchObject({ code: 0 })
    expect([await instance.text('/'), await instance.text('/other')]).toEqual(['two', 'other'])
  })

  it('ends with 1 and all errors where the site has some, and the old site is served', async () => {
    write('app/views/pages/index.liquid', 'fine')
    await ingot('deploy', 'staging', dir)
    write('app/views/pages/index.liquid', '{% if %}')
    write('app/views/pages/other.liquid', "{% render 'none' %}")
    for (const more of [[], ['--dry-run'], ['--partial']]) {
      const { code, said } = await ingot('deploy', 'staging', dir, ...more)
      expect(code).toBe(1)
      expect(said).toContain('app/views/pages/index.liquid:1: ')
      expect(said).toContain('app/views/pages/other.liquid:1: ')
    }
    expect(await instance.text('/')).toBe('fine')
  })

  it('ends with 1 where the token is wrong or nobody answers, and with 2 where it is not said who', async () => {
    write('app/views/pages/index.liquid', 'never')
    write(
      '.pos',
      JSON.stringify({
        wrong: { url: instance.url, token: 'wrong', email: 'ada@example.com' },
        gone: { url: 'http://127.0.0.1:1', token: 'x', email: 'ada@example.com' },
      }),
    )
    expect(await ingot('deploy', 'wrong', dir)).toMatchObject({ code: 1 })
    expect(await ingot('deploy', 'gone', dir)).toMatchObject({ code: 1 })
    expect(await ingot('deploy', 'unknown', dir)).toMatchObject({ code: 2 })
    expect(await ingot('deploy', 'wrong', join(dir, 'none'))).toMatchObject({ code: 2 })
    expect(await instance.text('/')).not.toBe('never')
  })
})

describe('sync', () => {
  it('sends the files that are named, and ends with 1 where one is refused', async () => {
    const page = write('app/views/pages/index.liquid', 'first')
    await ingot('deploy', 'staging', dir)
    write('app/views/pages/index.liquid', 'second')
    expect(await ingot('sync', 'staging', page, '--dir', dir)).toMatchObject({ code: 0 })
    expect(await instance.text('/')).toBe('second')
    write('app/views/pages/index.liquid', '{% if %}')
    const refused = await ingot('sync', 'staging', page, '--dir', dir)
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('app/views/pages/index.liquid') as string })
    expect(await instance.text('/')).toBe('second')
    expect(await ingot('sync', 'staging', join(dir, '.pos'), '--dir', dir)).toMatchObject({ code: 2 })
  })

  it('sends what is saved and takes away what is removed until it is ended', async () => {
    const page = write('app/views/pages/index.liquid', 'first')
    await ingot('deploy', 'staging', dir)
    const watching = ground.ingot.start(['sync', 'staging', '--dir', dir], { CONFIG_FILE_PATH: join(dir, '.pos') })
    await watching.waitForOutput('Watching ')
    writeFileSync(page, 'saved')
    await watching.waitForOutput('sent app/views/pages/index.liquid')
    expect(await instance.text('/')).toBe('saved')
    const asset = write('app/assets/b.txt', 'bytes')
    await watching.waitForOutput('sent app/assets/b.txt')
    expect(await instance.text('/assets/b.txt')).toBe('bytes')
    writeFileSync(page, '{% if %}')
    await watching.waitForOutput('app/views/pages/index.liquid was not sent')
    rmSync(asset)
    await watching.waitForOutput('deleted app/assets/b.txt')
    expect((await fetch(`${instance.url}/assets/b.txt`)).status).toBe(404)
    watching.child.kill('SIGINT')
    expect(await watching.exitCode).toBe(0)
  })
})

it('logs are followed from another server until that is ended', async () => {
  write('app/views/pages/index.liquid', "{% log context.params.say, type: 'said' %}{% log 'other', type: 'rest' %}")
  await ingot('deploy', 'staging', dir)
  const following = ground.ingot.start(['logs', 'staging', '--follow', '--type', 'said', '--json'], {
    CONFIG_FILE_PATH: join(dir, '.pos'),
  })
  await expect
    .poll(
      async () => {
        await fetch(`${instance.url}/?say=hello`)
        return following.output()
      },
      { timeout: 60_000, interval: 500 },
    )
    .toContain('hello')
  expect(following.output()).not.toContain('other')
  following.child.kill('SIGINT')
  expect(await following.exitCode).toBe(0)
  const once = await ingot('logs', 'staging', '--limit', '1', '--type', 'rest')
  expect(once).toMatchObject({ code: 0, said: expect.stringContaining('other') as string })
})
