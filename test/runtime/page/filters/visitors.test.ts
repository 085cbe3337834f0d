/** Filters for data of visitors: browsers, telephone numbers, keys, QR codes and files. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKey } from 'openpgp'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ArgumentFault, LiquidFault } from '../../../../runtime/page/fault.ts'
import { Render } from '../../../../runtime/page/render.ts'
import type { FetchPort } from '../../../../runtime/page/services.ts'
import { toBytes } from '../../../../runtime/page/values/bytes.ts'
import { Safe, str } from '../../../../runtime/page/values/text.ts'
import { findFilter, createRender } from './evaluator.ts'

const run = (name: string, ...values: readonly unknown[]): unknown => findFilter(name)?.run(...values)

describe('useragent', () => {
  it('returns the documented structure', () => {
    expect(run('useragent', 'Mozilla/5.0 (Windows NT 6.1; rv:47.0) Gecko/20100101 Firefox/47.0')).toEqual({
      family: 'Firefox',
      version: { version: '47.0', major: '47', minor: '0', patch: null },
      os: { family: 'Windows 7', version: null },
      device: { family: 'Other', model: 'Other', brand: null },
    })
  })

  it.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      {
        family: 'Mobile Safari',
        os: { family: 'iOS', version: '17.5' },
        device: { family: 'iPhone', model: 'iPhone', brand: 'Apple' },
      },
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8 Pro Build/UQ1A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Mobile Safari/537.36',
      {
        family: 'Chrome Mobile',
        os: { family: 'Android', version: '14' },
        device: { family: 'Pixel 8 Pro', model: 'Pixel 8 Pro', brand: null },
      },
    ],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Mobile Safari/537.36',
      { family: 'Chrome Mobile', device: { family: 'Other', model: 'Other', brand: null } },
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
      { family: 'Safari', os: { family: 'Mac OS X', version: '10.15.7' } },
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36 Edg/125.0.2535.51',
      {
        family: 'Edge',
        version: { version: '125.0.2535.51', major: '125', minor: '0', patch: '2535' },
        os: { family: 'Windows 10', version: null },
      },
    ],
    [
      'curl/8.5.0',
      {
        family: 'Other',
        version: { version: null, major: null, minor: null, patch: null },
        os: { family: 'Other', version: null },
      },
    ],
    ['', { family: 'Other' }],
    [null, { family: 'Other' }],
  ])('of %s', (header, expected) => {
    expect(run('useragent', header)).toMatchObject(expected)
  })
})

describe('to_mobile_number', () => {
  it.each([
    ['500 123 999', 'PL', '+48500123999'],
    ['500 123 999', 'POL', '+48500123999'],
    ['500-123-999', 'Poland', '+48500123999'],
    ['0151 23456789', 'germany', '+4915123456789'],
    ['(415) 555-2671', 'United States', '+14155552671'],
    ['(415) 555-2671', 'United States of America', '+14155552671'],
    ['07400 123456', 'GBR', '+447400123456'],
    ['07400 123456', 'Great Britain', '+447400123456'],
    ['+48 500 123 999', null, '+48500123999'],
    ['+48 500 123 999', 'DE', '+48500123999'],
    ['0048 500 123 999', 'DE', '+48500123999'],
    [500123999, 'PL', '+48500123999'],
    ['0151 23456789', 'Deutschland', null],
    ['500 123 999', null, null],
    ['500 123 999', 'Atlantis', null],
    ['12', 'PL', null],
    ['text', 'PL', null],
    ['', 'PL', null],
    [null, null, null],
    ['5'.repeat(1e6), 'PL', null],
  ])('%s of %s', async (number, country, expected) => {
    expect(await run('to_mobile_number', number, country)).toBe(expected)
  })
})

describe('is_gpg_valid', () => {
  it('knows a public key from everything else', async () => {
    const { publicKey, privateKey } = await generateKey({ userIDs: [{ name: 'A', email: 'a@example.com' }] })
    expect(await run('is_gpg_valid', publicKey)).toBe(true)
    expect(await run('is_gpg_valid', `Here it is:\n${publicKey}\nBye`)).toBe(true)
    expect(await run('is_gpg_valid', publicKey.replaceAll('\n', '\r\n'))).toBe(true)
    expect(await run('is_gpg_valid', privateKey)).toBe(false)
    expect(await run('is_gpg_valid', publicKey.slice(0, 300))).toBe(false)
    expect(await run('is_gpg_valid', publicKey.replace(/\n\n./, '\n\nA'))).toBe(false)
    for (const other of ['', '...', null, 5, [publicKey][1], '-----BEGIN PGP PUBLIC KEY BLOCK-----'])
      expect(await run('is_gpg_valid', other)).toBe(false)
  })
})

describe('url_to_qrcode_svg', () => {
  it('is as wide as the documented one', () => {
    const svg = run('url_to_qrcode_svg', 'https://example.com')
    expect(svg).toBeInstanceOf(Safe)
    expect(str(svg)).toMatch(
      /^<\?xml version="1.0" standalone="yes"\?><svg .* width="319" height="319" .*><path d="M[^"]*" fill="#000"\/><\/svg>$/,
    )
  })

  it('has the modules that the path draws', async () => {
    const svg = str(run('url_to_qrcode_svg', 'https://example.com', { module_size: 4 }))
    const { data, info } = await sharp(Buffer.from(svg))
      .flatten({ background: 'white' })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([116, 116])
    // The upper left finder pattern: a dark frame of seven modules, a light one of five, a dark square of three.
    const dark = (x: number, y: number) => (data[(y * 4 + 2) * info.width + x * 4 + 2] ?? 255) < 128
    const row = (y: number) => Array.from({ length: 8 }, (_, x) => (dark(x, y) ? '#' : '.')).join('')
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(row)).toEqual([
      '#######.',
      '#.....#.',
      '#.###.#.',
      '#.###.#.',
      '#.###.#.',
      '#.....#.',
      '#######.',
      '........',
    ])
  })

  it('accepts its options', () => {
    const path = str(run('url_to_qrcode_svg', 'x', { standalone: false, color: 'rgb(1, 2, 3)', module_size: 1 }))
    expect(path).toMatch(/^<path d="M0 0h7v1h-7z.*" fill="rgb\(1, 2, 3\)"\/>$/)
    const svg = str(
      run('url_to_qrcode_svg', 'x', {
        viewbox: true,
        shape_rendering: 'auto',
        svg_attributes: { class: 'a"b', width: '50%' },
      }),
    )
    expect(svg).toContain(' viewBox="0 0 231 231" shape-rendering="auto" class="a&quot;b" width="50%">')
    expect(str(run('url_to_qrcode_svg', 'x', { svg_attributes: { width: 9 } })).match(/ width=/g)).toHaveLength(1)
  })

  it.each([
    ['x', { color: '"/><script>' }, 'color must be'],
    ['x', { svg_attributes: { onload: 'alert(1)' } }, "cannot have 'onload'"],
    ['x', { svg_attributes: { 'a b': 1 } }, "cannot have 'a b'"],
    ['x', { svg_attributes: 'a' }, 'must be a hash'],
    ['x', { module_size: 0 }, 'must be a positive integer'],
    ['x', { module_size: 1e6 }, 'at most 1000'],
    ['x'.repeat(1274), null, 'too long'],
    ['ż'.repeat(700), null, 'too long'],
  ])('refuses what cannot be (%#)', (url, options, message) => {
    expect(() => run('url_to_qrcode_svg', url, options)).toThrow(LiquidFault)
    expect(() => run('url_to_qrcode_svg', url, options)).toThrow(message)
  })

  it('holds as much as the largest code', () => {
    expect(str(run('url_to_qrcode_svg', 'x'.repeat(1273), { module_size: 1 }))).toContain('width="177"')
  })
})

describe('download_file', () => {
  let server: Server
  let base = ''
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/text') response.end('żółw')
      else if (request.url === '/bytes') response.end(Buffer.of(0, 255, 128))
      else if (request.url === '/big') response.end(Buffer.alloc(1_048_577))
      else response.writeHead(404).end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  const fetchPort: FetchPort = {
    async download(url, maxBytes) {
      const answer = await fetch(url).catch(() => null)
      if (answer?.ok !== true) throw new ArgumentFault(`the file cannot be fetched: ${answer?.status ?? 'no answer'}`)
      const bytes = new Uint8Array(await answer.arrayBuffer())
      if (bytes.length > maxBytes) throw new ArgumentFault('the file is too large')
      return bytes
    },
  }

  async function through(fetch: FetchPort | null, ...values: readonly unknown[]): Promise<unknown> {
    const r = createRender({})
    const render = new Render(r.site, { ...r.services, fetch }, { context: {} })
    return findFilter('download_file')?.run(render, ...values)
  }
  const download = (...values: readonly unknown[]): Promise<unknown> => through(fetchPort, ...values)

  it('returns text, or bytes', async () => {
    expect(await download(`${base}/text`)).toBe('żółw')
    expect(toBytes(await download(`${base}/bytes`))).toEqual(Buffer.of(0, 255, 128))
  })

  it('asks for no more than it may', async () => {
    await expect(download(`${base}/big`)).rejects.toThrow('too large')
    expect(await download(`${base}/big`, 1.5)).toHaveLength(1_048_577)
    expect(await download(`${base}/big`, '2')).toHaveLength(1_048_577)
    for (const wrong of [0, -1, 51, 1e12]) await expect(download(`${base}/text`, wrong)).rejects.toThrow('at most 50')
    await expect(download(`${base}/text`, 'much')).rejects.toThrow('must be an integer')
    await expect(download(`${base}/gone`)).rejects.toThrow('cannot be fetched: 404')
    await expect(download('nonsense')).rejects.toThrow('cannot be fetched')
  })

  it('is refused where the host does not offer it', async () => {
    await expect(through(null, `${base}/text`)).rejects.toThrow('does not offer')
  })
})
