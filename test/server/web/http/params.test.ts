/** Parameters: nesting, bodies, and hostile input. */
import { describe, expect, test } from 'vitest'
import { isSentFile, sentFile } from '../../../../server/web/http/message.ts'
import { BadRequest, bodyParams, parsePairs, plainParams } from '../../../../server/web/http/params.ts'
import { toJson } from '../../../../runtime/page/values/json.ts'

describe('queries and forms', () => {
  const cases: [text: string, params: unknown][] = [
    ['', {}],
    ['a=1', { a: '1' }],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2', { a: '2' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['=1', { '': '1' }],
    ['&&a=1&', { a: '1' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=x+y%20z', { a: 'x y z' }],
    ['a=%C5%82', { a: 'ł' }],
    ['a=%', { a: '%' }],
    ['a=%zz', { a: '%zz' }],
    ['a=%ff', { a: '\ufffd' }],
    ['a[b]=1', { a: { b: '1' } }],
    ['a%5Bb%5D=1', { a: { b: '1' } }],
    ['a[b][c]=1&a[b][d]=2', { a: { b: { c: '1', d: '2' } } }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[b][]=1&a[b][]=2', { a: { b: ['1', '2'] } }],
    ['a[][x]=1&a[][y]=2&a[][x]=3', { a: [{ x: '1', y: '2' }, { x: '3' }] }],
    ['a[][x][y]=1&a[][x][z]=2', { a: [{ x: { y: '1', z: '2' } }] }],
    ['a[][x][]=1&a[][x][]=2', { a: [{ x: ['1', '2'] }] }],
    ['a[0]=x&a[1]=y', { a: { 0: 'x', 1: 'y' } }],
    ['a[b', { 'a[b': '' }],
    ['a]=1', { 'a]': '1' }],
    ['[a]=1', { '[a]': '1' }],
    ['a[b]c=1', { 'a[b]c': '1' }],
    ['a=1&a[b]=2', { a: { b: '2' } }],
    ['a[b]=1&a=2', { a: '2' }],
    ['a[]=1&a[b]=2', { a: { b: '2' } }],
    ['constructor=1&toString[x]=2', { constructor: '1', toString: { x: '2' } }],
  ]
  test.each(cases)('%s', (text, params) => {
    expect(parsePairs(text)).toEqual(params)
  })

  test.each(['__proto__=1', '__proto__[x]=1', 'a[__proto__][x]=1', 'a[][__proto__][x]=1', '%5F_proto__[x]=1'])(
    '%s reaches no prototype',
    (text) => {
      const params = parsePairs(`${text}&fine=1`)
      expect(params.fine).toBe('1')
      expect(JSON.stringify(params)).not.toContain('__proto__')
      expect(({} as Record<string, unknown>).x).toBeUndefined()
      expect(Object.getPrototypeOf(params)).toBe(Object.prototype)
    },
  )

  test('a name of the prototype is an own field, not the inherited one', () => {
    const params = parsePairs('hasOwnProperty[x]=1')
    expect(Object.hasOwn(params, 'hasOwnProperty')).toBe(true)
    expect(params.hasOwnProperty).toEqual({ x: '1' })
  })

  test('depth and number are bounded', () => {
    expect(() => parsePairs(`a${'[b]'.repeat(40)}=1`)).toThrow(BadRequest)
    expect(() => parsePairs('a=1&'.repeat(5000))).toThrow(BadRequest)
  })
})

describe('bodies', () => {
  const read = (body: string | Uint8Array, type: string) =>
    bodyParams({ body: typeof body === 'string' ? Buffer.from(body) : body, headers: { 'content-type': type } })

  test('a form is read like a query', () => {
    expect(read('form[name]=x', 'application/x-www-form-urlencoded; charset=UTF-8')).toEqual({
      form: { name: 'x' },
    })
  })

  test('a JSON object keeps its types', () => {
    expect(read('{"a":1,"b":{"c":[true,null]}}', 'application/json')).toEqual({ a: 1, b: { c: [true, null] } })
    expect(read('{"a":1}', 'application/vnd.api+json')).toEqual({ a: 1 })
  })

  test('numbers of JSON stay what they are: floats, digits of any length, and keys in their order', () => {
    const params = read('{"n":{"b":3.0,"2":9007199254740993,"1":"\\u00e9"},"whole":3}', 'application/json')
    expect(toJson(params)).toBe('{"n":{"b":3.0,"2":9007199254740993,"1":"é"},"whole":3}')
    expect(toJson(read('3.0', 'application/json'))).toBe('{"_json":3.0}')
  })

  test('a JSON array or scalar is _json', () => {
    expect(read('[1,2]', 'application/json')).toEqual({ _json: [1, 2] })
    expect(read('"x"', 'application/json')).toEqual({ _json: 'x' })
    expect(read('null', 'application/json')).toEqual({ _json: null })
  })

  test('an empty JSON body has no parameters', () => {
    expect(read('', 'application/json')).toEqual({})
    expect(read('  ', 'application/json')).toEqual({})
  })

  test('__proto__ in JSON is left out at every depth, however it is spelled', () => {
    const params = read('{"__proto__":{"x":1},"a":{"__pro\\u0074o__":{"x":1},"b":2}}', 'application/json')
    expect(params).toEqual({ a: { b: 2 } })
    expect(Object.getOwnPropertyNames(params.a)).toEqual(['b'])
  })

  test('a name that is left out changes nothing of the values beside it', () => {
    const params = read(
      '{"__proto__":{"x":1.0},"a":[{"b":2.0,"1":9007199254740993,"\\u005f_proto__":1}],"t":"__proto__"}',
      'application/json',
    )
    expect(toJson(params)).toBe('{"a":[{"b":2.0,"1":9007199254740993}],"t":"__proto__"}')
  })

  test('broken or bottomless JSON is a bad request', () => {
    expect(() => read('{"a":', 'application/json')).toThrow('not valid JSON')
    expect(() => read('['.repeat(200_000), 'application/json')).toThrow('nested deeper')
    expect(read(`{"a":"${'['.repeat(500)}"}`, 'application/json')).toEqual({ a: '['.repeat(500) })
  })

  test('the parts of a form are parameters at their names, and no name reaches into a file', () => {
    const file = sentFile({ fileName: 'a.txt', contentType: 'text/plain', size: 5, path: '/tmp/really-sent' })
    const parts = [
      { name: 'form[title]', value: 'Zażółć' },
      { name: 'form[file]', value: file },
      { name: 'form[file][path]', value: '/etc/passwd' },
      { name: 'form[files][]', value: file },
      { name: 'form[__proto__][polluted]', value: 'x' },
      { name: '__proto__', value: file },
    ]
    const params = bodyParams({ body: null, headers: {}, parts })
    expect(params).toEqual({ form: { title: 'Zażółć', file: { path: '/etc/passwd' }, files: [file] } })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(file.path).toBe('/tmp/really-sent')
    expect(isSentFile((params['form'] as Record<string, unknown>)['file'])).toBe(false)
  })

  test('JSON that looks like a file is none', () => {
    const forged = { kind: 'sent-file', fileName: 'x', contentType: 'text/plain', size: 1, path: '/etc/passwd' }
    const { file } = read(JSON.stringify({ file: forged }), 'application/json')
    expect(isSentFile(file)).toBe(false)
    expect(plainParams({ file })).toEqual({ file: forged })
  })

  test('templates see the name of a file', () => {
    const file = sentFile({ fileName: 'żółw.png', contentType: 'image/png', size: 5, path: '/tmp/x' })
    expect(plainParams({ a: { b: [file, 'x'] }, c: 1 })).toEqual({ a: { b: ['żółw.png', 'x'] }, c: 1 })
    const without = { a: { b: ['x'] } }
    expect(plainParams(without)).toBe(without)
  })

  test('a body that could not be read says so to whoever asks for it', () => {
    const unreadable = new BadRequest('larger than 5 bytes', 413)
    expect(() => bodyParams({ body: null, headers: {}, unreadable })).toThrow(unreadable)
  })

  test('other types have no parameters', () => {
    expect(read('a=1', 'text/plain')).toEqual({})
  })
})
