/** Tests JSON Web Tokens and Encryption with the samples of the standards and with another implementation. */
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { compactDecrypt, compactVerify, importPKCS8, jwtVerify, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import { toBytes, decodeBytes } from '../../../../runtime/page/values/bytes.ts'
import { fault, pem, run } from './calls.ts'
import { findFilter, createRender } from './evaluator.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const p521 = generateKeyPairSync('ec', { namedCurve: 'P-521' })

describe('jwt_encode and jwt_decode', () => {
  const now = Date.parse('2024-02-05T07:08:09Z') / 1000
  const claims = { sub: 'a', n: 1 }

  it('add fields to the header, and keep the algorithm', () => {
    const payload = { key: 'value', another_key: 'another value' }
    expect(run('jwt_encode', payload, 'HS256', 'this-is-secret', { cty: 'custom' })).toBe(
      'eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImN0eSI6ImN1c3RvbSJ9.eyJrZXkiOiJ2YWx1ZSIsImFub3RoZXJfa2V5IjoiYW5vdGhlciB2YWx1ZSJ9.5_-LcqcbLMeswMw04UfXqDyqAEk1x-Pwi9nwGMqxHtQ',
    )
    const token = run('jwt_encode', payload, 'HS256', 's', { alg: 'none', typ: 'x' })
    expect(run('jwt_decode', token, 'HS256', 's')).toEqual([payload, { typ: 'x', alg: 'HS256' }])
  })

  it('read the token of RFC 7515, A.1', () => {
    const token =
      'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    const secret = decodeBytes(
      Buffer.from(
        'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
        'base64url',
      ),
    )
    expect(fault('jwt_decode', token, 'HS256', secret)).toBe('jwt_decode filter - Signature has expired')
    const then = createRender({ $now: '2011-03-22T18:00:00Z' })
    const decode = findFilter('jwt_decode')
    expect(decode?.run(then, token, 'HS256', secret)).toEqual([
      { iss: 'joe', exp: 1300819380, 'http://example.com/is_root': true },
      { typ: 'JWT', alg: 'HS256' },
    ])
  })

  it('read the token of RFC 7515, A.3', () => {
    const token =
      'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q'
    const [x, y] = ['f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU', 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'].map(
      (part) => Buffer.from(part, 'base64url'),
    ) as [Buffer, Buffer]
    const point = Buffer.concat([Buffer.of(4), x, y]).toString('base64url')
    expect(fault('jwt_decode', token, 'ES256', point)).toContain('has expired')
    expect(fault('jwt_decode', token.replace('.DtE', '.DtF'), 'ES256', point)).toContain('verification failed')
  })

  it.each([
    ['HS256', 'shared secret', 'shared secret'],
    ['HS384', 'shared secret', 'shared secret'],
    ['HS512', 'shared secret', 'shared secret'],
    ['RS256', pem(rsa.privateKey), pem(rsa.publicKey)],
    ['RS384', pem(rsa.privateKey), pem(rsa.publicKey)],
    ['RS512', pem(rsa.privateKey), pem(rsa.publicKey)],
    ['ES256', pem(p256.privateKey), pem(p256.publicKey)],
    ['ES384', pem(p384.privateKey), pem(p384.publicKey)],
    ['ES512', pem(p521.privateKey), pem(p521.publicKey)],
  ])('%s is understood by another implementation, and the other way round', async (alg, secret, verifier) => {
    const token = String(run('jwt_encode', claims, alg, secret))
    const theirKey = alg.startsWith('HS')
      ? Buffer.from(secret)
      : { RS: rsa, ES: { 256: p256, 384: p384, 512: p521 }[alg.slice(2)] ?? p256 }[alg.slice(0, 2)]?.publicKey
    const { payload } = await compactVerify(token, theirKey as KeyObject)
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(claims)
    expect(run('jwt_decode', token, alg, verifier)).toEqual([claims, { typ: 'JWT', alg }])
    const signer = alg.startsWith('HS') ? Buffer.from(secret) : await importPKCS8(secret, alg)
    const theirs = await new SignJWT(claims).setProtectedHeader({ alg }).sign(signer)
    expect(run('jwt_decode', theirs, alg, verifier)).toEqual([claims, { alg }])
    const [head, body, tail = ''] = theirs.split('.')
    const changed = `${head}.${body}.${tail.startsWith('A') ? 'B' : 'A'}${tail.slice(1)}`
    expect(fault('jwt_decode', changed, alg, verifier)).toContain('Signature verification failed')
    expect(fault('jwt_decode', `${head}.${body}.`, alg, verifier)).toContain('Signature verification failed')
  })

  it('sign with the raw scalar of a curve, the form of VAPID keys', async () => {
    const { d = '' } = p256.privateKey.export({ format: 'jwk' })
    const token = String(run('jwt_encode', { aud: 'https://push.example' }, 'ES256', d))
    expect((await jwtVerify(token, p256.publicKey)).payload.aud).toBe('https://push.example')
  })

  it('use JSON text as the payload, and other text as a string', () => {
    const decoded = (payload: unknown) =>
      (run('jwt_decode', run('jwt_encode', payload, 'HS256', 's'), 'HS256', 's') as unknown[])[0]
    expect(decoded('{"a":1}')).toEqual({ a: 1 })
    expect(decoded('plain "text"')).toBe('plain "text"')
    expect(fault('jwt_encode', 5, 'HS256', 's')).toBe(
      'jwt_encode filter - first argument must be a hash or a string, received: 5',
    )
    expect(fault('jwt_encode', {}, 'RS1024', 's')).toContain('it is one of none, HS256, HS384, HS512, RS256')
  })

  it('never take the algorithm from the token', () => {
    const unsigned = String(run('jwt_encode', claims, 'none'))
    expect(unsigned.endsWith('.')).toBe(true)
    expect(fault('jwt_decode', unsigned, 'HS256', 's')).toContain('Expected a different algorithm')
    expect(fault('jwt_decode', unsigned, 'none')).toContain('cannot be verified')
    expect(fault('jwt_decode', unsigned, 'none', '', null)).toContain('cannot be verified')
    expect(run('jwt_decode', unsigned, 'none', '', false)).toEqual([claims, { typ: 'JWT', alg: 'none' }])
    // The attack: an HMAC signature that uses the public key, which is known to everyone, as the secret.
    const [head, body] = unsigned.split('.')
    const forgedHead = Buffer.from('{"alg":"HS256"}').toString('base64url')
    const mac = createHmac('sha256', pem(rsa.publicKey)).update(`${forgedHead}.${body}`).digest('base64url')
    const forged = `${forgedHead}.${body}.${mac}`
    expect(fault('jwt_decode', forged, 'RS256', pem(rsa.publicKey))).toContain('Expected a different algorithm')
    expect(fault('jwt_decode', forged, 'HS256', pem(rsa.publicKey))).toContain('a PEM key cannot be an HMAC secret')
    expect(fault('jwt_encode', {}, 'HS256', pem(rsa.publicKey))).toContain('a PEM key cannot be an HMAC secret')
    expect(fault('jwt_decode', `${head}.${body}.`, 'HS256')).not.toContain('no fault')
    expect(fault('jwt_decode', run('jwt_encode', {}, 'HS256', 's'), 'HS256')).toContain('must not be empty')
    expect(fault('jwt_encode', {}, 'HS256')).toContain('must not be empty')
    expect(
      fault('jwt_decode', run('jwt_encode', {}, 'ES256', pem(p256.privateKey)), 'ES384', pem(p256.publicKey)),
    ).toContain('different')
    expect(fault('jwt_encode', {}, 'ES384', pem(p256.privateKey))).toContain('ES384 needs a key of the curve secp384r1')
    expect(fault('jwt_encode', {}, 'RS256', pem(p256.privateKey))).toContain('not an RSA key')
    expect(fault('jwt_decode', run('jwt_encode', {}, 'HS256', 's', { crit: ['x'] }), 'HS256', 's')).toContain(
      'extensions',
    )
  })

  it('mind when a token begins and ends', () => {
    const decoded = (payload: object) => fault('jwt_decode', run('jwt_encode', payload, 'HS256', 's'), 'HS256', 's')
    expect(decoded({ exp: now })).toContain('Signature has expired')
    expect(decoded({ exp: now + 1 })).toContain('no fault')
    expect(decoded({ nbf: now + 1 })).toContain('nbf has not been reached')
    expect(decoded({ nbf: now })).toContain('no fault')
    expect(decoded({ exp: 'soon' })).toContain('is not a number')
    const old = run('jwt_encode', { exp: 1 }, 'HS256', 's')
    expect(run('jwt_decode', old, 'HS256', 's', false)).toEqual([{ exp: 1 }, { typ: 'JWT', alg: 'HS256' }])
  })

  it.each([
    '',
    'a',
    'a.b',
    'a.b.c.d',
    '..',
    'e30.e30',
    'bnVsbA.e30.',
    'W10.e30.x',
    '%.e30.x',
    `${'x'.repeat(2e6)}.a.b`,
  ])('refuse what is no token (%#)', (token) => {
    expect(fault('jwt_decode', token, 'HS256', 's')).toMatch(/segments|segment encoding/)
    expect(fault('jwt_decode', token, 'HS256', 's', false)).toMatch(/segments|segment encoding/)
  })

  it('reach no prototype', () => {
    const token = `${Buffer.from('{"alg":"HS256","__proto__":{"kid":"x"}}').toString('base64url')}.${Buffer.from('{"__proto__":{"polluted":true}}').toString('base64url')}.x`
    const [payload] = run('jwt_decode', token, 'HS256', 's', false) as [Record<string, unknown>]
    expect(Object.hasOwn(payload, '__proto__')).toBe(true)
    expect(payload['polluted']).toBeUndefined()
  })

  it('find the key of a set by its name', () => {
    const jwk = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid })
    const keys = [jwk(otherRsa.publicKey, 'one'), jwk(rsa.publicKey, 'two'), jwk(p256.publicKey, 'three')]
    const token = run('jwt_encode', claims, 'RS256', pem(rsa.privateKey), { kid: 'two' })
    expect(run('jwt_decode', token, 'RS256', '', true, { keys })).toEqual([
      claims,
      { typ: 'JWT', alg: 'RS256', kid: 'two' },
    ])
    const decoded = (kid: unknown, set: unknown, alg = 'RS256') =>
      fault('jwt_decode', run('jwt_encode', claims, 'RS256', pem(rsa.privateKey), { kid }), alg, '', true, set)
    expect(decoded('one', { keys })).toContain('verification failed')
    expect(decoded('four', { keys })).toContain('no key for the token')
    expect(decoded('three', { keys })).toContain('no key for the token')
    expect(decoded(null, { keys })).toContain('no key for the token')
    expect(decoded(null, { keys: [jwk(rsa.publicKey, 'x')] })).toContain('no fault')
    expect(decoded('two', { keys: [{ ...jwk(rsa.publicKey, 'two'), alg: 'RS512' }] })).toContain('no key for the token')
    expect(decoded('two', { keys: [{ ...jwk(rsa.publicKey, 'two'), use: 'enc' }] })).toContain('no key for the token')
    expect(decoded('two', { keys: [{ kty: 'RSA', kid: 'two', n: 5 }] })).toContain('cannot be read')
    expect(decoded('two', {})).toContain('array of keys')
    expect(decoded('two', 'text')).toContain('array of keys')
    expect(decoded('two', { keys }, 'HS256')).not.toContain('no fault')
  })
})

interface Content {
  readonly head: string
  readonly iv: string
  readonly text: string
  readonly tag: string
}

/** Decrypts the content of a JWE with another library than the one that encrypted it. */
async function openContent({ head, iv, text, tag }: Content, key: Uint8Array, enc: string): Promise<string> {
  const [nonce, sealed, mac] = [iv, text, tag].map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer, Buffer]
  const { subtle } = globalThis.crypto
  if (enc.endsWith('GCM')) {
    const opener = await subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
    const how = { name: 'AES-GCM', iv: nonce, additionalData: Buffer.from(head) }
    return new TextDecoder().decode(await subtle.decrypt(how, opener, Buffer.concat([sealed, mac])))
  }
  const half = key.length / 2
  const hash = `SHA-${enc.slice(-3)}`
  const signer = await subtle.importKey('raw', key.slice(0, half), { name: 'HMAC', hash }, false, ['sign'])
  const length = Buffer.alloc(8)
  length.writeUInt32BE(head.length * 8, 4)
  const signature = await subtle.sign('HMAC', signer, Buffer.concat([Buffer.from(head), nonce, sealed, length]))
  expect(Buffer.from(signature).subarray(0, half)).toEqual(mac)
  const opener = await subtle.importKey('raw', key.slice(half), 'AES-CBC', false, ['decrypt'])
  return new TextDecoder().decode(await subtle.decrypt({ name: 'AES-CBC', iv: nonce }, opener, sealed))
}

describe('jwe_encode', () => {
  it('is checked by the library that decrypts the token of RFC 7516, A.2', async () => {
    const key = Buffer.from('04d31fc5549dfcfe0b649dfa3faa6ace6b7cd42d6f6b09dbc8b100f08f9c2ccf', 'hex')
    const content = {
      head: 'eyJhbGciOiJSU0ExXzUiLCJlbmMiOiJBMTI4Q0JDLUhTMjU2In0',
      iv: 'AxY8DCtDaGlsbGljb3RoZQ',
      text: 'KDlTtXchhZTGufMYmOYGS4HffxPSUrfmqCHXaI9wOGY',
      tag: '9hH0vgRfYgPnAHOd8stkvw',
    }
    expect(await openContent(content, key, 'A128CBC-HS256')).toBe('Live long and prosper.')
  })

  const content = ['A128CBC-HS256', 'A192CBC-HS384', 'A256CBC-HS512', 'A128GCM', 'A192GCM', 'A256GCM']

  it.each(['RSA-OAEP', 'RSA-OAEP-256', 'RSA-OAEP-384', 'RSA-OAEP-512'])(
    '%s is read by the holder of the key',
    async (alg) => {
      for (const enc of content) {
        const token = String(await run('jwe_encode', '{"a":"ż"}', pem(rsa.publicKey), alg, enc))
        const { plaintext, protectedHeader } = await compactDecrypt(token, rsa.privateKey)
        expect(new TextDecoder().decode(plaintext)).toBe('{"a":"ż"}')
        expect(protectedHeader).toEqual({ alg, enc })
      }
    },
  )

  it('accepts keys of curves, and JSON Web Keys', async () => {
    for (const alg of ['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A256KW']) {
      const jwk = JSON.stringify(p384.publicKey.export({ format: 'jwk' }))
      for (const key of [jwk, pem(p384.publicKey)]) {
        const token = String(await run('jwe_encode', '{}', key, alg, 'A256GCM'))
        expect(new TextDecoder().decode((await compactDecrypt(token, p384.privateKey)).plaintext)).toBe('{}')
      }
    }
  })

  it('accepts secrets', async () => {
    for (const [alg, length] of [
      ['dir', 32],
      ['A128KW', 16],
      ['A256KW', 32],
      ['A192GCMKW', 24],
      ['PBES2-HS256+A128KW', 12],
    ] as const) {
      const key = 'k'.repeat(length)
      const token = String(await run('jwe_encode', '{}', key, alg, 'A256GCM'))
      const options = { keyManagementAlgorithms: [alg] }
      expect(new TextDecoder().decode((await compactDecrypt(token, Buffer.from(key), options)).plaintext)).toBe('{}')
    }
  })

  it('RSA1_5 transmits a key that decrypts the content', async () => {
    for (const enc of content) {
      const token = String(await run('jwe_encode', '{"a":1}', pem(rsa.publicKey), 'RSA1_5', enc))
      const [head, wrapped = '', iv, text, tag] = token.split('.')
      expect(JSON.parse(Buffer.from(head ?? '', 'base64url').toString())).toEqual({ alg: 'RSA1_5', enc })
      // Node does not support this padding, so the filter removes it.
      const key = toBytes(run('decrypt', wrapped, 'RSA', pem(rsa.privateKey)))
      const plain = await openContent({ head: head ?? '', iv: iv ?? '', text: text ?? '', tag: tag ?? '' }, key, enc)
      expect(plain).toBe('{"a":1}')
    }
  })

  it('reports the reason', async () => {
    const rejected = async (...values: readonly unknown[]) =>
      (run('jwe_encode', ...values) as Promise<unknown>).then(
        () => 'no fault',
        (error: unknown) => (error instanceof LiquidFault ? error.message : `escaped: ${String(error)}`),
      )
    expect(await rejected('{}', 'k', 'none', 'A128GCM')).toContain('it is one of RSA1_5, RSA-OAEP')
    expect(await rejected('{}', 'k', 'dir', 'ROT13')).toContain('it is one of A128CBC-HS256')
    expect(await rejected('{}', 'k', 'dir', 'A128GCM')).toContain('the key does not fit dir with A128GCM')
    expect(await rejected('{}', '', 'dir', 'A128GCM')).toContain('must not be empty')
    expect(await rejected('{}', 'x', 'RSA-OAEP', 'A128GCM')).toContain('the public key cannot be read')
    expect(await rejected('{}', pem(p256.publicKey), 'RSA-OAEP', 'A128GCM')).toContain('does not fit')
    expect(await rejected('{}', pem(p256.publicKey), 'RSA1_5', 'A128GCM')).toContain('does not fit')
  })
})
