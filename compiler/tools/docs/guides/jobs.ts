/** The guide to jobs and migrations. */
import { files, guide, list, page, part, shell, text } from './guide.ts'

export const jobs = guide('jobs', {
  name: 'Background jobs',
  summary: 'Run work after the answer, later or again and again, and change data once with migrations.',
  words: 'background job async queue later delay schedule cron worker migration retry',
  blocks: [
    part('Queue a job', 'background async later delay schedule'),
    page(
      {
        'app/lib/orders/pack.liquid': `{% doc %}
  A job.
  @param {number} order
{% enddoc %}
{% log order, type: 'packed' %}
`,
        'app/views/pages/pack.liquid': `---
method: post
---
{% background job = 'orders/pack', order: 7, delay: 0.5, priority: 'high', max_attempts: 3 %}
<p>It will be packed.</p>
`,
      },
      'POST /pack',
      '<p>It will be packed.</p>',
    ),
    text(
      '`delay` is in minutes. The block form `{% background source_name: "pack" %}…{% endbackground %}` holds the job itself. A job receives only the values that are passed, as JSON of at most 512 KB. Its `context` has the host, the language, the user and the environment, but no session and no parameters.',
    ),
    list(
      'A job is a row in the same PostgreSQL, written in the open transaction: a rolled-back transaction queues nothing, and a job queued inside one starts after it commits. `async_callback_actions`, mails, texts, API calls of forms, and exports are jobs, too.',
      '`ingot serve` runs jobs in a separate process. `ingot worker` runs only jobs, on any number of machines. Each job runs once, in a thread that is ended at the time limit of its priority or above `INGOT_JOB_MEMORY`. One thread never takes jobs of low priority.',
      'A failed job is retried after e, e², e³ … seconds, up to `max_attempts`. After that it is dead and kept for `INGOT_JOB_DAYS`, with its error and the stack of the template: see `ingot jobs`, or `admin_background_jobs*` in GraphQL. A job whose partial a deploy has removed is dead at once.',
      'If a server is silent for `INGOT_JOB_SILENCE`, its jobs start elsewhere. A crash, or a database that became unavailable, does not count as an attempt, at most three times. So a job may run twice: put what must happen once into one transaction. A job that was interrupted stays on record after it is done, with the number of its runs, for `INGOT_JOB_DAYS` (`ingot jobs list --state done`).',
    ),
    part('Repeat a job', 'cron every day hour weekly periodic'),
    text(
      'A job can queue its own next run, first started by a migration. Give it a `delay` and queue it before its work, so that an error does not end the series.',
    ),
    files({
      'app/lib/orders/remind.liquid': `{% doc %}
  A job of every day.
{% enddoc %}
{% background _ = 'orders/remind', delay: 1440, max_attempts: 3, source_name: 'daily reminder' %}
{% log 'Reminders are sent.', type: 'reminder' %}
`,
      'app/migrations/20260102090000_start_reminder.liquid': `{% background _ = 'orders/remind', delay: 1, max_attempts: 3, source_name: 'daily reminder' %}
`,
    }),
    part('Look at the queue', 'failed dead retry inspect'),
    shell('npx ingot jobs list --state dead', 'npx ingot jobs show 12', 'npx ingot jobs retry --all-dead'),
    part('Migrations', 'migrate data once change rows'),
    text(
      '`migrations/<timestamp>_<name>.liquid` run once each, in order, each in a transaction, before a new build is served. If a migration of the application fails, the build is not served. The error names its line, and the migration runs again once it is fixed.',
    ),
    files({
      'app/graphql/dishes/set_stock.graphql': `mutation set_stock {
  dishes: records_update_all(
    table: "dish"
    filter: { created_at: { lt: "2026-01-01" } }
    record: { properties: [{ name: "stock", value_int: 10 }] }
  ) {
    count
  }
}
`,
      'app/migrations/20260101120000_set_stock.liquid': `{% graphql changed = 'dishes/set_stock' %}
{% log changed.dishes.count, type: 'migration' %}
`,
    }),
    list(
      "If a module's migration fails, the following ones run, and the site is served; `ingot migrations retry NAME` runs it again. `migrations_strict: true` in `app/config.yml` treats modules' migrations like the application's.",
      'A migration that is sent alone to a server that accepts deploys waits for the next deploy, or until you run it.',
      '`ingot migrations list` shows their states. `ingot generate migration NAME` writes a file with the time of now.',
    ),
    part('Limits', 'threads memory time limit'),
    list(
      '`INGOT_JOB_THREADS`: jobs that run at once in a process, 2 to 4 depending on the machine, and up to two more while jobs run for long; `0` for none. `INGOT_JOB_MEMORY`: megabytes that one job may use, 256.',
      '`INGOT_JOB_SECONDS_HIGH`, `INGOT_JOB_SECONDS`, `INGOT_JOB_SECONDS_LOW`: seconds that a job may run, by its priority: 60, 300, 14400. Time in which the job waits for a processor does not count.',
      '`INGOT_JOB_SILENCE`: seconds without a sign of life after which the jobs of this server start elsewhere, 60. `INGOT_JOB_DAYS`: days that dead jobs are kept, and the records of finished ones that may have run twice, 90. `INGOT_EXPORT_DAYS`: days that exports and their files are kept, 30.',
    ),
  ],
})
