/** Executes a job: renders its unit, callback or migration, or passes it on to be sent or exported. */
import type { Sql } from 'postgres'
import type { JobOrigin } from '../../../../runtime/data/jobs.ts'
import { Render } from '../../../../runtime/page/render.ts'
import { DEFAULT_LIMITS, type Limits } from '../../../../runtime/page/limits.ts'
import type { Format, JobEntry, RenderFunction, Scope } from '../../../../runtime/page/site.ts'
import type { FileService } from '../../../web/files/files.ts'
import { restoreScope } from '../../../web/forms/snapshot.ts'
import { isUnreachable } from '../../../web/graphql/database/database-error.ts'
import { writeExport } from '../../../web/graphql/host/exports.ts'
import { deliver } from '../../../web/notifications/deliver.ts'
import type { Notifications } from '../../../web/notifications/model.ts'
import { notificationsWithin } from '../../../web/notifications/open.ts'
import type { Span } from '../../../core/contracts/tracer.ts'
import { createBareContext } from '../../../web/site/context.ts'
import type { RequestData, SiteHost, Visit } from '../../../web/site/host.ts'
import { jobVisit } from '../../../web/site/job-visit.ts'
import { recordedTemplate } from '../../../web/site/recorded.ts'
import { createRender } from '../../../web/site/render-page.ts'
import type { CurrentUser } from '../../../web/site/session.ts'
import { settingText } from '../../../web/site/setting.ts'
import { jobContext } from './context.ts'
import { DatabaseAway, MissingCode } from './failure.ts'
import { markDone } from '../migration-states.ts'
import type { QueuedJob } from './request.ts'

/** The services that a job gets from its thread. */
export interface TaskHost {
  readonly host: SiteHost
  readonly notifications: Notifications
  readonly sql: Sql
  readonly files: FileService
  /** Returns an existing user, or null. */
  readonly user: (id: string) => Promise<CurrentUser | null>
  /** Span of the job; absent or null when it is not traced. */
  readonly span?: Span | null
  /** Milliseconds since the start of the task in which the thread waited for a processor. */
  readonly cpuWait: () => number
  /** Checks the memory of the thread; see `Limits`. */
  readonly memory: () => void
}

/** Timeout in seconds for marking a migration. */
const MARK_TIMEOUT = 10

/**
 * Executes a job.
 * @param id of the job in the queue
 * @param seconds limit for its templates
 * @throws MissingCode, DeliveryFault, LiquidFault, DatabaseAway
 */
export async function runTask(taskHost: TaskHost, id: string, job: QueuedJob, seconds: number): Promise<void> {
  const visits: Visit[] = []
  const { task } = job
  try {
    await execute(taskHost, id, job, seconds, (visit) => {
      visits.push(visit)
      if (taskHost.span) visit.sharedState.span = taskHost.span
      const { user } = job.origin
      taskHost.span?.recording?.visitor(() => ({
        ...{ user: user === null ? null : { id: user, email: null }, session: null, secrets: [] },
        params: task.kind === 'unit' ? task.values : {},
      }))
      return visit
    })
  } catch (error) {
    // Templates may have handled the error as a query error, so the meters are checked too.
    const unreachable = isUnreachable(error) || visits.some(({ data }) => data?.meter.unreachable === true)
    throw unreachable ? new DatabaseAway(error) : error
  }
}

/**
 * Executes a job according to its kind.
 * @param onVisit called with each visit that is created for the job; returns the visit
 */
async function execute(
  taskHost: TaskHost,
  id: string,
  job: QueuedJob,
  seconds: number,
  onVisit: (visit: Visit) => Visit,
): Promise<void> {
  const { host, notifications } = taskHost
  const { task } = job
  const user = job.origin.user === null ? null : await taskHost.user(job.origin.user)
  // A deleted user counts as no user.
  const origin: JobOrigin = { ...job.origin, user: user?.id ?? null }
  const limits = limitsOf(taskHost, seconds)
  switch (task.kind) {
    case 'unit': {
      const { file, render } = unitOf(host, task.unit)
      const visit = onVisit(jobVisit(host, { id, origin, context: () => jobContext(host.facts, origin, user), limits }))
      const r = createRender(host, visit, null)
      // Theme paths may use constants, which only the host can read here.
      r.themePaths = () =>
        new Render(host.loadedSite.site, host.services, {
          context: createBareContext(host.facts),
          raise: true,
        }).themePaths()
      await recordedTemplate(visit, 'job', file, () => render(r, task.values))
      return
    }
    case 'callback': {
      const { form } = task
      const { site } = host.loadedSite
      const entry = Object.hasOwn(site.forms, form.name) ? site.forms[form.name] : undefined
      if (entry === undefined || entry.asyncCallback === null)
        throw new MissingCode(`the form ${form.name} has no async_callback_actions`)
      const visit = onVisit(jobVisit(host, { id, origin, context: () => jobContext(host.facts, origin, user), limits }))
      const r = createRender(host, visit, null, { format: 'txt' })
      await settingText(entry.asyncCallback.content, r, restoreScope(site, form, r))
      return
    }
    case 'export': {
      const visit = onVisit(jobVisit(host, { id, origin, context: () => createBareContext(host.facts), limits }))
      const { sql, files } = taskHost
      return writeExport({ sql, files, query: dataOf(visit).query(null) }, task.id)
    }
    case 'notification':
    case 'email':
    case 'sms': {
      // Notification templates are not the author's job code, so they may use constants.
      const context = (): Scope => createBareContext(host.facts, { language: origin.language, user, host: origin.host })
      const visit = onVisit(jobVisit(host, { id, origin, context, limits }))
      const render = (format: Format): Render => createRender(host, visit, null, { format })
      return deliver(notificationsWithin(notifications, taskHost.span ?? null), task, {
        id,
        render,
        assetSite: host.loadedSite,
      })
    }
  }
}

/**
 * Runs a migration in one transaction that also marks it as done. Rolls back if another server has done it meanwhile.
 * @throws MissingCode, LiquidFault after the rollback
 */
export async function runMigration(taskHost: TaskHost, name: string, seconds: number): Promise<void> {
  const { host } = taskHost
  const entry = host.loadedSite.site.migrations.find((each) => each.name === name)
  if (entry === undefined) throw new MissingCode(`there is no migration '${name}'`)
  const template = templateOf(entry, name)
  const origin: JobOrigin = { host: '', language: 'en', user: null, depth: 1 }
  const context = (): Scope => createBareContext(host.facts)
  const visit = jobVisit(host, { origin, context, limits: limitsOf(taskHost, seconds) })
  const data = dataOf(visit)
  let marked = false
  await data.transactions.run({ timeout: null }, async () => {
    await template(createRender(host, visit, null, { format: 'txt' }), {})
    const done = await data.query(null).run(markDone(name), { write: true, replica: false, timeout: MARK_TIMEOUT })
    marked = true
    // Another server may have done it meanwhile if the migration lock was lost with its connection.
    if (done.length === 0) data.transactions.rollback()
  })
  if (!marked) throw new Error('it has rolled back its transaction')
}

function dataOf({ data }: Visit): RequestData {
  if (data === null) throw new Error('there is no database')
  return data
}

/** Returns the limits of a template in a job: the time is limited, the number of steps is not. */
function limitsOf({ cpuWait, memory }: TaskHost, seconds: number): Limits {
  const { output, depth } = DEFAULT_LIMITS
  return { steps: Number.POSITIVE_INFINITY, output, depth, time: seconds * 1000, cpuWait, memory }
}

function unitOf(
  { loadedSite: { site } }: SiteHost,
  unit: string,
): { readonly file: string; readonly render: RenderFunction } {
  const job = Object.hasOwn(site.jobs, unit) ? site.jobs[unit] : undefined
  const entry = job ?? (Object.hasOwn(site.partials, unit) ? site.partials[unit] : undefined)
  if (entry === undefined) throw new MissingCode(`can't find partial ${unit}`)
  return { file: entry.file, render: templateOf(entry, unit) }
}

function templateOf({ file, render }: Pick<JobEntry, 'file' | 'render'>, name: string): RenderFunction {
  if (render === null) throw new MissingCode(`${name} (${file}) was built with errors`)
  return render
}
