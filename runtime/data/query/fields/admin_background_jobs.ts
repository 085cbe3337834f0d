/** `admin_background_jobs`: the jobs in the queue, including dead jobs. */
import type { QueryField } from '../model.ts'
import { job } from '../sdl/job.ts'
import { jobsJson } from '../writes/jobs.ts'

export const admin_background_jobs: QueryField = {
  kind: 'query',
  name: 'admin_background_jobs',
  sdl: 'admin_background_jobs(filter: BackgroundJobsFilterInput, page: Int = 1, per_page: Int = 20, sort: [BackgroundJobsSortInput!]): BackgroundJobCollection!',
  types: job,
  build: jobsJson,
}
