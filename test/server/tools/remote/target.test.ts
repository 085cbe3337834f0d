/** Tests how a command finds its server, and the messages when it cannot. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findServer, meansServer } from '../../../../server/tools/remote/target.ts'
import type { RemoteSettings } from '../../../../server/core/settings.ts'

const NONE: RemoteSettings = { url: null, token: null, email: null, file: null }
const SET: RemoteSettings = { url: 'https://set.example/', token: 'token-of-set', email: 'ada@example.com', file: null }

let root: string
let dir: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'ingot-target-'))
  dir = join(root, 'site')
  mkdirSync(dir)
  writeFileSync(
    join(dir, '.pos'),
    JSON.stringify({
      staging: { url: 'https://staging.example/', token: 'token-of-staging', email: 'ada@example.com', extra: 1 },
      local: { url: 'http://127.0.0.1:3000', token: 'token-of-local' },
    }),
  )
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

const found = (named: string | null, remote: RemoteSettings = NONE, folder = dir) =>
  findServer(named, { dir: folder, remote })
/** Creates a folder with a file of environments that has this text. */
function folderWith(text: string): string {
  const folder = mkdtempSync(join(root, 'wrong-'))
  writeFileSync(join(folder, '.pos'), text)
  return folder
}

describe('the server', () => {
  it('is an environment of the file .pos, by its name or its URL', async () => {
    const staging = { url: 'https://staging.example', token: 'token-of-staging', email: 'ada@example.com' }
    expect(await found('staging')).toEqual(staging)
    expect(await found('https://staging.example')).toEqual(staging)
    expect(await found('http://127.0.0.1:3000/')).toEqual({
      url: 'http://127.0.0.1:3000',
      token: 'token-of-local',
      email: null,
    })
  })

  it('is that of the variables where all three are set', async () => {
    const set = { url: 'https://set.example', token: 'token-of-set', email: 'ada@example.com' }
    expect(await found(null, SET)).toEqual(set)
    expect(await found('staging', SET)).toEqual(set)
    expect(await found('staging', { ...SET, email: null })).toMatchObject({ url: 'https://staging.example' })
  })

  it('at a URL gets no token of another server', async () => {
    await expect(found('https://other.example', SET)).rejects.toThrow('There is no token for https://other.example')
    expect(await found('https://other.example', { ...SET, url: null })).toMatchObject({ token: 'token-of-set' })
    expect(await found('https://set.example', SET)).toMatchObject({ token: 'token-of-set' })
  })

  it('is named in a file that CONFIG_FILE_PATH names', async () => {
    const file = join(root, 'servers.json')
    writeFileSync(file, JSON.stringify({ other: { url: 'https://other.example', token: 'other' } }))
    expect(await found('other', { ...NONE, file })).toMatchObject({ url: 'https://other.example' })
    await expect(found('other', { ...NONE, file: join(root, 'gone.json') })).rejects.toThrow('CONFIG_FILE_PATH')
  })

  it('is what is missing, with the names that there are', async () => {
    await expect(found(null)).rejects.toThrow(/No server was given.*staging, local/)
    await expect(found('stagign')).rejects.toThrow(/has no environment 'stagign': it has staging, local/)
    await expect(found('staging', NONE, root)).rejects.toThrow('There is no file .pos')
  })

  it.each([
    ['{"a": {"url": "https://a.example",, "token": "t"}}', /'.*\.pos' is not valid JSON \(line 1, column 35\)/],
    ['{\n  "a": {\n', /is not valid JSON \(line 3, column 1\)/],
    ['{"a": {"token": "t"}}', /is invalid: a\.url: /],
    ['{"a": {"url": "ftp://a.example", "token": "t"}}', /a\.url cannot be 'ftp:\/\/a\.example'/],
    ['{"a": {"url": "https://a.example", "token": "a b"}}', /a\.token is not a valid token/],
  ])('is not read from %j', async (text, message) => {
    await expect(found('a', NONE, folderWith(text))).rejects.toThrow(message)
  })
})

describe('a word', () => {
  it('means a server where it is a URL or an environment, and no folder', async () => {
    const means = (word: string) => meansServer(word, { dir, remote: NONE })
    expect(await means('https://anywhere.example')).toBe(true)
    expect(await means('staging')).toBe(true)
    expect(await means(dir)).toBe(false)
    expect(await means('unknown')).toBe(false)
  })
})
