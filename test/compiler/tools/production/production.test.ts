/** The files of `ingot init --production`: the programs that read them accept them, and their limits are consistent. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployName } from '../../../../compiler/tools/production/files.ts'
import { ENVIRONMENT } from '../../../../runtime/data/environment.mjs'
import { readBackupLine } from '../../../../server/commands/backup.ts'
import { readSettings } from '../../../../server/core/settings.ts'
import { product } from '../../../support/product.ts'

const ingot = product()
let site: string
const read = (name: string): string => readFileSync(join(site, 'deploy', name), 'utf8')

beforeAll(async () => {
  const parent = ingot.folder()
  site = join(parent, 'kitchen')
  expect(await ingot.run(['init', 'kitchen'], { cwd: parent })).toMatchObject({ code: 0 })
  const written = await ingot.run(['init', '--production', '--host', 'shop.example'], { cwd: site })
  expect(written).toMatchObject({ code: 0, err: '' })
})
afterAll(() => ingot.clean())

/** Runs a program that reads such files. If it is not installed, returns null and prints a warning. */
function checked(program: string, args: readonly string[]): string | null {
  const { status, error, stdout, stderr } = spawnSync(program, [...args], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` },
  })
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') {
    process.stderr.write(
      `\n*** NOT CHECKED: '${program}' is not installed, so nobody has read the file that is for it. ***\n\n`,
    )
    return null
  }
  return status === 0 ? '' : `${stdout}${stderr}`
}

describe('ingot init --production', () => {
  it('writes a folder, and nothing beside it', () => {
    expect(readdirSync(join(site, 'deploy')).toSorted()).toEqual([
      'Caddyfile',
      'Containerfile',
      'Containerfile.dockerignore',
      'kitchen-backup.service',
      'kitchen-backup.timer',
      'kitchen.env',
      'kitchen.service',
      'nginx.conf',
    ])
    for (const name of readdirSync(join(site, 'deploy'))) expect(read(name)).not.toMatch(/@[A-Z]+@/)
  })

  it('overwrites nothing, and then writes nothing either', async () => {
    const dir = ingot.folder({ 'app/config.yml': '', 'deploy/nginx.conf': 'mine', 'deploy/notes': 'mine' })
    const { code, err } = await ingot.run(['init', '--production', dir])
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining(`'${join(dir, 'deploy/nginx.conf')}' would be`),
    })
    expect(readdirSync(join(dir, 'deploy')).toSorted()).toEqual(['nginx.conf', 'notes'])
    expect(readFileSync(join(dir, 'deploy/nginx.conf'), 'utf8')).toBe('mine')
  })

  it.each([
    [['init', '--production', '/nowhere/at/all'], 'There is no site in'],
    [['init', '--host', 'shop.example', 'x'], '--host belongs to'],
    [['init', '--production', 'a', 'b'], 'takes one folder'],
  ])('%j is refused in one sentence', async (args, words) => {
    const { code, out, err } = await ingot.run(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^[^\n]+\n$/)
    expect(err).toContain(words)
  })

  it.each(['shop.example; }', 'a b', '-a', '$host', 'https://shop.example', ''])('%j is no host', async (host) => {
    const dir = ingot.folder({ 'app/config.yml': '' })
    const { code, err } = await ingot.run(['init', '--production', dir, `--host=${host}`])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('is not a host name') })
    expect(existsSync(join(dir, 'deploy'))).toBe(false)
  })

  it('takes the name from the folder, as users and units may have it', () => {
    expect(['kitchen', 'My Shop!', '2024-shop', '../x y', 'a'.repeat(40), '%n', '…'].map(deployName)).toEqual([
      'kitchen',
      'my-shop',
      'shop',
      'x-y',
      'a'.repeat(31),
      'n',
      null,
    ])
  })
})

describe('the files', () => {
  it('are a unit that systemd takes', () => {
    const folder = ingot.folder()
    const program = join(folder, 'ingot')
    writeFileSync(program, '#!/bin/sh\n')
    chmodSync(program, 0o755)
    const unit = join(folder, 'kitchen.service')
    const text = read('kitchen.service')
    expect(text).toContain('\nExecStart=/opt/ingot/node_modules/.bin/ingot serve ')
    // The check requires the program of the unit to exist, so its path is replaced.
    writeFileSync(unit, text.replace('/opt/ingot/node_modules/.bin/ingot', program))
    expect(checked('systemd-analyze', ['verify', '--man=no', unit])).toBeOneOf(['', null])
    writeFileSync(unit, text.replace('ExecStart=', 'ExecStrat='))
    expect(checked('systemd-analyze', ['verify', '--man=no', unit])).toBeOneOf([
      expect.stringContaining('ExecStrat'),
      null,
    ])
  })

  it('are a backup every night that systemd takes', () => {
    const folder = ingot.folder()
    const program = join(folder, 'ingot')
    writeFileSync(program, '#!/bin/sh\n')
    chmodSync(program, 0o755)
    const text = read('kitchen-backup.service')
    const command = /^ExecStart=\/opt\/ingot\/node_modules\/.bin\/ingot backup (.*)$/m.exec(text)?.[1] ?? ''
    expect(readBackupLine(command.split(' '))).toEqual({ dir: '/srv/kitchen', to: '/var/backups/kitchen', keep: 14 })
    const units = ['kitchen-backup.service', 'kitchen-backup.timer'].map((name) => join(folder, name))
    writeFileSync(units[0] ?? '', text.replace('/opt/ingot/node_modules/.bin/ingot', program))
    writeFileSync(units[1] ?? '', read('kitchen-backup.timer'))
    expect(checked('systemd-analyze', ['verify', '--man=no', ...units])).toBeOneOf(['', null])
  })

  it('are configurations that nginx and Caddy take', () => {
    const folder = ingot.folder()
    const key = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
    const made = checked('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=shop.example',
      ...key,
    ])
    expect(made).toBe('')
    const conf = read('nginx.conf').replaceAll('/etc/letsencrypt/live/shop.example', folder)
    expect(conf).toContain(`${folder}/privkey.pem`)
    // nginx opens its ports even to check a configuration.
    const listening = conf.replaceAll(
      /listen (?:\[(::)\]:)?(\d+)/g,
      (_, six = '', port) => `listen unix:${folder}/${port}${six}`,
    )
    writeFileSync(join(folder, 'site.conf'), listening)
    writeFileSync(
      join(folder, 'nginx.conf'),
      `pid ${folder}/pid; error_log stderr; events {} http { access_log off; include ${folder}/site.conf; }`,
    )
    expect(checked('nginx', ['-t', '-q', '-p', folder, '-c', join(folder, 'nginx.conf')])).toBeOneOf(['', null])
    const caddy = ['--config', join(site, 'deploy/Caddyfile'), '--adapter', 'caddyfile']
    expect(checked('caddy', ['validate', ...caddy])).toBeOneOf(['', null])
  })

  it('are settings that the server reads', () => {
    const lines = read('kitchen.env').split('\n')
    const pairs = (all: readonly string[]) =>
      Object.fromEntries(
        all.flatMap((line) => [[...(/^(\w+)=(.*)$/.exec(line) ?? []).slice(1)]].filter(({ length }) => length === 2)),
      )
    const set = pairs(lines)
    expect(readSettings(set, 'production')).toMatchObject({ host: '127.0.0.1', proxies: 1, hosts: ['shop.example'] })
    const known = Object.values(ENVIRONMENT).flatMap((group) => Object.keys(group))
    const offered = pairs(lines.map((line) => line.replace(/^#(?=[A-Z])/, '')))
    expect(Object.keys(offered).filter((name) => !known.includes(name))).toEqual([])
    expect(Object.keys(offered).length).toBeGreaterThan(Object.keys(set).length)
    for (const [, name = ''] of read('Containerfile').matchAll(/\b(INGOT_\w+)=/g)) expect(known).toContain(name)
  })

  it('have limits that fit those of the server', () => {
    const { bodyLimit, uploadLimit, grace, observe } = readSettings({}, 'production')
    const largest = 4 * uploadLimit + bodyLimit
    expect(Number(/client_max_body_size (\d+)m;/.exec(read('nginx.conf'))?.[1]) * 1024 * 1024).toBeGreaterThan(largest)
    expect(Number(/max_size (\d+)MB/.exec(read('Caddyfile'))?.[1]) * 1_000_000).toBeGreaterThan(largest)
    expect(Number(/TimeoutStopSec=(\d+)/.exec(read('kitchen.service'))?.[1])).toBeGreaterThanOrEqual(
      grace + observe.drain + 30,
    )
    for (const name of ['nginx.conf', 'Caddyfile'])
      for (const path of [observe.upPath, observe.readyPath, observe.metrics.path])
        expect(read(name)).toMatch(new RegExp(`${path}|\\^/_ingot/\\([a-z|]*${path.slice('/_ingot/'.length)}`))
    expect(read('Containerfile')).toContain(observe.upPath)
  })
})
