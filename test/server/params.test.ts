/** Parameters: nesting, bodies, and what strangers may send. */
import { describe, expect, test } from 'vitest'
import { BadRequest, bodyParams, parsePairs } from '../../server/http/params.ts'

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

  test('a form is read like a query', async () => {
    expect(await read('form[name]=x', 'application/x-www-form-urlencoded; charset=UTF-8')).toEqual({
      form: { name: 'x' },
    })
  })

  test('a JSON object keeps its types', async () => {
    expect(await read('{"a":1,"b":{"c":[true,null]}}', 'application/json')).toEqual({ a: 1, b: { c: [true, null] } })
    expect(await read('{"a":1}', 'application/vnd.api+json')).toEqual({ a: 1 })
  })

  test('a JSON array or scalar is _json', async () => {
    expect(await read('[1,2]', 'application/json')).toEqual({ _json: [1, 2] })
    expect(await read('"x"', 'application/json')).toEqual({ _json: 'x' })
    expect(await read('null', 'application/json')).toEqual({ _json: null })
  })

  test('an empty JSON body has no parameters', async () => {
    expect(await read('', 'application/json')).toEqual({})
    expect(await read('  ', 'application/json')).toEqual({})
  })

  test('__proto__ in JSON is left out at every depth, however it is spelled', async () => {
    const params = await read('{"__proto__":{"x":1},"a":{"__pro\\u0074o__":{"x":1},"b":2}}', 'application/json')
    expect(params).toEqual({ a: { b: 2 } })
    expect(Object.getOwnPropertyNames(params.a)).toEqual(['b'])
  })

  test('broken or bottomless JSON is a bad request', async () => {
    await expect(read('{"a":', 'application/json')).rejects.toThrow('not valid JSON')
    await expect(read('['.repeat(200_000), 'application/json')).rejects.toThrow('nested deeper')
    expect(await read(`{"a":"${'['.repeat(500)}"}`, 'application/json')).toEqual({ a: '['.repeat(500) })
  })

  test('a multipart form gives its text fields and keeps its files back', async () => {
    const body = [
      '--x',
      'Content-Disposition: form-data; name="form[title]"',
      '',
      'Zażółć',
      '--x',
      'Content-Disposition: form-data; name="file"; filename="a.txt"',
      'Content-Type: text/plain',
      '',
      'bytes',
      '--x--',
      '',
    ].join('\r\n')
    expect(await read(body, 'multipart/form-data; boundary=x')).toEqual({ form: { title: 'Zażółć' } })
    await expect(read('nothing', 'multipart/form-data; boundary=x')).rejects.toThrow('multipart')
    await expect(read(body, 'multipart/form-data')).rejects.toThrow('multipart')
  })

  test('other types have no parameters', async () => {
    expect(await read('a=1', 'text/plain')).toEqual({})
  })
})
