/** Shared setup of release tests: builds of several versions of a site, the command, servers, and continuous requests. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { main as compiler } from '../../../../compiler/cli.ts'
import { ABI } from '../../../../runtime/page/site.ts'
import { write } from '../../../support/product.ts'
import { type EndedProgram, type Program, type Programs, programs } from '../../../support/server/program.ts'
import { bundle } from '../../../support/server/served-bundle.ts'

export interface Served {
  readonly server: Program
  readonly url: string
}

export interface ReleaseSetup {
  readonly ingot: Programs
  /** A folder that is removed together with the setup. */
  readonly home: string
  /** Builds a version of a site. Returns the path of the archive. */
  packed(version: string, files: Readonly<Record<string, string>>): Promise<string>
  /** Creates a build with one page from its source text. `first` is code that runs when the build is loaded. */
  made(name: string, first: string): string
  /** Starts `ingot release …` as a process. */
  begin(place: Place, ...words: string[]): Program
  /** Runs `ingot release …` to its end. */
  release(place: Place, ...words: string[]): Promise<EndedProgram>
  pushed(place: Place, build: string): Promise<string>
  activated(place: Place, id: string): Promise<string>
  serve(place: Place, variables?: Record<string, string>): Promise<Served>
  visit(url: string): RequestLoad
  /** Ends all programs that were started since the last call. */
  rest(): Promise<void>
  clean(): Promise<void>
}

/** The releases and folders that a command or a server uses. */
export interface Place {
  /** The value of `INGOT_RELEASES`. */
  readonly releases: string
  /** The folder of the site. */
  readonly site: string
  /** The value of `INGOT_DATA`. By default, the data is in the folder of the site. */
  readonly data?: string
}

export interface RequestLoad {
  readonly failed: string[]
  readonly seen: Set<string>
  /** Stops the visitors. Resolves with the number of visits. */
  leave(): Promise<number>
}

/** A page for reads, a page for form data, and an asset. Every response begins with the version of the site. */
export const FILES = (version: string, amount = 'integer'): Record<string, string> => ({
  'app/views/pages/index.liquid': `version ${version} {{ 'a.css' | asset_url }}`,
  'app/views/pages/sent.liquid': `---\nslug: sent\nmethod: post\n---\nversion ${version} took {{ context.params.x }} {{ context.params.file.size }}`,
  'app/assets/a.css': `a { order: ${version} }`,
  'app/schema/item.yml': `name: item\nproperties:\n  - name: amount\n    type: ${amount}\n`,
})

export async function openReleaseSetup(name: string): Promise<ReleaseSetup> {
  const ingot = await programs()
  const home = mkdtempSync(join(tmpdir(), `ingot-${name}-`))
  const servers: Program[] = []
  const crowds: RequestLoad[] = []

  const variables = ({ releases, data }: Place): Record<string, string> => ({
    INGOT_RELEASES: releases,
    ...(data !== undefined && { INGOT_DATA: data }),
  })
  const begin: ReleaseSetup['begin'] = (place, ...words) =>
    ingot.start(['release', ...words, place.site], variables(place))
  const release: ReleaseSetup['release'] = (place, ...words) =>
    ingot.run(['release', ...words, place.site], variables(place))

  return {
    ingot,
    home,
    begin,
    release,
    async packed(version, files) {
      const folder = join(home, version)
      write(folder, files)
      const archive = join(home, `${version}.tgz`)
      expect(await compiler(['build', folder, '--pack', archive])).toBe(0)
      return archive
    },
    made(name, first) {
      const digest = (text: string) => createHash('sha256').update(text).digest('hex')
      const code = first + bundle({ '/': '() => "made"' })
      const files = { 'site.mjs': { digest: digest(code), size: Buffer.byteLength(code) } }
      write(join(home, name), {
        'site.mjs': code,
        'manifest.json': JSON.stringify({ abi: ABI, builtBy: '0.1.0', files }),
      })
      return join(home, name)
    },
    async pushed(place, build) {
      const { code, said } = await release(place, 'push', build)
      expect(said).toMatch(/^[\da-f]{64}/)
      expect(code).toBe(0)
      return said.slice(0, 64)
    },
    async activated(place, id) {
      const { code, said } = await release(place, 'activate', id)
      expect({ code, said }).toMatchObject({ code: 0 })
      return said
    },
    async serve(place, more = {}) {
      const server = ingot.start(['serve', place.site], { ...variables(place), ...more })
      servers.push(server)
      return { server, url: `http://127.0.0.1:${await server.port()}` }
    },
    visit(url) {
      const visitors = crowd(url)
      crowds.push(visitors)
      return visitors
    },
    async rest() {
      await Promise.all(crowds.splice(0).map((each) => each.leave()))
      const ending = servers.splice(0)
      for (const { child } of ending) {
        // A process that a test has paused would never end.
        child.kill('SIGCONT')
        child.kill('SIGTERM')
      }
      await Promise.all(ending.map(({ exitCode: ended }) => ended))
    },
    async clean() {
      await ingot.clean()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

export async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text()
}

/** Options for a request on a kept connection. */
const READ = (): RequestInit => ({})
/** Options for a request on a new connection. Requests that must not be sent twice should use one. */
const ALONE = { headers: { connection: 'close' } }
const SENT = (n: number): RequestInit => ({ ...ALONE, method: 'POST', body: new URLSearchParams({ x: `${n}` }) })
function uploaded(n: number): RequestInit {
  const body = new FormData()
  body.set('x', `${n}`)
  body.set('file', new Blob(['.'.repeat(20_000)]), 'dots.txt')
  return { ...ALONE, method: 'POST', body }
}

/**
 * Sends a request. A server may close an idle connection at the moment in which a client sends a request on it. Like a browser, a visitor
 * that only reads then repeats the request on a new connection.
 */
async function asked(url: string, options: RequestInit): Promise<Response> {
  const again = options.method !== 'POST' && options.headers === undefined
  return fetch(url, options).catch((error: unknown) => {
    if (!again) throw error
    return fetch(url, ALONE)
  })
}

/** Milliseconds between two visits of a visitor. Without a pause, the visitors would use the CPU time that the server needs. */
const PAUSE = 200

/** Starts visitors that read, send forms and upload files continuously. */
function crowd(url: string): RequestLoad {
  const failed: string[] = []
  const seen = new Set<string>()
  let [going, count] = [true, 0]
  const visit = async (options: (n: number) => RequestInit): Promise<void> => {
    while (going) {
      count++
      const sent = options(count)
      const text = await asked(sent.method === 'POST' ? `${url}/sent` : url, sent).then(
        async (reply) => (reply.status === 200 ? reply.text() : `status ${reply.status}`),
        // The error of `fetch` itself only says that the request failed.
        (error: Error) => String(error.cause ?? error),
      )
      const version = /^version (\d)/.exec(text.trim())?.[1]
      if (version === undefined) failed.push(text)
      else seen.add(version)
      await sleep(PAUSE)
    }
  }
  const all = [READ, READ, () => ALONE, SENT, uploaded].map(visit)
  return {
    failed,
    seen,
    async leave() {
      going = false
      await Promise.all(all)
      return count
    },
  }
}
