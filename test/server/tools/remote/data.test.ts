/** Tests `ingot data` with another server: its requests, its handling of responses, and its exit codes. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../../../server/tools/remote/client.ts'
import { readDataLine, remoteDataCommand } from '../../../../server/commands/remote-data.ts'
import { runData } from '../../../../server/tools/remote/data.ts'
import { readSettings } from '../../../../server/core/settings.ts'
import { writeZip } from '../../../../server/web/files/zip.ts'

interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Status and body of the responses, by method and path. They are sent in order; the last one is repeated. */
type Answers = Record<string, (readonly [status: number, body: unknown])[]>

let server: Server
let url: string
let root: string
let asked: Asked[] = []
let answers: Answers = {}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'ingot-remote-data-'))
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', headers, url: path = '' } = request
      asked.push({ method, url: path, headers, body })
      const known = answers[`${method} ${path.replace(/(presign-url)\?.*/, '$1')}`] ?? []
      const [status, answer] = (known.length > 1 ? known.shift() : known[0]) ?? [404, { error: `nothing at ${path}` }]
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  rmSync(root, { recursive: true, force: true })
})

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'))
  asked = []
})
afterEach(() => {
  answers = {}
})

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function run(
  verb: Parameters<typeof readDataLine>[0],
  rest: readonly string[],
  reply: string | null = null,
): Promise<Ran> {
  let out = ''
  let err = ''
  const output = {
    out: (said: string) => void (out += said),
    print: (said: string) => void (err += said),
    signal: new AbortController().signal,
  }
  const client = createClient({ url, token: 'secret', email: 'ada@example.com' }, '1.2.3')
  const code = await runData(readDataLine(verb, ['staging', ...rest]), client, output, async () => reply)
  return { code, out, err }
}

const DATA = {
  users: { results: [{ id: 'u1', email: 'ada@example.com' }] },
  transactables: { results: [] },
  models: {
    results: [
      { id: 'r1', type_name: 'note', user_id: 'u1' },
      { id: 'r2', type_name: 'note' },
    ],
  },
}
const WRITTEN = { users: DATA.users.results, transactables: [], models: DATA.models.results }

describe('an export', () => {
  it('is waited for, and written as the lists of its rows', async () => {
    answers = {
      'POST /api/app_builder/exports': [[200, { id: 7 }]],
      'GET /api/app_builder/exports/7': [
        [200, { id: 7, status: { name: 'pending' } }],
        [503, 'away'],
        [200, { id: 7, status: 'in_progress', progress: { phase: 'writing', rows: 1500, of: 3000 } }],
        [200, { id: 7, status: 'done', data: DATA }],
      ],
    }
    const file = join(folder, 'deep', 'data.json')
    expect(await run('export', [`--out=${file}`, '--raw-ids'])).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringMatching(/^writing: 1,500 of 3,000 rows\nExported the data of .* \(\d+\.\d s\)\.\n$/),
    })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(WRITTEN)
    expect(asked[0]?.headers).toMatchObject({ authorization: 'Token secret', from: 'ada@example.com' })
    expect(asked[0]?.body).toMatch(/name="export_internal"\r\n\r\ntrue\r\n/)
    expect(JSON.parse((await run('export', [])).out)).toEqual(WRITTEN)
  })

  it('of CSV is fetched from where the server says, without the token', async () => {
    answers = {
      'POST /api/app_builder/exports?csv_export=true': [[200, { id: '7' }]],
      'GET /api/app_builder/exports/7?csv_export=true': [
        [200, { status: 'done', zip_file_url: `${url}/uploads/private/data.zip?signature=x` }],
      ],
      'GET /uploads/private/data.zip?signature=x': [[200, 'PK..']],
    }
    const file = join(folder, 'data.zip')
    expect(await run('export', ['--format', 'csv', '--out', file])).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'latin1')).toBe('PK..')
    expect(asked.at(-1)?.headers.authorization).toBeUndefined()
  })

  it('that fails leaves no file, and is not taken for one that was done', async () => {
    answers = {
      'POST /api/app_builder/exports': [[200, { id: 7 }]],
      'GET /api/app_builder/exports/7': [[200, { status: 'failed', error: 'the disk is full' }]],
    }
    const file = join(folder, 'data.json')
    expect(await run('export', ['--out', file])).toEqual({
      code: 1,
      out: '',
      err: 'The export failed: the disk is full\n',
    })
    answers['GET /api/app_builder/exports/7'] = [[200, { status: 'done' }]]
    expect(await run('export', ['--out', file])).toMatchObject({ code: 1 })
    answers['POST /api/app_builder/exports'] = [[403, { error: 'it needs read or admin' }]]
    expect(await run('export', ['--out', file])).toMatchObject({
      code: 1,
      err: expect.stringContaining('it needs read'),
    })
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('an import', () => {
  it('of JSON is sent as it is in the file, which nothing reads', async () => {
    const file = join(folder, 'data.json')
    const given = '{"users": [], "models": [{"id": 12345678901234567890}]}'
    writeFileSync(file, given)
    answers = {
      'POST /api/app_builder/imports': [[200, { id: 3 }]],
      'GET /api/app_builder/imports/3': [[200, { status: { name: 'done' } }]],
    }
    expect(await run('import', [file, '--raw-ids'])).toMatchObject({ code: 0 })
    expect(asked[0]).toMatchObject({
      body: `{"import":{"data":${given}},"raw_ids":true}`,
      headers: { 'content-type': 'application/json' },
    })
  })

  it('of an archive goes to the place that is given out for it', async () => {
    writeFileSync(join(folder, 'users.csv'), 'id,email\n')
    const file = join(folder, 'data')
    await writeZip([{ name: 'users.csv', from: join(folder, 'users.csv') }], file)
    answers = {
      'GET /api/app_builder/instance': [[200, { id: 12 }]],
      'GET /api/private/urls/presign-url': [[200, { url: `${url}/put`, accessUrl: `${url}/seen` }]],
      'PUT /put': [[200, '']],
      'POST /api/app_builder/imports': [[200, { id: 3 }]],
      'GET /api/app_builder/imports/3?csv_import=true': [[200, { status: 'done' }]],
    }
    expect(await run('import', [file])).toMatchObject({ code: 0 })
    const [, presign, put, post] = asked
    const query = new URLSearchParams(presign?.url.split('?')[1])
    expect(query.get('fileName')).toMatch(/^instances\/12\/data_imports\/[0-9a-f]{64}$/)
    expect(query.get('contentLength')).toBe(String(readFileSync(file).length))
    expect(presign?.headers).toMatchObject({ token: 'secret', marketplace_domain: '127.0.0.1' })
    expect(put).toMatchObject({ method: 'PUT', headers: { 'content-type': 'application/zip' } })
    expect(put?.headers.authorization).toBeUndefined()
    expect(JSON.parse(post?.body ?? '')).toEqual({ zip_file_url: `${url}/seen`, raw_ids: false })
    answers['PUT /put'] = [[403, '']]
    expect(await run('import', [file])).toMatchObject({ code: 1, err: expect.stringContaining('403') })
  })

  it('that is refused says all that is wrong', async () => {
    const file = join(folder, 'data.json')
    writeFileSync(file, '{}')
    answers = {
      'POST /api/app_builder/imports': [[200, { id: 3 }]],
      'GET /api/app_builder/imports/3': [
        [200, { status: 'failed', error: '2 rows', errors: ['line 1: a', 'line 2: b'] }],
      ],
    }
    expect((await run('import', [file])).err).toMatch(/The import failed: 2 rows\nline 1: a\nline 2: b\n$/)
    await expect(run('import', [join(folder, 'none.json')])).rejects.toThrow("none.json' cannot be read")
    mkdirSync(join(folder, 'some'))
    await expect(run('import', [join(folder, 'some')])).rejects.toThrow("some' cannot be read")
  })
})

it('an update sends its file, and waits', async () => {
  const file = join(folder, 'data.json')
  writeFileSync(file, '{"models":[]}')
  answers = {
    'POST /api/app_builder/data_updates': [[200, { id: 4 }]],
    'GET /api/app_builder/data_updates/4': [
      [200, { status: 'pending' }],
      [200, { status: 'done' }],
    ],
  }
  expect(await run('update', [file])).toMatchObject({ code: 0 })
  expect(asked[0]?.body).toMatch(/name="update\[data\]"; filename="data.json"[^]*\{"models":\[\]\}/)
  expect(asked).toHaveLength(3)
})

describe('cleaning', () => {
  const CLEANED: Answers = {
    'POST /api/app_builder/data_clean': [[200, { id: 5 }]],
    'GET /api/app_builder/data_clean/5': [[200, { status: { name: 'done' } }]],
  }

  it.each([null, '', 'clean data', 'CLEAN DATA '])('asks for nothing when %j confirms it', async (reply) => {
    answers = CLEANED
    expect(await run('clean', [], reply)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Nothing was removed'),
    })
    expect(asked).toEqual([])
  })

  it('is asked for with the words that confirm it', async () => {
    answers = CLEANED
    expect(await run('clean', ['--include-schema'], 'CLEAN DATA')).toMatchObject({ code: 0 })
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ confirmation: 'CLEAN DATA', include_schema: true })
    expect(await run('clean', ['--confirm', 'CLEAN DATA'])).toMatchObject({ code: 0 })
  })

  it('that is switched off says so', async () => {
    answers = { 'POST /api/app_builder/data_clean': [[422, { error: 'cleaning is switched off' }]] }
    expect(await run('clean', ['--confirm=CLEAN DATA'])).toEqual({
      code: 1,
      out: '',
      err: 'The clean failed: cleaning is switched off\n',
    })
  })
})

describe('a line', () => {
  it('is the command of a folder where its first word means no server', async () => {
    const settings = readSettings({}, 'development')
    for (const line of [['export'], ['export', root], ['import', 'data.json'], ['seed', url], ['nothing']])
      expect(await remoteDataCommand(line, settings, '1.2.3')).toBeNull()
    await expect(remoteDataCommand(['export', url], settings, '1.2.3')).rejects.toThrow(`There is no token for ${url}`)
    await expect(remoteDataCommand(['clean'], settings, '1.2.3')).rejects.toThrow('No server was given')
  })

  it.each([
    ['export', ['a', 'b'], "does not take 'b'"],
    ['export', ['a', '--format=xml'], "no format 'xml'"],
    ['export', ['a', '--format=csv', '--out=-'], 'is exported as an archive'],
    ['import', ['a'], 'needs a server and a file'],
    ['clean', ['a', '--raw-ids'], "no option '--raw-ids'"],
  ] as const)('%s %j is refused', (verb, rest, why) => {
    expect(() => readDataLine(verb, rest)).toThrow(why)
  })
})
