import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { type ViewHost, type ViewReply, views } from '../../../../compiler/tools/adapters/fastify.ts'
import { createEngine, filter, type LiquidError } from '../../../../compiler/tools/engine.ts'
import { viewFolder } from './view-folder.ts'

declare module 'fastify' {
  interface FastifyReply extends ViewReply {}
  interface FastifyInstance extends ViewHost {}
}

const HTML = 'text/html; charset=utf-8'

describe('the plugin for Fastify', () => {
  it('sends views as HTML', async () => {
    const root = viewFolder({
      'home.liquid': 'Hi {{ name }}!{% render "cards/user", user: user %}',
      'cards/user.liquid': '[{{ user.name }}]',
    })
    await using app = fastify()
    await app.register(views, { root })
    app.get('/', (_request, reply) => reply.view('home', { name: '<b>', user: { name: 'Ada' } }))
    app.get('/async', async (_request, reply) => reply.view('cards/user.liquid', { user: { name: 'Bo' } }))
    app.get('/text', async (_request, reply) => reply.viewAsync('cards/user', { user: { name: 'Cy' } }))
    app.get('/xml', (_request, reply) => reply.type('text/xml').view('cards/user'))
    const home = await app.inject('/')
    expect([home.statusCode, home.headers['content-type'], home.body]).toEqual([200, HTML, 'Hi &lt;b&gt;![Ada]'])
    expect((await app.inject('/async')).body).toBe('[Bo]')
    const text = await app.inject('/text')
    expect([text.headers['content-type'], text.body]).toEqual([HTML, '[Cy]'])
    expect((await app.inject('/xml')).headers['content-type']).toMatch(/^text\/xml/)
    expect(await app.view('cards/user', { user: { name: 'Di' } })).toBe('[Di]')
  })

  it('shows variables of all views, of the reply and of the call, each before the one before it', async () => {
    const root = viewFolder({ 'home.liquid': '{{ a }}{{ b }}{{ c }}' })
    await using app = fastify()
    await app.register(views, { root, defaultContext: { a: 1, b: 1, c: 1 } })
    app.addHook('preHandler', async (request, reply) => {
      if (request.url === '/') Object.assign(reply.locals, { b: 2, c: 2 })
    })
    app.get('/', (_request, reply) => reply.view('home', { c: 3 }))
    app.get('/other', (_request, reply) => reply.view('home'))
    expect((await app.inject('/')).body).toBe('123')
    // The render contains nothing from another reply.
    expect((await app.inject('/other')).body).toBe('111')
  })

  it('is there where it was registered, and below', async () => {
    await using app = fastify()
    for (const name of ['one', 'two']) {
      const root = viewFolder({ 'home.liquid': `${name} {{ n }}` })
      app.register(
        async (scope) => {
          await scope.register(views, { root })
          scope.get('/', (_request, reply) => reply.view('home', { n: 1 }))
          scope.register(async (below) => below.get('/below', (_request, reply) => reply.view('home', { n: 2 })))
        },
        { prefix: `/${name}` },
      )
    }
    await app.ready()
    expect(app.hasReplyDecorator('view')).toBe(false)
    expect((await app.inject('/one')).body).toBe('one 1')
    expect((await app.inject('/two/below')).body).toBe('two 2')
  })

  it('hands errors to the error handler, with file and line', async () => {
    const root = viewFolder({ 'home.liquid': 'a\n{% render "part" %}', 'part.liquid': '{{ 1 | divided_by: zero }}' })
    await using app = fastify()
    await app.register(views, { root })
    app.get('/', (_request, reply) => reply.view('home', { zero: 0 }))
    app.get('/text', async (_request, reply) => reply.viewAsync('home', { zero: 0 }))
    app.get('/none', (_request, reply) => reply.view('none'))
    for (const path of ['/', '/text']) {
      const { statusCode, headers, body } = await app.inject(path)
      expect([statusCode, headers['content-type']]).toEqual([500, 'application/json; charset=utf-8'])
      expect(body).toContain('divided by 0')
    }
    expect((await app.inject('/none')).statusCode).toBe(500)
    await using told = fastify()
    await told.register(views, { root })
    told.get('/', (_request, reply) => reply.view('home', { zero: 0 }))
    told.setErrorHandler<LiquidError>(({ file, line, stack = '' }, _request, reply) =>
      reply.code(500).send({ file, line, stack }),
    )
    const { file, line, stack } = (await told.inject('/')).json<{ file: string; line: number; stack: string }>()
    expect([file, line]).toEqual(['part', 1])
    expect(stack).toMatch(/^Liquid\w+: divided by 0\n {4}at part:1\n {4}at home:2\n/)
  })

  it('puts a layout around a view', async () => {
    const root = viewFolder({
      'layouts/main.liquid': '<main>{{ content_for_layout }}</main>{{ title }}',
      'layouts/bare.liquid': '[{{ content_for_layout }}]',
      'home.liquid': '<p>{{ title }}</p>',
    })
    await using app = fastify()
    await app.register(views, { root, layout: 'layouts/main' })
    expect(await app.view('home', { title: 'T' })).toBe('<main><p>T</p></main>T')
    expect(await app.view('home', {}, { layout: 'layouts/bare.liquid' })).toBe('[<p></p>]')
    expect(await app.view('home', {}, { layout: false })).toBe('<p></p>')
  })

  it('takes over edits where views are not cached', async () => {
    const root = viewFolder({ 'home.liquid': '{% render "part" %}', 'part.liquid': 'old' })
    await using app = fastify()
    await app.register(views, { root })
    await using cached = fastify()
    await cached.register(views, { root, cache: true })
    const both = async () => [await app.view('home'), await cached.view('home')]
    expect(await both()).toEqual(['old', 'old'])
    writeFileSync(join(root, 'part.liquid'), 'newer')
    expect(await both()).toEqual(['newer', 'old'])
  })

  it('takes the options of an engine, or an engine', async () => {
    const first = viewFolder({ 'home.txt': '{{ name | loud }}{% render "part" %}' })
    const second = viewFolder({ 'part.txt': '2' })
    const loud = filter({ name: 'loud', input: 'text', result: 'text' }, (text) => `${text.toUpperCase()}!`)
    await using app = fastify()
    const root = [first, second]
    await app.register(views, { root, extensions: ['.txt'], dialect: 'liquid', filters: [loud], prefix: '/ignored' })
    expect(await app.view('home', { name: Promise.resolve('<a>') })).toBe('<A>!2')
    await using other = fastify()
    await other.register(views, { engine: createEngine({ files: { home: 'of the engine: {{ n }}' } }) })
    expect(await other.view('home', { n: 1 })).toBe('of the engine: 1')
  })

  it('refuses options that are unknown or wrong', async () => {
    const root = viewFolder({})
    const wrong = [{ root, dialekt: 'liquid' }, { root, layout: 1 }, { root: join(root, 'none') }, { engine: {} }]
    const told = await Promise.all(
      wrong.map(async (options) => {
        await using app = fastify()
        return Promise.resolve(app.register(views, options as object)).then(
          () => 'accepted',
          (error: Error) => error.message,
        )
      }),
    )
    expect(told).toEqual([
      'an engine has no option `dialekt`. Did you mean `dialect`?',
      'option `layout`: expected a name',
      expect.stringContaining('there is no folder'),
      'option `engine`: expected what `createEngine` gives',
    ])
  })
})
