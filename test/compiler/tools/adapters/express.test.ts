import { symlinkSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { describe, expect, it } from 'vitest'
import { expressEngine } from '../../../../compiler/tools/adapters/express.ts'
import { createEngine, EngineOptionError, filter, LiquidError } from '../../../../compiler/tools/engine.ts'
import { viewFolder } from './view-folder.ts'

type Engine = ReturnType<typeof expressEngine>

function appOf(views: string | string[], engine: Engine = expressEngine()): Express {
  const app = express()
  app.engine('liquid', engine)
  app.set('views', views)
  app.set('view engine', 'liquid')
  return app
}

/** Requests a path and returns the response. */
async function got(app: Express, path = '/') {
  const server = app.listen(0, '127.0.0.1')
  try {
    await new Promise((done) => server.once('listening', done))
    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  } finally {
    server.close()
  }
}

/** Returns the text of a view, or throws the error passed to Express's callback. */
function rendered(app: Express, name: string, data: object = {}): Promise<string> {
  return new Promise((done, fail) =>
    app.render(name, data, (error: Error | null, html: string) => (error === null ? done(html) : fail(error))),
  )
}

describe('an engine of Express', () => {
  it('renders views with their partials, and sends them as HTML', async () => {
    const root = viewFolder({
      'home.liquid': 'Hi {{ name }}!{% render "cards/user", user: user %}',
      'cards/user.liquid': '[{{ user.name }}]',
    })
    const app = appOf(root)
    app.get('/', (_request, response) => response.render('home', { name: '<b>', user: { name: 'Ada' } }))
    app.get('/card', (_request, response) => response.render('cards/user.liquid', { user: { name: 'Bo' } }))
    expect(await got(app)).toEqual({ status: 200, type: 'text/html; charset=utf-8', text: 'Hi &lt;b&gt;![Ada]' })
    expect((await got(app, '/card')).text).toBe('[Bo]')
  })

  it('shows the locals of the application, of the response and of the call, each before the one before it', async () => {
    const app = appOf(viewFolder({ 'home.liquid': '{{ a }}{{ b }}{{ c }}' }))
    Object.assign(app.locals, { a: 1, b: 1, c: 1 })
    app.get('/', (_request, response) => {
      Object.assign(response.locals, { b: 2, c: 2 })
      response.render('home', { c: 3 })
    })
    expect((await got(app)).text).toBe('123')
  })

  it("shows nothing of Express's own, and nothing of prototypes", async () => {
    const text =
      '{{ settings.env }}{{ settings }}{{ _locals }}{{ cache }}{{ constructor }}{{ toString }}{{ user.secret }}'
    const app = appOf(viewFolder({ 'home.liquid': `<${text}>`, 'own.liquid': '{{ settings.tone }}' }))
    class User {
      readonly secret = 'secret'
    }
    app.get('/', (_request, response) => {
      Object.assign(response.locals, { user: new User() })
      response.render('home')
    })
    expect((await got(app)).text).toBe('<>')
    expect(await rendered(app, 'own', { settings: { tone: 'low' } })).toBe('low')
  })

  it('finds views in several folders, the first of which counts', async () => {
    const first = viewFolder({ 'home.liquid': 'first {% render "part" %} {% render "other" %}', 'part.liquid': '1' })
    const second = viewFolder({ 'home.liquid': 'second', 'part.liquid': '2', 'other.liquid': '2' })
    const app = appOf([first, second])
    expect(await rendered(app, 'home')).toBe('first 1 2')
    expect(await rendered(app, 'other')).toBe('2')
    // Another folder has a view of this name.
    await expect(rendered(app, join(second, 'home.liquid'))).rejects.toThrow('is not a view of')
  })

  it('takes views of another ending', async () => {
    const app = express()
    app.engine('html', expressEngine())
    app.set('views', viewFolder({ 'home.html': 'a{% render "part" %}', 'part.liquid': 'b' }))
    expect(await rendered(app, 'home.html')).toBe('ab')
  })

  it('reads nothing outside of the folders', async () => {
    const outside = viewFolder({ 'secret.liquid': 'secret' })
    const root = viewFolder({ 'home.liquid': 'home' })
    symlinkSync(join(outside, 'secret.liquid'), join(root, 'link.liquid'))
    const app = appOf(root)
    await expect(rendered(app, join(outside, 'secret'))).rejects.toThrow('is not a view of')
    await expect(rendered(app, 'link')).rejects.toThrow('no unit `link`')
  })

  it('takes over edits where views are not cached', async () => {
    const root = viewFolder({ 'home.liquid': '{% render "part" %}', 'part.liquid': 'old' })
    const app = appOf(root)
    const cached = appOf(root)
    cached.enable('view cache')
    const both = async () => [await rendered(app, 'home'), await rendered(cached, 'home')]
    expect(await both()).toEqual(['old', 'old'])
    writeFileSync(join(root, 'part.liquid'), 'newer')
    expect(await both()).toEqual(['newer', 'old'])
    writeFileSync(join(root, 'late.liquid'), 'late')
    expect([await rendered(app, 'late'), await rendered(cached, 'late')]).toEqual(['late', 'late'])
  })

  it('puts a layout around a view', async () => {
    const root = viewFolder({
      'layouts/main.liquid': '<main>{{ content_for_layout }}</main>{{ title }}',
      'layouts/bare.liquid': '[{{ content_for_layout }}]',
      'home.liquid': '<p>{{ title }}</p>',
    })
    for (const dialect of ['platform', 'liquid'] as const) {
      const app = appOf(root, expressEngine({ dialect, layout: 'layouts/main' }))
      expect(await rendered(app, 'home', { title: 'T' })).toBe('<main><p>T</p></main>T')
      expect(await rendered(app, 'home', { layout: 'layouts/bare.liquid' })).toBe('[<p></p>]')
      expect(await rendered(app, 'home', { layout: false })).toBe('<p></p>')
    }
  })

  it('takes the options of an engine, and waits for promises', async () => {
    const loud = filter({ name: 'loud', input: 'text', result: 'text' }, (text) => `${text.toUpperCase()}!`)
    const engine = expressEngine({ dialect: 'liquid', filters: [loud] })
    const app = appOf(viewFolder({ 'home.liquid': '{{ name | loud }}' }), engine)
    expect(await rendered(app, 'home', { name: Promise.resolve('<a>') })).toBe('<A>!')
  })

  it('refuses options that an engine does not know, at once', () => {
    expect(() => expressEngine({ dialekt: 'liquid' } as object)).toThrow('Did you mean `dialect`?')
    expect(() => expressEngine({ files: {} } as object)).toThrow(EngineOptionError)
    expect(() => expressEngine({ layout: 1 } as object)).toThrow(EngineOptionError)
  })

  it('takes an engine with files of its own', async () => {
    const root = viewFolder({ 'cards/user.liquid': 'of the folder' })
    const app = appOf(root, expressEngine(createEngine({ files: { 'cards/user': 'of the engine: {{ n }}' } })))
    expect(await rendered(app, 'cards/user', { n: 1 })).toBe('of the engine: 1')
  })

  it('hands errors to the callback, with file and line', async () => {
    const root = viewFolder({
      'home.liquid': 'a\n{% render "part" %}',
      'part.liquid': '\n\n{{ 1 | divided_by: zero }}',
      'broken.liquid': 'a\n{% if %}',
    })
    const app = appOf(root)
    const failed = await rendered(app, 'home', { zero: 0 }).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(LiquidError)
    expect(failed).toMatchObject({ file: 'part', line: 3 })
    expect((failed as Error).stack).toMatch(/^Liquid\w+: divided by 0\n {4}at part:3\n {4}at home:2\n/)
    await expect(rendered(app, 'broken')).rejects.toMatchObject({ file: 'broken', line: 2 })
    app.get('/', (_request, response) => response.render('home', { zero: 0 }))
    app.use((error: LiquidError, _request: Request, response: Response, _next: NextFunction) => {
      response.status(500).send(`${error.file} ${error.line}`)
    })
    expect(await got(app)).toMatchObject({ status: 500, text: 'part 3' })
  })

  it('serves applications that are mounted, each from its own views', async () => {
    const app = appOf(viewFolder({ 'home.liquid': 'outer {{ of }}' }))
    const inner = appOf(viewFolder({ 'home.liquid': 'inner {{ of }}{{ settings.env }}' }))
    inner.get('/', (_request, response) => response.render('home', { of: 2 }))
    app.get('/', (_request, response) => response.render('home', { of: 1 }))
    app.use('/inner', inner)
    expect([(await got(app)).text, (await got(app, '/inner')).text]).toEqual(['outer 1', 'inner 2'])
  })
})
