/**
 * The releases of a served site: lists them, and activates one of them with `ingot release`, in a child process, because an activation loads the
 * release and runs its migrations. Activations are recorded like changes of rows.
 */
import { execFile } from 'node:child_process'
import type { Sql } from 'postgres'
import type { SiteItem } from '../../../runtime/data/query/site-facts.ts'
import { type Releases, releaseId, shortId } from '../../operate/releases/model.ts'
import { liveServers } from '../../operate/releases/servers.ts'
import type { ShownSite } from '../../web/graphql/site/shown-site.ts'

interface ReleaseOptions {
  readonly releases: Releases
  readonly sql: Sql
  /** Path of the `ingot` command. */
  readonly bin: string
  /** Folder of the site. */
  readonly root: string
}

/** What `ingot release` printed, and whether it succeeded. */
interface Activated {
  readonly done: boolean
  readonly text: string
}

export interface SiteReleases {
  /** Lists the releases as items of the GraphQL type `SiteRelease`; null when the server serves no release. */
  list(): Promise<readonly SiteItem[] | null>
  /**
   * Activates a release.
   * @param id null for the previously active one
   * @param actor who does so
   */
  activate(id: string | null, actor: ReturnType<ShownSite['changes']>['actor']): Promise<Activated>
  /** Returns the number of running activations. Their requests wait until another process serves the release. */
  running(): number
}

/** Milliseconds after which an activation is ended. Its migrations may take long. */
const TIMEOUT = 30 * 60_000

export function createSiteReleases({ releases, sql, bin, root }: ReleaseOptions): SiteReleases {
  let running = 0
  return {
    async list() {
      const pointer = await releases.current()
      if (pointer === null) return null
      const [stored, servers] = await Promise.all([releases.list(), liveServers(sql, pointer.place)])
      const ids = new Set(stored.map(({ id }) => id))
      const previous = pointer.earlier.find((id) => ids.has(id))
      const { refused } = pointer
      return stored.map(({ id, pushedAt, files, bytes }) => ({
        ...{ id, files, bytes, pushed_at: pushedAt.toISOString() },
        active: id === pointer.release,
        rollback: id === previous,
        servers: servers.filter(({ follows }) => follows.release === id).length,
        refused: refused?.release === id ? refused.reason : null,
      }))
    },
    async activate(id, actor) {
      if (id !== null && !releaseId.safeParse(id).success) return { done: false, text: 'There is no such release.' }
      const before = (await releases.current())?.release ?? null
      if (before === null) return { done: false, text: 'This server serves no release.' }
      running++
      const result = await runIngot(bin, ['release', ...(id === null ? ['rollback'] : ['activate', id]), root])
      running--
      const after = (await releases.current())?.release ?? null
      if (result.done && after !== null && after !== before) await record(sql, actor, before, after)
      return result
    },
    running: () => running,
  }
}

function runIngot(bin: string, args: readonly string[]): Promise<Activated> {
  return new Promise((done) => {
    const options = { timeout: TIMEOUT, env: { ...process.env, NO_COLOR: '1' } }
    execFile(process.execPath, [bin, ...args], options, (error, out, problems) => {
      const text = `${out}${problems}`.trim()
      done({ done: error === null, text: text === '' && error !== null ? error.message : text })
    })
  })
}

async function record(
  sql: Sql,
  { id, name }: Parameters<SiteReleases['activate']>[1],
  before: string,
  after: string,
): Promise<void> {
  const [earlier, later] = [before, after].map((release) => JSON.stringify({ active: shortId(release) }))
  await sql`insert into ingot.changes (actor_id, actor, kind, row_id, action, before, after)
    values (${id}::text::bigint, ${name}, 'releases', ${shortId(after)}, 'update', ${earlier ?? null}::text::jsonb, ${later ?? null}::text::jsonb)`
}
