/** The demo with its example data, and requests to its pages. */
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { type Agent, get } from 'node:http'
import { join, resolve } from 'node:path'
import { bin, build, started } from './serving.ts'

/** Milliseconds after which a request counts as failed. */
const PATIENCE = 30_000

export interface Demo {
  readonly site: string
  /** The variables of its server. */
  readonly env: Readonly<Record<string, string>>
}

/** Builds the demo and fills its database. @param variables further variables of the server */
export async function seededDemo(
  url: string,
  home: string,
  variables: Readonly<Record<string, string>>,
): Promise<Demo> {
  const site = join(home, 'demo')
  cpSync(resolve('fixtures/sites/marketplace'), site, { recursive: true })
  build(site)
  const env = {
    DATABASE_URL: url,
    INGOT_DATA: join(home, 'data'),
    INGOT_SECRET: 'a secret of the benchmark, long enough for it',
    INGOT_LOG: 'warn',
    INGOT_ENV: 'production',
    ...variables,
  }
  const first = await started([bin, 'serve', site], env, '/')
  await first.stop()
  const seeded = spawnSync(process.execPath, [bin, 'data', 'seed', site], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  })
  if (seeded.status !== 0) throw new Error(seeded.stderr)
  return { site, env }
}

/** Returns the first pages that links lead to, starting at the home page. */
export async function pagesOf(url: string, agent: Agent, count: number): Promise<readonly string[]> {
  const pages: string[] = []
  const seen = new Set(['/'])
  for (const path of seen) {
    const { status, text } = await ask(url + path, agent)
    if (status !== 200) continue
    pages.push(path)
    if (pages.length === count) return pages
    for (const [, link = ''] of text.matchAll(/<a\b[^>]*?href="(\/[^"#]*)"/g)) {
      const next = link.replaceAll('&amp;', '&')
      if (!/^\/\/|\/(?:assets|uploads|_ingot)\//.test(next)) seen.add(next)
    }
  }
  throw new Error(`The demo has only ${pages.length} pages that can be asked for.`)
}

export function ask(url: string, agent: Agent): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((done, failed) => {
    const request = get(url, { agent, timeout: PATIENCE }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (data: string) => {
        text += data
      })
      reply.on('end', () => done({ status: reply.statusCode ?? 0, text }))
      reply.on('error', failed)
    })
    request.on('timeout', () => request.destroy(new Error(`no answer within ${PATIENCE / 1000} s`)))
    request.on('error', failed)
  })
}
