/** The entry of a job thread. It runs jobs, including the jobs that run a site's tests. */
import { onOpened, run } from './operate/jobs/threads/thread.ts'
import { TestRuns } from './tools/test-runs.ts'

onOpened((options) => new TestRuns(options).job)

export { run }
