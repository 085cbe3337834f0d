/** Tests encryption, key agreement and tokens with the vectors of the standards and with other implementations. */
import {
  constants,
  createCipheriv,
  createECDH,
  createHmac,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
} from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../compiler/tools/engine.ts'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import { toBytes, decodeBytes } from '../../../../runtime/page/values/bytes.ts'
import { printed } from '../../../../runtime/page/values/text.ts'
import { fault, hex, pem, raw, run } from './calls.ts'
import { evaluate } from './evaluator.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const p521 = generateKeyPairSync('ec', { namedCurve: 'P-521' })

describe('raw bytes in texts', () => {
  it('come out as they went in, whatever they are', () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
    expect(toBytes(decodeBytes(all))).toEqual(all)
    expect(decodeBytes(all)).toHaveLength(256)
    expect(decodeBytes(Buffer.from('żółw 🎉'))).toBe('żółw 🎉')
    expect(toBytes(`ł${decodeBytes(Buffer.of(0xff, 0x41, 0x80))}🎉`)).toEqual(
      Buffer.concat([Buffer.from('ł'), Buffer.of(0xff, 0x41, 0x80), Buffer.from('🎉')]),
    )
  })

  it('pass from one filter to the next', () => {
    expect(run('base64_encode', run('digest', 'foo', 'sha256', 'none'))).toBe(run('digest', 'foo', 'sha256', 'base64'))
    const key = run('base64_decode', '/wCAfw==')
    expect(hex(key)).toBe('ff00807f')
    expect(run('compute_hmac', 'msg', key)).toBe(
      createHmac('sha256', Buffer.from('ff00807f', 'hex')).update('msg').digest('hex'),
    )
    expect(evaluate('{{ "msg" | compute_hmac: "key", "sha256", "none" | base64_encode }}', {}, printed)).toBe(
      run('compute_hmac', 'msg', 'key', 'sha256', 'base64'),
    )
  })
})

describe('keyed hashes of old algorithms', () => {
  // The results of `openssl dgst` with its legacy provider.
  it.each([
    ['RIPEMD160', 'key', 'af9f1041c7727ee3161fdbda8821364fb888a0e2'],
    ['DSS1', 'key', '102900b72b7bf1031eec76b4804b66052376896b'],
  ])('%s', (algorithm, key, expected) => {
    expect(run('compute_hmac', 'msg', key, algorithm)).toBe(expected)
  })

  it('are none of `digest`', () => {
    expect(() => run('digest', 'msg', 'ripemd160')).toThrow('md5, sha1')
  })
})

describe('encrypt and decrypt', () => {
  it('return the documented bytes of a payload that is padded with spaces', () => {
    const text = 'step=2;header.amount=10;header.paymentTypeCode=ONLINE;customer.firstName=John'
    const sealed =
      '43553EEDD9BFE36D10F99E931245CF8826903C00D235DFD300B3CC40BD263A621FC2FB9F5C3743F75D399A912AFABF92371927C6D190E0EFF19EAE9802320391FED79D92009796403EC6B426E901AB981CE53A43557C295F3D6FC9678EE0557F'
    const key = '4FCD5FAE2AC493C0F8CE8E1E6105D194'
    const how = { transform_key_to_hex: true, return_hex: true, pad_payload_right: 32 }
    expect(run('encrypt', text, 'aes-128-ecb', key, null, how)).toBe(sealed)
    const back = { transform_key_to_hex: true, from_hex: true, disable_cipher_padding: true }
    expect(run('decrypt', sealed, 'aes-128-ecb', key, back)).toBe(text.padEnd(96))
  })

  it('decrypt ciphertexts of the platform', () => {
    const sealed =
      'Kkuo2eWEnTbcrtbGjAmQVMTjptS5elsgqQe-5blHpUR-ziHPI45n2wOnY30DVZGldCTNqMT_Ml0ZFiGiupKGD4ZWxVIMkdCHaq4XgiAIUew='
    expect(run('decrypt', sealed, 'aes-256-cbc', 'ThisPasswordIsReallyHardToGuessA')).toContain('"key": "value"')
  })

  it.each([
    // Test vectors of NIST (gcmEncryptExtIV256), and test case 3 of the GCM specification.
    [
      'aes-128-gcm',
      'feffe9928665731c6d6a8f9467308308',
      'cafebabefacedbaddecaf888',
      'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255',
      '42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f59854d5c2af327cd64a62cf35abd2ba6fab4',
    ],
    [
      'aes-256-gcm',
      '0000000000000000000000000000000000000000000000000000000000000000',
      '000000000000000000000000',
      '00000000000000000000000000000000',
      'cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919',
    ],
    // Test vector of NIST SP 800-38A, F.2.1. The padding block that CBC adds is not compared.
    [
      'aes-128-cbc',
      '2b7e151628aed2a6abf7158809cf4f3c',
      '000102030405060708090a0b0c0d0e0f',
      '6bc1bee22e409f96e93d7e117393172a',
      '7649abac8119b246cee98e9b12e9197d',
    ],
    // Test vector of NIST SP 800-38A, F.5.5.
    [
      'aes-256-ctr',
      '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4',
      'f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff',
      '6bc1bee22e409f96e93d7e117393172a',
      '601ec313775789a5b7a7f504bbf3d228',
    ],
  ])('%s is that of the standard', (name, key, iv, text, sealed) => {
    const found = run('encrypt', raw(text), name, raw(key), raw(iv), { return_hex: true }) as string
    expect(found.toLowerCase().slice(0, iv.length + sealed.length)).toBe(iv + sealed)
    expect(hex(run('decrypt', found, name, raw(key), { from_hex: true }))).toBe(text)
  })

  it('decrypt their own ciphertexts with every cipher', () => {
    const ciphers = /one of (.*), RSA, RSA-OAEP$/.exec(fault('encrypt', 'x', 'rot13', 'k'))?.[1]?.split(', ') ?? []
    expect(ciphers).toHaveLength(24)
    for (const name of ciphers) {
      const length = Number(/must be (\d+) bytes/.exec(fault('encrypt', 'x', name, ''))?.[1])
      const key = 'k'.repeat(length)
      for (const text of ['', 'żółw 🎉', 'x'.repeat(1000), raw('00ff80')]) {
        const sealed = run('encrypt', text, name, key)
        expect(sealed).toMatch(/^[\w-]*={0,2}$/)
        expect(run('decrypt', sealed, name, key), name).toBe(text)
      }
      if (!name.endsWith('ecb')) expect(run('encrypt', 'x', name, key)).not.toBe(run('encrypt', 'x', name, key))
    }
  })

  it('detect every change of an authenticated ciphertext', () => {
    const key = '0123456789abcdef'
    const sealed = Buffer.from(String(run('encrypt', 'secret', 'aes-128-gcm', key)), 'base64url')
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(fault('decrypt', changed.toString('base64url'), 'aes-128-gcm', key)).toContain('cannot be decrypted')
    }
    expect(fault('decrypt', sealed.subarray(0, 20).toString('base64'), 'aes-128-gcm', key)).toContain(
      'cannot be decrypted',
    )
    expect(fault('decrypt', sealed.toString('base64'), 'aes-128-gcm', '0123456789abcdeF')).toContain('cannot be')
  })

  it('report the reason', () => {
    expect(fault('encrypt', 'x', 'aes-256-cbc', 'short')).toBe(
      'encrypt filter - the key of aes-256-cbc must be 32 bytes, not 5',
    )
    expect(fault('encrypt', 'x', 'aes-128-cbc', 'k'.repeat(16), 'iv')).toContain('must be 16 bytes, not 2')
    expect(fault('encrypt', 'x', 'aes-128-ecb', 'k'.repeat(16), 'i'.repeat(16))).toContain('must be 0 bytes')
    expect(fault('encrypt', 'x', 'aes-128-cbc', 'zz', null, { transform_key_to_hex: true })).toContain('hexadecimal')
    expect(fault('encrypt', 'x', 'aes-128-cbc', 'k'.repeat(16), null, { pad_payload_right: 3 })).toContain(
      'multiple of the block size',
    )
    expect(fault('encrypt', 'x', 'aes-128-cbc', 'k'.repeat(16), null, { pad_payload_right: 1e9 })).toContain('at most')
    expect(fault('decrypt', '%%%', 'aes-128-cbc', 'k'.repeat(16))).toContain('not Base64')
    expect(fault('decrypt', 'abc', 'aes-128-cbc', 'k'.repeat(16), { from_hex: true })).toContain('not hexadecimal')
    expect(fault('encrypt', 'x', 'RSA', pem(rsa.publicKey), 'iv')).toContain('RSA takes no initialization vector')
    expect(fault('encrypt', 'x'.repeat(300), 'RSA', pem(rsa.publicKey))).toContain('too long for the RSA key')
    expect(fault('encrypt', 'x', 'RSA', pem(p256.publicKey))).toContain('not an RSA key')
    expect(fault('encrypt', 'x', 'RSA', 'no key')).toContain('the public key cannot be read')
    expect(fault('decrypt', 'eHh4', 'RSA', pem(rsa.publicKey))).toContain('the private key cannot be read')
  })

  it('take named arguments where the vector would stand', () => {
    const sealed = run('encrypt', 'x', 'aes-128-cbc', 'k'.repeat(16), { return_hex: true })
    expect(sealed).toMatch(/^[0-9A-F]{64}$/)
    expect(run('decrypt', sealed, 'aes-128-cbc', 'k'.repeat(16), { from_hex: true })).toBe('x')
  })

  it.each([
    ['RSA', constants.RSA_PKCS1_PADDING],
    ['RSA-OAEP', constants.RSA_PKCS1_OAEP_PADDING],
  ])('%s is read by the holder of the private key, and by nobody else', (name, padding) => {
    for (const text of ['', 'żółw', raw('0000ff')]) {
      const sealed = String(run('encrypt', text, name, pem(rsa.publicKey)))
      expect(run('decrypt', sealed, name, pem(rsa.privateKey))).toBe(text)
      expect(fault('decrypt', sealed, name, pem(otherRsa.privateKey))).toContain('cannot be decrypted')
      const theirs = publicEncrypt({ key: rsa.publicKey, padding }, toBytes(text)).toString('base64')
      expect(run('decrypt', theirs, name, pem(rsa.privateKey))).toBe(text)
      if (name === 'RSA-OAEP') {
        expect(privateDecrypt({ key: rsa.privateKey, padding }, Buffer.from(sealed, 'base64url'))).toEqual(
          toBytes(text),
        )
      }
    }
    expect(fault('decrypt', Buffer.alloc(256).toString('base64'), name, pem(rsa.privateKey))).toContain('cannot be')
    expect(fault('decrypt', '', name, pem(rsa.privateKey))).toContain('cannot be decrypted')
  })

  it('decrypt an old cipher of three keys', () => {
    const cipher = createCipheriv('des-ede3-cbc', 'k'.repeat(24), 'i'.repeat(8))
    const sealed = Buffer.concat([Buffer.from('i'.repeat(8)), cipher.update('text'), cipher.final()])
    expect(run('decrypt', sealed.toString('base64'), 'DES-EDE3-CBC', 'k'.repeat(24))).toBe('text')
  })
})

describe('hkdf', () => {
  // Test vectors of RFC 5869, A.1 to A.7.
  it.each([
    [
      'sha256',
      '0b'.repeat(22),
      '000102030405060708090a0b0c',
      'f0f1f2f3f4f5f6f7f8f9',
      '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865',
    ],
    [
      'sha256',
      Buffer.from(Array.from({ length: 80 }, (_, at) => at)).toString('hex'),
      Buffer.from(Array.from({ length: 80 }, (_, at) => at + 0x60)).toString('hex'),
      Buffer.from(Array.from({ length: 80 }, (_, at) => at + 0xb0)).toString('hex'),
      'b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87',
    ],
    [
      'sha256',
      '0b'.repeat(22),
      '',
      '',
      '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8',
    ],
    [
      'sha1',
      '0b'.repeat(11),
      '000102030405060708090a0b0c',
      'f0f1f2f3f4f5f6f7f8f9',
      '085a01ea1b10f36933068b56efa5ad81a4f14b822f5b091568a9cdd4f155fda2c22e422478d305f3f896',
    ],
  ])('is that of the standard with %s', (hash, ikm, salt, info, okm) => {
    expect(hex(run('hkdf', raw(ikm), raw(salt), raw(info), okm.length / 2, hash))).toBe(okm)
  })

  it('has limits', () => {
    expect(toBytes(run('hkdf', 'k'))).toHaveLength(32)
    expect(toBytes(run('hkdf', 'k', '', '', 8160))).toHaveLength(8160)
    expect(fault('hkdf', 'k', '', '', 8161)).toBe('hkdf filter - length must be 1 to 8160 with sha256')
    expect(fault('hkdf', 'k', '', '', 0)).toContain('1 to 8160')
    expect(fault('hkdf', 'k', '', '', 'x')).toContain('must be an integer')
    expect(fault('hkdf', 'k', '', '', 32, 'crc')).toContain('it is one of md5, sha1')
    expect(fault('hkdf', 'k', '', 'i'.repeat(1025))).toContain('info must be at most 1024 bytes')
  })
})

describe('ecdh_compute', () => {
  it('is that of RFC 5903 for keys in raw form', () => {
    const d = 'c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433'
    const theirs =
      '04d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf6356fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab'
    const [scalar, point] = [d, theirs].map((part) => Buffer.from(part, 'hex').toString('base64url'))
    expect(run('ecdh_compute', scalar, point, 'hex')).toBe(
      'd6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de',
    )
  })

  it('agrees from both sides, in every form', () => {
    for (const [mine, name] of [
      [p256, 'prime256v1'],
      [p384, 'secp384r1'],
      [p521, 'secp521r1'],
    ] as const) {
      const other = createECDH(name)
      const point = other.generateKeys()
      const d = other.getPrivateKey()
      const size = (point.length - 1) / 2
      const scalar = Buffer.concat([Buffer.alloc(size - d.length), d]).toString('base64url')
      const one = run('ecdh_compute', pem(mine.privateKey), point.toString('base64url'), 'base64') as string
      expect(run('ecdh_compute', scalar, pem(mine.publicKey), 'base64')).toBe(one)
      expect(hex(run('ecdh_compute', scalar, pem(mine.publicKey)))).toBe(Buffer.from(one, 'base64url').toString('hex'))
      expect(one).toMatch(/^[\w-]+=*$/)
    }
  })

  it('rejects keys that do not match', () => {
    expect(fault('ecdh_compute', pem(p256.privateKey), pem(p384.publicKey))).toContain('not of the same curve')
    expect(fault('ecdh_compute', pem(rsa.privateKey), pem(p384.publicKey))).toContain('not of an elliptic curve')
    expect(fault('ecdh_compute', pem(p256.privateKey), 'AAAA')).toContain('the public key cannot be read')
    // A point that is not on the curve would reveal the private key.
    const off = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url')
    expect(fault('ecdh_compute', pem(p256.privateKey), off)).toContain('the public key cannot be read')
    expect(fault('ecdh_compute', Buffer.alloc(32).toString('base64url'), pem(p256.publicKey))).toContain('private key')
    expect(fault('ecdh_compute', pem(p256.privateKey), pem(p256.publicKey), 'rot13')).toContain('hex, base64 or none')
  })
})

describe('any argument', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  const hostile: readonly unknown[] = [
    ...[null, undefined, true, false, 0, -1, 1.5, 10n ** 30n, Number.NaN, Number.POSITIVE_INFINITY],
    ...[
      '',
      'x',
      '__proto__',
      'constructor',
      '-----BEGIN PUBLIC KEY-----',
      '\ud83c',
      raw('00ff80'),
      'x'.repeat(300_000),
    ],
    ...[
      [],
      ['x', null],
      {},
      { x: 1 },
      cyclic,
      { __proto__: null, toString: 1 },
      { keys: [{ kty: 'RSA', n: 'x', e: {} }] },
    ],
  ]
  const right: Readonly<Record<string, readonly unknown[]>> = {
    encrypt: ['x', 'aes-128-cbc', 'k'.repeat(16), 'i'.repeat(16), {}],
    decrypt: ['eHh4', 'aes-128-cbc', 'k'.repeat(16), {}],
    ecdh_compute: [pem(p256.privateKey), pem(p256.publicKey), 'hex'],
    hkdf: ['x', 'x', 'x', 16, 'sha256'],
    jwt_encode: [{}, 'HS256', 's', {}],
    jwt_decode: [run('jwt_encode', {}, 'HS256', 's'), 'HS256', 's', true, null],
    jwe_encode: ['{}', 'k'.repeat(16), 'dir', 'A128GCM'],
    is_gpg_valid: ['x'],
    gzip_compress: ['x'],
    gzip_decompress: [run('gzip_compress', 'x')],
    encode: ['x', 'UTF-16', 'UTF-8'],
    encoding: ['x'],
    force_encoding: ['x', 'UTF-8'],
    scrub: ['x', 'UTF-8', 'UTF-16'],
    url_to_qrcode_svg: ['x', { svg_attributes: {} }],
    to_mobile_number: ['500123999', 'PL'],
    useragent: ['x'],
    download_file: ['http://x', 1],
  }

  it.each(Object.entries(right))('of %s returns a result or a fault', async (name, values) => {
    for (const [at] of values.entries()) {
      for (const value of hostile) {
        try {
          await run(name, ...values.with(at, value))
        } catch (error) {
          expect(error, `${name} at ${at}`).toBeInstanceOf(LiquidFault)
        }
      }
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it.each(
    ['shape_rendering', 'viewbox', 'standalone', 'svg_attributes', 'color', 'module_size'].map(
      (option) => ['url_to_qrcode_svg', option, ['x']] as const,
    ),
  )('of %s as %s gives a result or a fault', (name, option, values) => {
    for (const value of hostile) expect(typeof fault(name, ...values, { [option]: value })).toBe('string')
  })

  it.each(['transform_key_to_hex', 'return_hex', 'pad_payload_right', 'from_hex', 'disable_cipher_padding'])(
    'of encrypt and decrypt as %s gives a result or a fault',
    (option) => {
      for (const value of hostile) {
        expect(typeof fault('encrypt', 'x', 'aes-128-cbc', 'k'.repeat(16), null, { [option]: value })).toBe('string')
        expect(typeof fault('decrypt', 'eHh4', 'aes-128-cbc', 'k'.repeat(16), { [option]: value })).toBe('string')
      }
    },
  )
})

describe('through the compiler', () => {
  const render = async (main: string, variables: Record<string, unknown> = {}): Promise<string> => {
    const engine = createEngine({ files: { main }, format: 'txt', errors: 'inline' })
    expect(engine.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    return engine.render('main', variables)
  }

  it('named arguments follow the key, with and without a vector', async () => {
    const key = '"kkkkkkkkkkkkkkkk"'
    for (const given of [
      'return_hex: true',
      'nil, return_hex: true',
      '"iiiiiiiiiiiiiiii", return_hex: true',
      'nil, h',
    ]) {
      const template = `{% assign h = { "return_hex": true } %}{% assign s = "x" | encrypt: "aes-128-cbc", ${key}, ${given} %}{{ s.size }}{{ s | decrypt: "aes-128-cbc", ${key}, from_hex: true }}`
      expect(await render(template), given).toBe('64x')
    }
    expect(
      await render(
        '{% assign t = p | jwt_encode: "HS256", "s", kid: "k1" %}{% assign r = t | jwt_decode: "HS256", "s" %}{{ r[1].kid }}{{ r[0].a }}',
        { p: { a: 1 } },
      ),
    ).toBe('k11')
  })

  it('a token that is refused is nil where errors are printed in place', async () => {
    const refused = '{% assign r = 1 %}{% assign r = "a.b.c" | jwt_decode: "HS256", "s" %}{{ r | json }}'
    expect(await render(refused)).toBe('null')
    const caught =
      '{% try %}{% assign r = "a.b.c" | jwt_decode: "HS256", "s" %}{% catch e %}{{ e.message }}{% endtry %}'
    expect(await render(caught)).toBe('Liquid error (main:1): jwt_decode filter - Invalid segment encoding')
  })

  it('filters that wait do so inside other tags', async () => {
    const template =
      '{% for n in list %}{{ n | to_mobile_number: "PL" }},{% endfor %}{% if "x" %}{{ "..." | is_gpg_valid }}{% endif %}'
    expect(await render(template, { list: ['500 123 999', 'x'] })).toBe('+48500123999,,false')
  })

  it('Web Push (RFC 8291, appendix A) can be written in Liquid', async () => {
    const output = await render(
      `{% liquid
        assign auth = "BTBZMqHH6r4Tts7J_aSIgg" | base64_url_safe_decode
        assign secret = as_private | ecdh_compute: ua_public
        assign nul = "AA==" | base64_decode
        assign one = "AQ==" | base64_decode
        assign two = "Ag==" | base64_decode
        assign ua = ua_public | base64_url_safe_decode
        assign as = as_public | base64_url_safe_decode
        assign key_info = "WebPush: info" | append: nul | append: ua | append: as
        assign ikm = secret | hkdf: auth, key_info, 32
        assign salt = "DGv6ra1nlYgDCS1FRnbzlw" | base64_url_safe_decode
        assign cek_info = "Content-Encoding: aes128gcm" | append: nul
        assign nonce_info = "Content-Encoding: nonce" | append: nul
        assign cek = ikm | hkdf: salt, cek_info, 16
        assign nonce = ikm | hkdf: salt, nonce_info, 12
        assign text = "When I grow up, I want to be a watermelon" | append: two
        assign sealed = text | encrypt: "aes-128-gcm", cek, nonce
      %}{{ sealed }}`,
      {
        as_private: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
        as_public: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
        ua_public: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      },
    )
    // The vector of twelve bytes comes first; the message of the standard follows its header.
    const body = Buffer.from(output, 'base64url').subarray(12)
    expect(body.toString('base64url')).toBe(
      '8pfeW0KbunFT06SuDKoJH9Ql87S1QUrdirN6GcG7sFz1y1sqLgVi1VhjVkHsUoEsbI_0LpXMuGvnzQ',
    )
  })
})
