/** Opens the API for deploys in a process that answers requests. */
import { resolve } from 'node:path'
import type { Reply, Request } from '../../web/http/message.ts'
import type { AnsweredRequest } from '../../web/http/request-log.ts'
import type { StoredBodies } from '../../web/http/stored-body.ts'
import type { ThreadSite } from '../../operate/jobs/threads/calls.ts'
import { releaseStore } from '../../operate/releases/open.ts'
import type { SiteFiles } from '../../web/app-options.ts'
import { answerInstance, instanceTakesBody } from './answer.ts'
import { Addresses } from './addresses.ts'
import { deployedFiles } from './deploys/blobs.ts'
import { createAssetHost } from './asset-host.ts'
import { performChanges } from './perform-changes.ts'
import { SentTemplates } from './exec/exec.ts'
import { ReleaseSource } from './exec/release-source.ts'
import type { InstanceContext } from './resource.ts'
import { RequestNotes } from './request-notes.ts'
import { ROOTS } from './resources.ts'
import { SentBlobs } from './sent-blobs.ts'

/** Maximum size of a body in bytes: an archive of a site, or of its data. */
const MAX_BODY_BYTES = 2 * 1024 * 1024 * 1024

export interface InstanceApi {
  /** Answers a request; returns null when it is not for the API. */
  answer(request: Request): Promise<Reply | null>
  /** Returns whether to receive the body of a request; null when it is not for the API. */
  takesBody(request: Request): Promise<boolean> | null
  readonly storedBodies: StoredBodies
  /** Called with each answered request. */
  readonly answered: (answered: AnsweredRequest) => void
  /** Renders further sent templates with another build. */
  renew(site: Extract<ThreadSite, { kind: 'built' }>): void
  /** Changes files of the site, and uploads assets, for mutations. */
  readonly files: SiteFiles
  /** Returns the number of requests that wait until their change is served. */
  waiting(): number
  close(): Promise<void>
}

export interface InstanceOptions extends Omit<InstanceContext, 'sql' | 'exec' | 'addresses' | 'blobs' | 'waits'> {
  readonly site: Extract<ThreadSite, { kind: 'built' }>
  /** Paths of the `ingot` command, and of the job thread's program. */
  readonly programs: { readonly bin: string; readonly thread: string }
}

export function openInstance({ site, programs, ...given }: InstanceOptions): InstanceApi {
  const { parts, settings, version, keep } = given
  const { sql } = parts.store
  const folder = resolve(settings.dataFolder, 'exec')
  const source = new ReleaseSource(
    sql,
    releaseStore(settings, site.builtSite.root, sql),
    folder,
    deployedFiles(settings),
  )
  const sent = new SentTemplates({
    source: () => source.folder(),
    folder,
    ...programs,
    start: { site, settings, version },
    keep,
  })
  const waits = { count: 0 }
  const notes = new RequestNotes(sql)
  const all: InstanceContext = {
    ...given,
    sql,
    addresses: new Addresses(settings),
    blobs: new SentBlobs(settings),
    waits,
    exec: (content, host) => sent.render(content, host),
  }
  return {
    answer: (request) => answerInstance(all, request),
    takesBody: (request) => instanceTakesBody(all, request),
    answered: (answered) => notes.add(answered),
    storedBodies: { pathPrefixes: ROOTS, limit: MAX_BODY_BYTES },
    renew: (next) => sent.renew({ site: next, settings, version }),
    files: {
      change: (changes) => performChanges(all, changes),
      assets: (request, listed) => createAssetHost(all, request, listed),
    },
    waiting: () => waits.count,
    async close() {
      await Promise.all([notes.close(), sent.close()])
    },
  }
}
